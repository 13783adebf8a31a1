import Foundation
import ProcessTesting

/// A connection to a server on this machine. It sends exactly the bytes of the test.
final class RawConnection: Sendable {
  private let descriptor: Int32

  /// Connects to the server.
  ///
  /// - Parameter receiveBuffer: The size of the system's receive buffer in bytes; nil for the default.
  init(port: Int, receiveBuffer: Int32? = nil) throws {
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #endif
    // If a server never answers, the test fails with an error instead of hanging.
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    guard code == 0 else { throw ChildProcess.SpawnError("a connection to port \(port)") }
  }

  deinit { close(descriptor) }

  /// Sends bytes until the server accepts no more.
  ///
  /// - Returns: Whether the server accepted all of them.
  @discardableResult
  func send(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
      #else
        let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      #endif
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads the available bytes; nil at the end, or if the connection is broken. Blocks.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Reads to the end.
  func readAll() async -> [UInt8] {
    await onThread {
      var bytes: [UInt8] = []
      while let more = self.read() { bytes += more }
      return bytes
    }
  }

  /// Reads until the input contains a text, or to the end.
  func read(until text: String) async -> String {
    await onThread {
      var bytes: [UInt8] = []
      while !String(decoding: bytes, as: UTF8.self).contains(text), let more = self.read() { bytes += more }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Whether input, including the end, is available within this number of milliseconds.
  func isReadable(within milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, milliseconds) > 0
  }
}

/// The answer of a server.
struct RawAnswer: Sendable, CustomStringConvertible {
  let status: Int
  /// The head, with its line endings.
  let head: String
  let body: [UInt8]
  var text: String { String(decoding: body, as: UTF8.self) }
  var description: String { "\(head)\n\(text.prefix(1_000))" }

  init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    head = parts.first.map(String.init) ?? ""
    body = parts.count > 1 ? Array(parts[1].utf8) : []
    status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// The value of a field in the head.
  func field(_ name: String) -> String? {
    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
      $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }
  }
}

/// A server in a separate process.
final class RawServer: Sendable {
  let process: LineProcess
  let port: Int
  let token: String?

  /// Starts a command that prints its address.
  ///
  /// - Parameters:
  ///   - command: The path of the executable and its arguments.
  ///   - environment: The whole environment.
  init(_ command: [String], environment: [String: String]) async throws {
    process = try LineProcess(command, environment: environment, mergesErrors: true)
    let line = await process.line { $0.contains("http://") }
    let address = line?.split(separator: " ").first { $0.hasPrefix("http://") }.flatMap { URLComponents(string: String($0)) }
    guard let address, let port = address.port else { throw ChildProcess.SpawnError("\(command): \(process.lines)", code: 0) }
    self.port = port
    token = address.queryItems?.first { $0.name == "token" }?.value
  }

  /// The head of a request, with the token if there is one.
  func head(_ method: String, _ path: String, _ fields: [String] = []) -> String {
    let own = ["Host: 127.0.0.1:\(port)"] + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
    return (["\(method) \(path) HTTP/1.1"] + own + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// Sends a request and reads the answer to its end.
  func ask(_ method: String, _ path: String, body: String? = nil, _ fields: [String] = []) async throws -> RawAnswer {
    let connection = try RawConnection(port: port)
    let content = body.map { ["Content-Type: application/json", "Content-Length: \($0.utf8.count)"] } ?? []
    connection.send(head(method, path, ["Connection: close"] + content + fields) + (body ?? ""))
    return RawAnswer(await connection.readAll())
  }
}
