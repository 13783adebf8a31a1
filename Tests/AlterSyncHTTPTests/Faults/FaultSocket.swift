import Foundation
import ProcessTesting

/// A TCP socket of 127.0.0.1 for a proxy. Its calls block.
final class FaultSocket: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  private static func make() throws -> FaultSocket {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw ChildProcess.SpawnError("a socket") }
    var isOn: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    return FaultSocket(descriptor)
  }

  private static func withAddress<Result>(_ port: Int, _ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
  }

  static func connect(to port: Int) throws -> FaultSocket {
    let socket = try make()
    let code = withAddress(port) { Foundation.connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    guard code == 0 else { throw ChildProcess.SpawnError("a connection to port \(port)") }
    return socket
  }

  /// Listens on a free port.
  static func listen() throws -> (socket: FaultSocket, port: Int) {
    let socket = try make()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withAddress(0) { bind(socket.descriptor, $0, length) == 0 && Foundation.listen(socket.descriptor, 64) == 0 }
    var address = sockaddr_in()
    let isNamed = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &length) == 0 }
    }
    guard isBound, isNamed else { throw ChildProcess.SpawnError("a listener") }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// The next connection; nil if there will be none.
  func accept() -> FaultSocket? {
    while true {
      let next = Foundation.accept(descriptor, nil, nil)
      if next >= 0 {
        _ = fcntl(next, F_SETFD, FD_CLOEXEC)
        return FaultSocket(next)
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// The next bytes; nil at the end, or if the connection is broken.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Writes all bytes, unless the connection is broken.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
      #else
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      #endif
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Ends both directions, also for a blocked call of another thread.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// Reads the messages of HTTP/1.1 from a socket, and changes nothing of them.
struct MessageReader {
  let socket: FaultSocket
  private var pending: [UInt8] = []

  init(_ socket: FaultSocket) { self.socket = socket }

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
