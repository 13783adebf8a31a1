public import Foundation

/// An answer of an HTTP/1.1 server, read from the bytes of a connection.
public struct HTTPAnswer: Sendable, CustomStringConvertible {
  /// The status; 0 if the bytes are not an answer.
  public let status: Int
  /// The fields of the head. Names are in lower case, and several values of one name are joined by ", ".
  public let headers: [String: String]
  /// The body, with its chunks joined.
  public let body: Data
  /// The head, with its line endings.
  public let head: String

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }
  /// The head, and the beginning of the body.
  public var description: String { "\(head)\n\(text.prefix(1_000))" }

  /// Parses all bytes of a connection.
  public init(_ bytes: [UInt8]) {
    let received = Data(bytes)
    let end = received.range(of: Data("\r\n\r\n".utf8))
    head = String(decoding: received[..<(end?.lowerBound ?? received.endIndex)], as: UTF8.self)
    let lines = head.components(separatedBy: "\r\n")
    status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let fields = lines.dropFirst().compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }
    headers = Dictionary(fields, uniquingKeysWith: { "\($0), \($1)" })
    let rest = end.map { received[$0.upperBound...] } ?? Data()
    body = headers["transfer-encoding"] == "chunked" ? Self.joined(rest) : Data(rest)
  }

  private static func joined(_ chunks: Data) -> Data {
    var (rest, body) = (chunks[...], Data())
    while let line = rest.range(of: Data("\r\n".utf8)) {
      let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) ?? 0
      guard size > 0, rest.distance(from: line.upperBound, to: rest.endIndex) >= size else { break }
      body += rest[line.upperBound..<(line.upperBound + size)]
      rest = rest.dropFirst(line.upperBound - rest.startIndex + size + 2)
    }
    return body
  }
}
