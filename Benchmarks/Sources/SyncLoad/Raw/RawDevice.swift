import Foundation

/// The copy of one journal on a simulated device: it keeps its place, and nothing else of the entries.
struct RawJournal {
  let key: String
  let principal: String
  private let origin: (UInt64, UInt64) = (.random(in: 0 ... .max), .random(in: 0 ... .max))
  private var sequence = 0
  private var position = ""
  private var generation = ""

  init(key: String, principal: String) { (self.key, self.principal) = (key, principal) }

  private var path: String { "/sync/journals/" + key.replacingOccurrences(of: "/", with: "%2F") }
  private var fields: String {
    "Host: localhost\r\nAlter-Sync: 1\r\nAuthorization: Bearer \(principal)\r\nAlter-Principal: \(principal)\r\n"
  }
  private var originText: String {
    let digits = Array(DraftHash.digits(origin.0) + DraftHash.digits(origin.1))
    return [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]].map { String($0) }.joined(separator: "-")
  }

  /// The first request: a push without drafts and without a position. It creates the journal.
  func firstPush() -> [UInt8] {
    let body =
      "{\"alter\":\"sync\",\"floor\":0,\"key\":\"\(key)\",\"known\":0,\"lines\":0,\"principal\":\"\(principal)\",\"request\":\"push\",\"version\":1}\n"
    return Array(
      "POST \(path)/entries HTTP/1.1\r\n\(fields)Content-Type: application/jsonl\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  /// A push of new drafts.
  mutating func push(_ count: Int) -> [UInt8] {
    let first = sequence + 1
    let time = Int64(Date().timeIntervalSince1970 * 1_000_000)
    let id = originText
    var body =
      "{\"alter\":\"sync\",\"floor\":0,\"generation\":\"\(generation)\",\"key\":\"\(key)\",\"known\":0,\"lines\":\(count),\"position\":\(position),\"principal\":\"\(principal)\",\"request\":\"push\",\"version\":1}\n"
    for _ in 0..<count {
      sequence += 1
      let payload =
        "[{\"line\":{\"change\":{\"text\":\"A line of some words, changed \(sequence)\"},\"id\":\(sequence &* 7_919 % LoadServer.lines)}}]"
      let hash = DraftHash.text(origin: origin, sequence: sequence, time: time, payload: payload.utf8)
      let after = sequence > first ? "\"after\":{\"origin\":\"\(id)\",\"sequence\":\(sequence - 1)}," : ""
      body +=
        "{\(after)\"hash\":\"\(hash)\",\"kind\":\"changes\",\"origin\":\"\(id)\",\"payload\":\(payload),\"schema\":1,\"sequence\":\(sequence),\"time\":\(time)}\n"
    }
    return Array(
      "POST \(path)/entries HTTP/1.1\r\n\(fields)Content-Type: application/jsonl\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  /// Takes a page: notes the new place.
  ///
  /// - Returns: The number of accepted drafts.
  mutating func take(_ answer: HTTPAnswer) throws(Failure) -> Int {
    guard answer.status == 200 else {
      throw Failure("status \(answer.status): \(String(decoding: answer.body.prefix(400), as: UTF8.self))")
    }
    let lines = answer.body.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, let last = lines.last, lines.count > 1, last.starts(with: Array("{\"head\":".utf8)) else {
      throw Failure("the page is cut")
    }
    if generation.isEmpty { generation = Self.value("generation", in: String(decoding: first, as: UTF8.self)) }
    let head = String(decoding: last.dropFirst(8).dropLast(), as: UTF8.self)
    let end = lines[lines.count - 2]
    // A page that is not the last one: the place is that of its last entry.
    if lines.count > 2, end.contains(Array("\"payload\"".utf8)) {
      let text = String(decoding: end, as: UTF8.self)
      let revision = Self.number("revision", in: text)
      position =
        revision == Self.number("revision", in: head)
        ? head
        : "{\"checksum\":\"\(Self.value("checksum", in: text))\",\"journal\":\"\(Self.value("journal", in: head))\",\"revision\":\(revision)}"
    } else if position.isEmpty || lines.count == 2 {
      position = head
    }
    var accepted = 0
    for line in lines.dropFirst() {
      guard line.starts(with: Self.verdictStart) else { break }
      guard line.contains(Self.accepted) else {
        throw Failure("refused: \(String(decoding: line, as: UTF8.self))")
      }
      accepted += 1
    }
    return accepted
  }

  private static let verdictStart = Array("{\"hash\":".utf8)
  private static let accepted = Array("\"verdict\":\"accepted\"".utf8)

  private static func value(_ name: String, in text: String) -> String {
    guard let start = text.range(of: "\"\(name)\":\"") else { return "" }
    return String(text[start.upperBound...].prefix { $0 != "\"" })
  }

  private static func number(_ name: String, in text: String) -> Int {
    guard let start = text.range(of: "\"\(name)\":", options: .backwards) else { return -1 }
    return Int(text[start.upperBound...].prefix { $0.isNumber }) ?? -1
  }
}
