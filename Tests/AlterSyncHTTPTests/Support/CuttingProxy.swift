#if SyncServer
  import Foundation
  import Hummingbird
  import Logging

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// A bad line to a server: of each answer it forwards a number of lines and a part of the next one, and then the connection breaks.
  final class CuttingProxy: Sendable {
    private struct Broken: Error {}

    let port: Int
    private let running: Task<Void, any Error>

    /// - Parameters:
    ///   - server: The address of the server.
    ///   - lines: The number of whole lines of each answer.
    init(to server: URL, forwarding lines: Int) async throws {
      let router = Router()
      let forward: @Sendable (Request, BasicRequestContext) async throws -> Response = { received, _ in
        guard let target = URL(string: received.uri.description, relativeTo: server) else { throw HTTPError(.badRequest) }
        var forwarded = URLRequest(url: target)
        forwarded.httpMethod = received.method.rawValue
        for field in received.headers { forwarded.setValue(field.value, forHTTPHeaderField: field.name.rawName) }
        let sent = try await received.body.collect(upTo: 1 << 20)
        if sent.readableBytes > 0 { forwarded.httpBody = Data(sent.readableBytesView) }
        // In a task of its own, which `stop` doesn't cancel: on Linux the cancellation of a request waits for a queue of URLSession, and the
        // end of another request on that queue waits for the cancelled task.
        let request = forwarded
        let body = try await Task { try await URLSession.shared.data(for: request).0 }.value
        let ends = body.indices.filter { body[$0] == UInt8(ascii: "\n") }
        let part = body.prefix(lines == 0 ? 5 : ends[lines - 1] + 6)
        return Response(
          status: .ok, headers: [.contentType: "application/jsonl"],
          body: ResponseBody(contentLength: body.count) { writer in
            try await writer.write(ByteBuffer(bytes: part))
            throw Broken()
          })
      }
      router.get("**", use: forward)
      router.post("**", use: forward)
      let (ports, ready) = AsyncStream.makeStream(of: Int.self)
      var logger = Logger(label: "test")
      logger.logLevel = .critical
      let application = Application(
        router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
        onServerRunning: { ready.yield($0.localAddress?.port ?? 0) }, logger: logger)
      running = Task {
        defer { ready.finish() }
        try await application.runService(gracefulShutdownSignals: [])
      }
      guard let port = await ports.first(where: { _ in true }) else {
        try await running.value
        throw CancellationError()
      }
      self.port = port
    }

    func stop() async {
      running.cancel()
      _ = await running.result
    }
  }
#endif
