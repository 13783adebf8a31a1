import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle

/// A web server with TLS on a free port of this machine, for the time of one closure.
final class TLSServer: Sendable {
  /// The address for clients, without a slash at its end.
  let url: String
  private let traffic: Traffic

  private init(port: Int, traffic: Traffic) {
    url = "https://localhost:\(port)"
    self.traffic = traffic
  }

  /// The reason why there is no server.
  struct NoServer: Error {}

  /// Runs a server.
  ///
  /// - Parameters:
  ///   - router: The routes.
  ///   - certificates: The server's key and certificate.
  ///   - body: Runs while the server does.
  /// - Returns: The result of the closure.
  static func run<Routes: HTTPResponderBuilder, Result: Sendable>(
    _ router: Routes, certificates: TestCertificates, _ body: @Sendable @escaping (TLSServer) async throws -> Result
  ) async throws -> Result where Routes.Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    let chain = try NIOSSLCertificate.fromPEMBytes([UInt8](certificates.certificate.utf8))
    let key = try NIOSSLPrivateKey(bytes: [UInt8](certificates.key.utf8), format: .pem)
    let tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    let traffic = Traffic()
    let (ports, running) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "TLSServer")
    logger.logLevel = .critical
    let app = Application(
      router: router,
      server: HTTPServerBuilder { responder in
        try TLSChannel(CountedChannel(base: HTTP1Channel(responder: responder), traffic: traffic), tlsConfiguration: tls)
      },
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in running.yield(channel.localAddress?.port ?? 0) },
      logger: logger)
    let group = ServiceGroup(configuration: .init(services: [app], logger: logger))
    return try await withThrowingTaskGroup(of: Result?.self) { tasks in
      tasks.addTask {
        defer { running.finish() }
        try await group.run()
        return nil
      }
      tasks.addTask {
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw NoServer() }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(TLSServer(port: port, traffic: traffic))) } catch { result = .failure(error) }
        await group.triggerGracefulShutdown()
        return try result.get()
      }
      var result: Result?
      while let next = try await tasks.next() { result = next ?? result }
      guard let result else { throw NoServer() }
      return result
    }
  }

  /// Waits until all connections that were opened are closed. The clients must have ended or closed them.
  ///
  /// - Returns: The number of connections, and the number of bytes that have arrived in them, after decryption.
  func ended() async throws -> (connections: Int, bytes: Int) {
    let closings = traffic.contents.withLockedValue { $0.closings }
    for closing in closings { try await closing.get() }
    return traffic.contents.withLockedValue { ($0.closings.count, $0.bytes) }
  }
}

/// The connections of a server, and their bytes after decryption.
private final class Traffic: Sendable {
  struct Contents {
    var closings: [EventLoopFuture<Void>] = []
    var bytes = 0
  }

  let contents = NIOLockedValueBox(Contents())
}

/// Counts what the handler before it, TLS, has decrypted.
private struct CountedChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base
  let traffic: Traffic

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    traffic.contents.withLockedValue { $0.closings.append(channel.closeFuture) }
    return channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(Counter(traffic))
    }.flatMap {
      base.setup(channel: channel, logger: logger)
    }
  }

  func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }

  private final class Counter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let traffic: Traffic

    init(_ traffic: Traffic) { self.traffic = traffic }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let count = unwrapInboundIn(data).readableBytes
      traffic.contents.withLockedValue { $0.bytes += count }
      context.fireChannelRead(data)
    }
  }
}
