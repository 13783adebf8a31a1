import Foundation
import ProcessTesting

/// Reads the messages of HTTP/1.1 from a socket, and changes nothing of them.
struct MessageReader {
  let socket: LocalSocket
  private var pending: [UInt8] = []

  init(_ socket: LocalSocket) { self.socket = socket }

  struct Head {
    let bytes: [UInt8]
    let line: String
    let length: Int
    let isChunked: Bool
  }

  private mutating func fill() -> Bool {
    guard let bytes = socket.read() else { return false }
    pending += bytes
    return true
  }

  private mutating func take(_ count: Int) -> [UInt8]? {
    while pending.count < count { guard fill() else { return nil } }
    defer { pending.removeFirst(count) }
    return Array(pending[..<count])
  }

  private mutating func take(through end: [UInt8]) -> [UInt8]? {
    var start = 0
    while true {
      if pending.count >= end.count {
        for place in start...(pending.count - end.count) where pending[place..<place + end.count].elementsEqual(end) {
          return take(place + end.count)
        }
        start = pending.count - end.count + 1
      }
      guard fill() else { return nil }
    }
  }

  /// The head of the next message; nil at the end.
  mutating func head() -> Head? {
    guard let bytes = take(through: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).lowercased().components(separatedBy: "\r\n")
    let length = lines.first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
    return Head(
      bytes: bytes, line: lines[0], length: length ?? 0,
      isChunked: lines.contains { $0.hasPrefix("transfer-encoding:") && $0.contains("chunked") })
  }

  /// The body after a head; nil if it is cut.
  mutating func body(of head: Head) -> [UInt8]? {
    guard head.isChunked else { return take(head.length) }
    var body: [UInt8] = []
    while let (bytes, isLast) = chunk() {
      body += bytes
      if isLast { return body }
    }
    return nil
  }

  /// The next chunk with its frame, and whether it ends the body.
  mutating func chunk() -> (bytes: [UInt8], isLast: Bool)? {
    guard let line = take(through: Array("\r\n".utf8)),
      let size = Int(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines), radix: 16),
      let rest = take(size + 2)
    else { return nil }
    return (line + rest, size == 0)
  }
}
