#if SyncServer
  import AlterCore
  import AlterJournal
  import AlterStore
  import AlterSyncCore
  import HTTPTypes
  import Hummingbird
  import HummingbirdCore
  import NIOCore
  import ServiceLifecycle

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // The stream of hints: server-sent events with the heads of journals.
  extension SyncService {
    /// Answers with a stream that sends the head of each journal, first at once, then whenever it changes. A slow reader receives the newest
    /// heads alone.
    func answerLive(_ request: HTTPRequest) async -> Response {
      do {
        let stream = try await liveStream(request)
        telemetry.answered("live", 200, in: .zero)
        return stream
      } catch {
        let response = response(to: error, "live")
        telemetry.answered("live", response.status.code, in: .zero)
        return response
      }
    }

    private func liveStream(_ request: HTTPRequest) async throws -> Response {
      let (identity, token) = try await identityAndToken(of: request)
      guard let items = SyncHTTP.query(request.uri.query ?? "") else {
        throw SyncRefusal(.unprocessableContent, .badEnvelope, "The query is not valid: its percent-encoding is not UTF-8.")
      }
      var (keys, known): ([String], Set<StoreKey>) = ([], [])
      for item in items where item.name == "journal" && known.insert(StoreKey(item.value)).inserted {
        keys.append(item.value)
        guard keys.count <= options.limits.journalsPerStream else {
          throw SyncRefusal(
            .unprocessableContent, .badEnvelope,
            "A stream may have \(options.limits.journalsPerStream) journals. Open another one for the rest.")
        }
      }
      guard !keys.isEmpty else {
        throw SyncRefusal(.unprocessableContent, .badEnvelope, "The query names no journal: 'live?journal=KEY&journal=KEY'.")
      }
      let principal = Principal(identity.principal)
      for key in keys { try await checkAccess(to: key, principal) }
      let news = LiveNews()
      let id: Int
      do throws(LiveStreams.Full) {
        // A followed journal stays open. Half of the places are left for requests about others.
        id = try streams.add(
          to: keys, of: principal.name, limit: options.limits.streamsPerPrincipal, journals: max(1, journals.stores.capacity / 2)
        ) { news.finish() }
      } catch {
        let why =
          switch error {
          case .principal: "The principal has \(options.limits.streamsPerPrincipal) streams, which is the limit."
          case .journals: "This process follows as many journals as it can. Pull from time to time instead."
          case .share: "The principal follows its share of the journals that this process can follow. Pull from time to time instead."
          }
        throw SyncRefusal(.tooManyRequests, .busy(10), why, after: 10)
      }
      // If the response is never written, the stream ends with this object.
      let place = StreamPlace { [streams, keys] in streams.remove(id, to: keys, of: principal.name) }
      let headers: HTTPFields = [
        .contentType: "text/event-stream", .version: "\(SyncMessage.version)", .limits: options.limits.field, .cacheControl: "no-store",
        // Proxies like nginx would collect the events otherwise.
        .accelBuffering: "no",
      ]
      return Response(
        status: .ok, headers: headers,
        body: ResponseBody { [keys] writer in
          self.telemetry.streams(1)
          defer {
            self.telemetry.streams(-1)
            withExtendedLifetime(place) {}
          }
          // The head of the response arrives before the first journal is open.
          try await writer.write(ByteBuffer(string: ":\n\n"))
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await self.send(news, of: keys, to: principal, token, &writer)
          }
          try await writer.finish(nil)
        })
    }

    /// Sends news until the stream ends: the client is gone, the permission has ended, or the service ends.
    private func send(
      _ news: LiveNews, of keys: [String], to principal: Principal, _ token: String, _ writer: inout any ResponseBodyWriter
    ) async throws {
      let following = Task {
        await withTaskGroup(of: Void.self) { group in
          for key in keys { group.addTask { await self.follow(key, into: news) } }
          group.addTask { await self.beat(news) }
          group.addTask { await self.recheck(keys, principal, token, news) }
        }
      }
      defer { following.cancel() }
      for try await _ in news.signals.cancelOnGracefulShutdown() {
        let (hints, isBeat) = news.take()
        var text = isBeat && hints.isEmpty ? ":\n\n" : ""
        for (key, hint) in hints { text += "event: head\ndata: \(Self.line(hint, of: key))\n\n" }
        try await writer.write(ByteBuffer(string: text))
        // Writing an empty part sends nothing, but waits for its turn. So no event is made for a client that has not read the previous one.
        try await writer.write(ByteBuffer())
      }
    }

    private static func line(_ hint: Hint, of key: String) -> String {
      String(decoding: SyncMessage.encode(hint, of: key).dropLast(), as: UTF8.self)
    }

    /// Follows a journal. An error ends the stream: otherwise its heartbeats would hide that nothing is followed. The devices then pull, and open
    /// another one after a pause.
    private func follow(_ key: String, into news: LiveNews) async {
      do {
        // The journal is followed when a request that writes has created it.
        while try await !journals.waitForCreation(of: key, pause: { [options] in try await options.sleep(options.heartbeat * 2) }) {}
        try await journals.with(key) { server in
          var last: Hint?
          while !Task.isCancelled {
            let hint = try await server.hint()
            if hint != last { news.add(hint, of: key) }
            last = hint
            try await self.wait(for: server, after: hint.head.revision)
          }
        }
      } catch {
        guard !Task.isCancelled else { return }
        if let error = error as? JournalError { telemetry.failed(error, during: "live") }
        news.finish()
      }
    }

    /// Waits for an entry, or for two heartbeats: another process may have begun another generation, which is no entry.
    private func wait(for server: JournalServer<State>, after revision: Revision) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.waitForEntry(after: revision) }
        group.addTask { [options] in try await options.sleep(options.heartbeat * 2) }
        defer { group.cancelAll() }
        try await group.next()
      }
    }

    private func beat(_ news: LiveNews) async {
      while (try? await options.sleep(options.heartbeat)) != nil { news.beat() }
    }

    /// Ends the stream when its token or a permission has ended.
    private func recheck(_ keys: [String], _ principal: Principal, _ token: String, _ news: LiveNews) async {
      var expires: Int64?
      while true {
        // The answer of the first check was the stream's start.
        do {
          guard let identity = try await ask({ [authenticator] in try await authenticator.authenticate(token) }),
            identity.principal == principal.name
          else { break }
          expires = identity.expires
          guard expires.map({ $0 > options.now() }) ?? true else { break }
          var isPermitted = true
          for key in keys where isPermitted { isPermitted = try await ask { [policy] in try await policy.mayRead(key, principal.name) } }
          guard isPermitted else { break }
        } catch {
          guard !Task.isCancelled else { return }
          // No answer is not a no.
          telemetry.failed("The permission of a stream could not be checked.", error)
        }
        // Also if nobody can tell now whether the token is still valid.
        let rest = expires.map { $0.subtractingReportingOverflow(options.now()).partialValue } ?? .max
        guard rest > 0 else { break }
        let pause = min(options.recheck, .microseconds(min(rest, 1 << 50)))
        guard (try? await options.sleep(pause)) != nil else { return }
      }
      news.finish()
    }
  }

  /// The news of a stream that were not written: the newest head of each journal.
  final class LiveNews: Sendable {
    private let state = Lock((hints: [StoreKey: Hint](), isBeat: false))
    /// An element for news; several may share one.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    func add(_ hint: Hint, of key: String) {
      state.withLock { $0.hints[StoreKey(key)] = hint }
      continuation.yield()
    }

    func beat() {
      state.withLock { $0.isBeat = true }
      continuation.yield()
    }

    /// Takes the news, by key in order.
    func take() -> (hints: [(String, Hint)], isBeat: Bool) {
      state.withLock { state in
        defer { state = ([:], false) }
        return (state.hints.map { ($0.key.text, $0.value) }.sorted { $0.0 < $1.0 }, state.isBeat)
      }
    }

    func finish() { continuation.finish() }
  }

  /// The place of a stream among those of its principal. It is released when the last reference goes.
  private final class StreamPlace: Sendable {
    private let giveBack: @Sendable () -> Void

    init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
  }

  extension HTTPField.Name {
    static let accelBuffering = Self("X-Accel-Buffering")!
  }
#endif
