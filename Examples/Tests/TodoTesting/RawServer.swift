import Foundation
public import ProcessTesting

extension LoopbackSocket {
  /// Sends text until the server accepts no more.
  ///
  /// - Returns: Whether the server accepted all of it.
  @discardableResult
  public func send(_ text: String) -> Bool { send(text.utf8) }

  /// Reads to the end.
  public func readAll() async -> [UInt8] { await onThread { self.read { _ in false }.bytes } }

  /// Reads until the input contains a text, or to the end.
  public func read(until text: String) async -> String {
    await onThread {
      let read = self.read { String(decoding: $0, as: UTF8.self).contains(text) }
      return String(decoding: read.bytes, as: UTF8.self)
    }
  }
}

extension HTTPAnswer {
  /// The value of a field in the head.
  public func field(_ name: String) -> String? { headers[name.lowercased()] }
}

/// A server in a separate process.
public final class RawServer: Sendable {
  /// The process.
  public let process: LineProcess
  /// The printed address, with the token if there is one.
  public let address: String
  /// The port.
  public let port: Int
  /// The token; nil if none is needed.
  public let token: String?

  /// Starts a command that prints its address.
  ///
  /// - Parameters:
  ///   - command: The path of the executable and its arguments.
  ///   - environment: The whole environment.
  public init(_ command: [String], environment: [String: String]) async throws {
    process = try LineProcess(command, environment: environment, mergesErrors: true)
    let line = await process.line { $0.contains("http://") }
    let address = line?.split(separator: " ").first { $0.hasPrefix("http://") }.flatMap { URLComponents(string: String($0)) }
    guard let address, let port = address.port else { throw ChildProcess.SpawnError("\(command): \(process.lines)", code: 0) }
    (self.address, self.port) = (address.string ?? "", port)
    token = address.queryItems?.first { $0.name == "token" }?.value
  }

  /// The head of a request, with the token if there is one.
  public func head(_ method: String, _ path: String, _ fields: [String] = []) -> String {
    let own = ["Host: 127.0.0.1:\(port)"] + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
    return (["\(method) \(path) HTTP/1.1"] + own + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// Sends a request and reads the answer to its end.
  public func ask(_ method: String, _ path: String, body: String? = nil, _ fields: [String] = []) async throws -> HTTPAnswer {
    let connection = try LoopbackSocket(port: port)
    let content = body.map { ["Content-Type: application/json", "Content-Length: \($0.utf8.count)"] } ?? []
    connection.send(head(method, path, ["Connection: close"] + content + fields) + (body ?? ""))
    return HTTPAnswer(await connection.readAll())
  }
}
