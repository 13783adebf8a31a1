import AlterCore
import AlterJournal
import Foundation

/// The DevTools protocol over a browser's socket: commands that wait for their answers, and events for listeners.
///
/// Source: the Chrome DevTools Protocol, https://chromedevtools.github.io/devtools-protocol/
public final class DevTools: Sendable {
  /// An event of a session.
  struct Event: Sendable {
    let method: String
    let parameters: JSONValue
  }

  private struct Waiting {
    let what: String
    let continuation: CheckedContinuation<JSONValue, any Error>
  }

  private struct State {
    var lastID = 0
    var waiting: [Int: Waiting] = [:]
    var listeners: [String: @Sendable (Event) -> Void] = [:]
    var isGone = false
  }

  private let process: BrowserProcess
  private let state = Lock(State())

  init(_ process: BrowserProcess) {
    self.process = process
    Thread.detachNewThread { [self] in
      process.receive { receive($0) }
      let waiting = state.withLock { state in
        defer { state.waiting = [:] }
        state.isGone = true
        return state.waiting.values
      }
      for command in waiting {
        command.continuation.resume(throwing: BrowserError("the browser ended during \(command.what): \(process.log)"))
      }
    }
  }

  /// Sends a command and waits for its answer.
  ///
  /// - Parameters:
  ///   - method: The name, as in "Page.navigate".
  ///   - parameters: The parameters.
  ///   - session: The session of a page; nil for the browser itself.
  ///   - seconds: The timeout.
  /// - Throws: ``BrowserError`` if the browser refuses the command, does not answer in time, or has exited.
  @discardableResult
  public func send(
    _ method: String, _ parameters: JSONValue = .object([:]), session: String? = nil, within seconds: Int = 90
  ) async throws -> JSONValue {
    try await withCheckedThrowingContinuation { continuation in
      let id: Int? = state.withLock { state in
        guard !state.isGone else { return nil }
        state.lastID += 1
        state.waiting[state.lastID] = Waiting(what: method, continuation: continuation)
        return state.lastID
      }
      guard let id else { return continuation.resume(throwing: BrowserError("the browser has gone, before \(method): \(process.log)")) }
      var message: JSONValue = ["id": .integer(Int64(id)), "method": .string(method), "params": parameters]
      if let session { message["sessionId"] = .string(session) }
      do { try process.send(message.data) } catch { return finish(id, .failure(error)) }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [self] in
        finish(id, .failure(BrowserError("no answer to \(method) \(String("\(parameters)".prefix(500))) within \(seconds) s.")))
      }
    }
  }

  /// Sets the listener for the events of a session; nil removes it.
  func listen(to session: String, _ listener: (@Sendable (Event) -> Void)?) {
    state.withLock { $0.listeners[session] = listener }
  }

  /// Delivers the answer to a command that still waits.
  private func finish(_ id: Int, _ result: Result<JSONValue, any Error>) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.continuation.resume(with: result)
  }

  private func receive(_ data: Data) {
    guard let message = try? JSONValue(parsing: data) else { return }
    if let id = message["id"]?.int {
      if let error = message["error"] {
        let what = state.withLock { $0.waiting[Int(id)]?.what } ?? "a command"
        finish(Int(id), .failure(BrowserError("\(what): \(error["message"]?.text ?? "\(error)")")))
      } else {
        finish(Int(id), .success(message["result"] ?? .null))
      }
    } else if let method = message["method"]?.text, let session = message["sessionId"]?.text {
      state.withLock { $0.listeners[session] }?(Event(method: method, parameters: message["params"] ?? .null))
    }
  }
}
