#if SyncServer
  import AlterCore
  import Hummingbird

  /// Counts the requests of a server, and answers them itself while the test wants a server that has no time.
  final class RequestGate: RouterMiddleware {
    /// The bytes of the bodies, one number for each request.
    let bodies = Lock<[Int]>([])
    let refusal = Lock<Response?>(nil)

    func handle(
      _ request: Request, context: BasicRequestContext, next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
      let bytes = request.headers[.contentLength].flatMap { Int($0) } ?? 0
      bodies.withLock { $0.append(bytes) }
      if let refusal = refusal.withLock({ $0 }) { return refusal }
      return try await next(request, context)
    }
  }
#endif
