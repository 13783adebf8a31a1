#if SQLite
  import AlterCore
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Sends requests by `URLSession`.
  ///
  /// Without further settings it has no cache and no cookies, and follows no redirection. A request that makes no progress for 25 seconds
  /// fails; a stream has three times the time between two heartbeats.
  ///
  /// On Linux, `URLSession` of Swift 6.3 ends the process if a connection is closed after the first line of an answer and before the end of its
  /// head (swift-corelibs-foundation, issue 5285). No change is lost. A network that does so is rare, because a head fits into one packet; for
  /// a program that must not end, enable the package trait `AsyncHTTPClient`. A stream over a new connection also uses a third of a processor
  /// there, if the server's `health` was not reachable before.
  public final class URLSessionClient: SyncHTTPClient {
    /// Streams have a session of their own: they would occupy the connections of the other requests.
    private let (requests, streams): (URLSession, URLSession)
    private let delegate = Delegate()

    /// Creates a client.
    public init() {
      func session(_ timeout: Double, _ delegate: Delegate) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 64
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = 7 * 86_400
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
      }
      (requests, streams) = (session(25, delegate), session(45, delegate))
    }

    deinit {
      // A session keeps its delegate until then. The readers of the answers end the requests that are left.
      requests.finishTasksAndInvalidate()
      streams.finishTasksAndInvalidate()
    }

    /// Sends a request.
    public func send(_ request: SyncHTTPRequest, progress: @escaping @Sendable (_ bytes: Int) -> Void) async throws -> SyncHTTPResponse {
      var url = URLRequest(url: request.url)
      url.httpMethod = request.method
      for (name, value) in request.headers { url.setValue(value, forHTTPHeaderField: name) }
      url.httpBody = request.body
      let session = request.isStream ? streams : requests
      #if canImport(FoundationNetworking)
        if request.isStream { await warm(request.url) }
      #endif
      let exchange = delegate.begin(session.dataTask(with: url), in: session, progress: progress)
      // The reader of the body ends the request, too, also by going away.
      exchange.body.onTermination = { [running = exchange.running] end in
        if case .cancelled = end { running.cancel() }
      }
      return try await withTaskCancellationHandler {
        exchange.running.resume()
        guard let head = await exchange.head.value() else {
          exchange.running.cancel()
          throw CancellationError()
        }
        return try head.get()
      } onCancel: {
        exchange.running.cancel()
      }
    }

    #if canImport(FoundationNetworking)
      /// Makes a short request, whose connection the stream then uses.
      ///
      /// Foundation on Linux waits for a new connection to become writable, and never ceases to: a stream on it would use a third of a
      /// processor for as long as it is open. On a connection that is there already it does not.
      private func warm(_ url: URL) async {
        let health = URLRequest(url: url.deletingLastPathComponent().appendingPathComponent("health"))
        let exchange = delegate.begin(streams.dataTask(with: health), in: streams) { _ in }
        await withTaskCancellationHandler {
          exchange.running.resume()
          guard case .success(let response)? = await exchange.head.value() else { return }
          do { for try await _ in response.body {} } catch { return }
        } onCancel: {
          exchange.running.cancel()
        }
      }
    #endif

    /// A request in progress.
    private final class Exchange: Sendable {
      let running: Running
      let head = Waiter<Result<SyncHTTPResponse, any Error>>()
      let progress: @Sendable (_ bytes: Int) -> Void
      let body: AsyncThrowingStream<Data, any Error>.Continuation
      /// The parts of the body, until the answer has them: when nothing else refers to them, no task reads them, and the request ends.
      private let parts: Lock<AsyncThrowingStream<Data, any Error>?>

      init(_ task: URLSessionTask, progress: @escaping @Sendable (_ bytes: Int) -> Void) {
        running = Running(task)
        self.progress = progress
        let (parts, body) = AsyncThrowingStream.makeStream(of: Data.self)
        (self.parts, self.body) = (Lock(parts), body)
      }

      func takeParts() -> AsyncThrowingStream<Data, any Error>? { parts.withLock { $0.take() } }
    }

    /// A task of URLSession, which may be cancelled from any thread and at any time.
    ///
    /// On Linux, Foundation ends the process if a cancellation meets one of two moments. One lies between the head of an answer and what the delegate
    /// says to it ("Received response disposition, but we're not waiting for it"). There the cancellation waits for the first bytes that follow,
    /// or for the end. The other is the end of the task ("Trying to access a behaviour for a task that in not in the registry"): the delegate
    /// returns when the cancellation is in the queue of the session, or prevents it.
    private final class Running: @unchecked Sendable {
      // Proof: `URLSessionTask.cancel()` and `resume()` may be called from any thread, nothing else of the task is used, and the rest is in locks.
      private let task: URLSessionTask
      private let standing = Lock((isCancelled: false, isUndecided: false))
      private let isOver = Lock(false)

      init(_ task: URLSessionTask) { self.task = task }

      func resume() { task.resume() }

      func cancel() {
        let isUndecided = standing.withLock { standing in
          standing.isCancelled = true
          return standing.isUndecided
        }
        if !isUndecided { end() }
      }

      /// The head of the answer has arrived. Returns whether to go on, which is false after a cancellation.
      func mayContinue() -> Bool {
        standing.withLock { standing in
          standing.isUndecided = !standing.isCancelled
          return standing.isUndecided
        }
      }

      /// Bytes of the body have arrived.
      func hasContinued() {
        let mustEnd = standing.withLock { standing in
          defer { standing.isUndecided = false }
          return standing.isCancelled && standing.isUndecided
        }
        if mustEnd { end() }
      }

      /// The task has ended.
      func isEnding() { isOver.withLock { $0 = true } }

      private func end() {
        #if canImport(FoundationNetworking)
          // `cancel()` of Swift 6.3 waits for the queue of the session, that of later versions does not, but `resume()` does, and has no effect on
          // a cancelled task. A handler of cancellation holds a lock of its Swift task, for which that queue may wait: hence another thread.
          DispatchQueue.global().async { [self] in
            isOver.withLock { isOver in
              guard !isOver else { return }
              task.cancel()
              task.resume()
            }
          }
        #else
          task.cancel()
        #endif
      }
    }

    private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
      private let exchanges = Lock<[Key: Exchange]>([:])

      /// A task of one of the sessions.
      private struct Key: Hashable {
        let session: ObjectIdentifier
        let number: Int
      }

      private func exchange(_ session: URLSession, _ task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[Key(session: ObjectIdentifier(session), number: task.taskIdentifier)] }
      }

      func begin(_ task: URLSessionTask, in session: URLSession, progress: @escaping @Sendable (_ bytes: Int) -> Void) -> Exchange {
        let exchange = Exchange(task, progress: progress)
        exchanges.withLock { $0[Key(session: ObjectIdentifier(session), number: task.taskIdentifier)] = exchange }
        return exchange
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
      ) {
        exchange(session, task)?.progress(Int(clamping: bytesSent))
      }

      func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
      ) {
        let exchange = exchange(session, dataTask)
        guard exchange?.running.mayContinue() != false else {
          #if !canImport(FoundationNetworking)
            completionHandler(.cancel)
          #endif
          return
        }
        if let exchange, let response = response as? HTTPURLResponse, let parts = exchange.takeParts() {
          var headers: [String: String] = [:]
          for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
          exchange.head.finish(.success(SyncHTTPResponse(status: response.statusCode, headers: headers, body: parts)))
        }
        completionHandler(.allow)
      }

      func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let exchange = exchange(session, dataTask) else { return }
        exchange.running.hasContinued()
        exchange.body.yield(data)
      }

      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let key = Key(session: ObjectIdentifier(session), number: task.taskIdentifier)
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: key) }) else { return }
        exchange.running.isEnding()
        exchange.head.finish(.failure(error ?? URLError(.badServerResponse)))
        if let error { exchange.body.finish(throwing: error) } else { exchange.body.finish() }
      }

      /// The token belongs to one server, so no redirection is followed: the answer is the redirection itself.
      func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
      ) {
        completionHandler(nil)
      }
    }
  }
#endif
