#if Postgres
  import Foundation
  import ProcessTesting

  /// A process of the service.
  final class RunningService: Sendable {
    private struct NotListening: Error { let lines: [String] }

    private let process: LineProcess
    private let port: Int

    convenience init(_ address: String, _ shops: String...) async throws { try await self.init(address, shops) }

    /// Starts a process, and waits until it accepts requests.
    init(_ address: String, _ shops: [String]) async throws {
      let environment = ProcessInfo.processInfo.environment
      process = try LineProcess([Product.path("orders"), address] + shops, environment: environment, mergesErrors: true)
      let line = await process.line { $0.contains("Listening on port ") }
      guard let port = line.flatMap({ Int($0.split(separator: " ").last ?? "") }) else { throw NotListening(lines: process.lines) }
      self.port = port
    }

    /// The output so far. After ``stop()`` it is complete.
    var log: [String] { process.lines }

    /// Places an order.
    ///
    /// - Returns: The status of the answer; nil if there was none.
    func place(_ number: String, in shop: String) -> Int? {
      send("POST /shops/\(shop)/orders/\(number) HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: 5\r\n\r\nbread")?.status
    }

    /// Gets a page.
    func get(_ path: String) -> HTTPAnswer? { send("GET \(path) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n") }

    private func send(_ request: String) -> HTTPAnswer? {
      guard let socket = try? LoopbackSocket(port: port), socket.send(request.utf8) else { return nil }
      let answer = HTTPAnswer(socket.read { _ in false }.bytes)
      return answer.status == 0 ? nil : answer
    }

    /// The metrics by name and labels, as soon as they meet a condition; nil if they never do.
    func metrics(where condition: ([String: Double]) -> Bool) -> [String: Double]? {
      for _ in 0..<3_000 { if let metrics = metrics(), condition(metrics) { return metrics } }
      return nil
    }

    private func metrics() -> [String: Double]? {
      guard let text = get("/metrics")?.text else { return nil }
      return text.split(separator: "\n").reduce(into: [:]) { metrics, line in
        guard let space = line.lastIndex(of: " ") else { return }
        metrics[String(line[..<space])] = Double(line[line.index(after: space)...])
      }
    }

    /// Sends SIGTERM, and waits for the end.
    ///
    /// - Returns: The exit status.
    func stop() async -> Int32 {
      process.child.signal(SIGTERM)
      return await onThread {
        self.process.readLines()
        return self.process.child.wait()
      }
    }
  }
#endif
