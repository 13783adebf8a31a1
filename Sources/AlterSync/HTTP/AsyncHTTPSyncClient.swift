#if SQLite && AsyncHTTPClient && os(Linux)
  import AlterCore
  import AsyncHTTPClient
  import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOSSL

  /// Sends requests by AsyncHTTPClient: the default on Linux with the package trait `AsyncHTTPClient`.
  ///
  /// It uses HTTP/1.1, keeps connections open, and follows no redirection. A request that makes no progress for 25 seconds fails; a stream has
  /// three times the time between two heartbeats. A server's certificate must be signed by an authority of the system, or by one in the file
  /// that the environment variable `SSL_CERT_FILE` names when the first request is sent; if that file can't be read, no server can be
  /// reached. The variables of proxies (`https_proxy`) are ignored.
  public struct AsyncHTTPSyncClient: SyncHTTPClient {
    /// The clients of the process. Streams have a client with a longer time limit.
    private static let (requests, streams) = (client(silence: 25), client(silence: 45))

    /// The bytes of a body that are sent before `progress` is called.
    private static let bytesPerPart = 64 << 10

    /// Creates a client. All of a process share their connections.
    public init() {}

    private static func client(silence seconds: Int64) -> HTTPClient {
      var configuration = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: .seconds(25), read: .seconds(seconds), write: .seconds(seconds)))
      configuration.httpVersion = .http1Only
      configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
      // The engine repeats a request after a pause, and tells the user meanwhile.
      configuration.connectionPool.retryConnectionEstablishment = false
      if let file = ProcessInfo.processInfo.environment["SSL_CERT_FILE"], !file.isEmpty {
        var certificates = TLSConfiguration.makeClientConfiguration()
        certificates.additionalTrustRoots = [.file(file)]
        configuration.tlsConfiguration = certificates
      }
      return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Sends a request.
    public func send(_ request: SyncHTTPRequest, progress: @escaping @Sendable (_ bytes: Int) -> Void) async throws -> SyncHTTPResponse {
      var sent = HTTPClientRequest(url: request.url.absoluteString)
      sent.method = HTTPMethod(rawValue: request.method)
      for (name, value) in request.headers { sent.headers.add(name: name, value: value) }
      // Each part of a stream is asked for by another thread, so a short body is none.
      let isShort = request.body.map { $0.count <= Self.bytesPerPart } ?? false
      if let body = request.body {
        let bytes = ByteBuffer(bytes: body)
        sent.body = isShort ? .bytes(bytes) : .stream(Parts(bytes, progress), length: .known(Int64(body.count)))
      }
      let answer = try await (request.isStream ? Self.streams : Self.requests).execute(sent, deadline: .distantFuture)
      if isShort, let body = request.body { progress(body.count) }
      // The reader of the body ends the request, too, also by going away. It is the only one, and takes one part after the other.
      nonisolated(unsafe) var parts = answer.body.makeAsyncIterator()
      let body = AsyncThrowingStream { try await parts.next().map { Data($0.readableBytesView) } }
      let headers = Dictionary(answer.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      return SyncHTTPResponse(status: Int(answer.status.code), headers: headers, body: body)
    }

    /// The parts of a body. The next one is taken when the connection can send it.
    private struct Parts: AsyncSequence, AsyncIteratorProtocol, Sendable {
      private var rest: ByteBuffer
      private let progress: @Sendable (_ bytes: Int) -> Void

      init(_ body: ByteBuffer, _ progress: @escaping @Sendable (_ bytes: Int) -> Void) { (rest, self.progress) = (body, progress) }

      func makeAsyncIterator() -> Self { self }

      /// The bytes of the last part.
      private var last = 0

      mutating func next() async throws -> ByteBuffer? {
        if last > 0 { progress(last) }
        last = Swift.min(rest.readableBytes, bytesPerPart)
        return last > 0 ? rest.readSlice(length: last) : nil
      }
    }
  }
#endif
