import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A client that says exactly what a test wants said: any Host, any header, and nothing of its own.
struct HTTPClient: Sendable {
  let port: Int

  /// Stands for the host that the server is called by.
  static let own = "own"

  /// What a server answered.
  struct Answer: Sendable {
    var status = 0
    /// Names in lower case.
    var headers: [String: String] = [:]
    var body = Data()

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  struct Failure: Error {
    let what: String
  }

  /// Asks, and reads until the server closes the connection.
  func ask(
    _ path: String, method: String = "GET", host: String? = HTTPClient.own, headers: [String: String] = [:]
  ) async throws -> Answer {
    try await onThread {
      let connection = try Connection(port: port)
      defer { connection.close() }
      try connection.send(
        Self.head(path, method, host == Self.own ? "localhost:\(port)" : host, headers.merging(["Connection": "close"]) { own, _ in own }))
      var received = Data()
      while case let part = try connection.receive(), !part.isEmpty { received += part }
      return try Self.parse(received)
    }
  }

  /// Asks, and reads until what came satisfies the condition, or the server closes the connection; then leaves.
  ///
  /// - Returns: All that came, and whether the server closed.
  func listen(_ path: String, until isEnough: @escaping @Sendable (String) -> Bool) async throws -> (text: String, hasEnded: Bool) {
    try await onThread {
      let connection = try Connection(port: port)
      defer { connection.close() }
      try connection.send(Self.head(path, "GET", "localhost:\(port)", [:]))
      var received = Data()
      while !isEnough(String(decoding: received, as: UTF8.self)) {
        let part = try connection.receive()
        if part.isEmpty { return (String(decoding: received, as: UTF8.self), true) }
        received += part
      }
      return (String(decoding: received, as: UTF8.self), false)
    }
  }

  private static func head(_ path: String, _ method: String, _ host: String?, _ headers: [String: String]) -> String {
    var lines = ["\(method) \(path) HTTP/1.1"]
    if let host { lines.append("Host: \(host)") }
    for (name, value) in headers { lines.append("\(name): \(value)") }
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static func parse(_ received: Data) throws -> Answer {
    guard let end = received.range(of: Data("\r\n\r\n".utf8)) else { throw Failure(what: "no head in \(received.count) bytes") }
    let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    var answer = Answer()
    answer.status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      answer.headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    var rest = Data(received[end.upperBound...])
    if answer.headers["transfer-encoding"] == "chunked" {
      while let line = rest.range(of: Data("\r\n".utf8)) {
        let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) ?? 0
        guard size > 0, rest.distance(from: line.upperBound, to: rest.endIndex) >= size else { break }
        answer.body += rest[line.upperBound..<(line.upperBound + size)]
        rest = Data(rest[(line.upperBound + size + 2)...])
      }
    } else {
      answer.body = rest
    }
    return answer
  }

  /// Blocking calls have a thread of their own.
  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
    }
  }

  private struct Connection {
    let descriptor: Int32

    init(port: Int) throws {
      #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
      }
      guard result == 0 else {
        close()
        throw Failure(what: "can't connect to port \(port): \(String(cString: strerror(errno)))")
      }
    }

    func send(_ text: String) throws {
      let bytes = Array(text.utf8)
      guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(what: "can't send") }
    }

    func receive() throws -> Data {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &buffer, buffer.count)
      // A server that refuses what is still being sent resets the connection.
      return count > 0 ? Data(buffer[..<count]) : Data()
    }

    func close() {
      #if canImport(Glibc)
        _ = Glibc.close(descriptor)
      #elseif canImport(Musl)
        _ = Musl.close(descriptor)
      #elseif canImport(Darwin)
        _ = Darwin.close(descriptor)
      #endif
    }
  }
}
