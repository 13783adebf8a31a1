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
        // In a task of its own: the connection's task keeps the memory of its deepest call for as long as the stream lasts.
        let stream = try await Task { try await self.liveStream(request) }.value
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
      let stream = LiveStream(
        known, principal, token: token, expires: identity.expires, takesEntries: items.contains { $0.name == "entries" && $0.value == "1" })
      let id: Int
      do throws(LiveStreams.Full) {
        // A followed journal stays open. Half of the places are left for requests about others.
        id = try streams.add(
          stream, limit: options.limits.streamsPerPrincipal, journals: max(1, journals.stores.capacity / 2)
        ) { [weak self] key in await self?.follow(key) }
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
      let place = StreamPlace { [weak self, streams] in
        streams.remove(id)
        self?.stopClocks()
      }
      keepTime(of: stream)
      let headers: HTTPFields = [
        .contentType: "text/event-stream", .version: "\(SyncMessage.version)", .limits: options.limits.field, .cacheControl: "no-store",
        // Proxies like nginx would collect the events otherwise.
        .accelBuffering: "no",
      ]
      return Response(
        status: .ok, headers: headers,
        body: ResponseBody { writer in
          self.telemetry.streams(1)
          defer {
            self.telemetry.streams(-1)
            withExtendedLifetime(place) {}
          }
          // The head of the response arrives before the first journal is open.
          try await writer.write(ByteBuffer(string: ":\n\n"))
          try await request.body.consumeWithCancellationOnInboundClose { _ in try await self.send(stream, &writer) }
          try await writer.finish(nil)
        })
    }

    /// Sends news until the stream ends: the client is gone, the permission has ended, or the service ends.
    private func send(_ stream: LiveStream, _ writer: inout any ResponseBodyWriter) async throws {
      for try await _ in stream.signals.cancelOnGracefulShutdown() {
        let (events, isBeat) = stream.take()
        var text = isBeat && events.isEmpty ? ByteBuffer(string: ":\n\n") : ByteBuffer()
        for event in events {
          text.writeString("event: head\n")
          text.writeBytes(Self.dataStart + SyncMessage.encode(event.hint, of: event.key.text))
          if !event.entries.isEmpty, await mayRead(event.key, stream) {
            for line in event.entries { text.writeBytes(Self.dataStart + line) }
          }
          text.writeString("\n")
        }
        try await writer.write(text)
        // Writing an empty part sends nothing, but waits for its turn. So no event is made for a client that has not read the previous one.
        try await writer.write(ByteBuffer())
      }
    }

    private static var dataStart: Data { Data("data: ".utf8) }

    /// Asks for the permission to send entries, as a pull does. Without an answer the stream has the hint alone.
    private func mayRead(_ key: StoreKey, _ stream: LiveStream) async -> Bool {
      let name = stream.principal.name
      let identity = try? await ask { [authenticator] in try await authenticator.authenticate(stream.token) }
      guard let identity = identity ?? nil, identity.principal == name, identity.expires.map({ $0 > options.now() }) ?? true else {
        return false
      }
      return (try? await ask { [policy] in try await policy.mayRead(key.text, name) }) ?? false
    }

    /// Follows a journal. An error ends its streams.
    private func follow(_ key: StoreKey) async {
      do {
        // The journal is followed when a request that writes has created it.
        while try await !journals.waitForCreation(of: key.text, pause: { [options] in try await options.sleep(options.heartbeat * 2) }) {}
        try await journals.with(key.text) { server in
          while !Task.isCancelled {
            // Before these streams, the server may have announced this end to others, or to nobody.
            self.streams.begin(at: try await server.announceEnd(), of: key)
            try await self.wait(for: server)
          }
        }
      } catch {
        if !Task.isCancelled, let error = error as? JournalError { telemetry.failed(error, during: "live") }
      }
    }

    /// Waits for an entry of others, or for two heartbeats: another process may have begun another generation, which is no entry.
    private func wait(for server: JournalServer<State>) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.waitForNews() }
        group.addTask { [options] in try await options.sleep(options.heartbeat * 2) }
        defer { group.cancelAll() }
        try await group.next()
      }
    }

    // MARK: - Times

    /// Begins the heartbeats and the checks of all streams, unless they have begun, and takes the end of a stream's token into account.
    private func keepTime(of stream: LiveStream) {
      clocks.withLock { clocks in
        if clocks.beat == nil { clocks.beat = Task { await self.beat() } }
        if clocks.recheck == nil { clocks.recheck = Task { await self.recheck() } }
      }
      watchExpiry(at: stream.expires)
    }

    /// Ends the heartbeats and the checks after the last stream.
    private func stopClocks() {
      clocks.withLock { clocks in
        guard streams.count == 0 else { return }
        for task in [clocks.beat, clocks.recheck, clocks.expiry?.task] { task?.cancel() }
        clocks = Clocks()
      }
    }

    private func beat() async {
      while (try? await options.sleep(options.heartbeat)) != nil {
        for (place, stream) in streams.all.enumerated() {
          // In parts: a request must not wait for thousands of heartbeats.
          if place % 100 == 99 { try? await options.sleep(.milliseconds(10)) }
          stream.beat()
        }
      }
    }

    private func recheck() async {
      while (try? await options.sleep(options.recheck)) != nil { await check(streams.all) }
    }

    /// Checks the streams whose token ends at a time, unless an earlier end is awaited.
    private func watchExpiry(at end: Int64?) {
      guard let end else { return }
      clocks.withLock { clocks in
        guard end < clocks.expiry?.end ?? .max else { return }
        clocks.expiry?.task.cancel()
        clocks.expiry = (end, Task { await self.expire(at: end) })
      }
    }

    private func expire(at end: Int64) async {
      let rest = end.subtractingReportingOverflow(options.now()).partialValue
      guard (try? await options.sleep(.microseconds(min(max(rest, 0), 1 << 50)))) != nil else { return }
      clocks.withLock { if $0.expiry?.end == end { $0.expiry = nil } }
      let now = options.now()
      await check(streams.all.filter { $0.expires.map { $0 <= now } ?? false })
      // Those that have ended stay in the list until the connection has noticed it.
      watchExpiry(at: streams.all.compactMap(\.expires).filter { $0 > now }.min())
    }

    private func check(_ streams: [LiveStream]) async {
      await withTaskGroup(of: Void.self) { group in
        for (place, stream) in streams.enumerated() {
          // A policy that does not answer keeps so many tasks waiting.
          if place >= 1_000 { await group.next() }
          group.addTask { await self.check(stream) }
        }
      }
    }

    /// Ends a stream when its token or a permission has ended.
    private func check(_ stream: LiveStream) async {
      let name = stream.principal.name
      do {
        guard let identity = try await ask({ [authenticator] in try await authenticator.authenticate(stream.token) }),
          identity.principal == name
        else { return stream.finish() }
        stream.expires = identity.expires
        guard identity.expires.map({ $0 > options.now() }) ?? true else { return stream.finish() }
        for key in stream.keys {
          guard try await ask({ [policy] in try await policy.mayRead(key.text, name) }) else { return stream.finish() }
        }
      } catch {
        guard !Task.isCancelled else { return }
        // No answer is not a no.
        telemetry.failed("The permission of a stream could not be checked.", error)
      }
      // Also if nobody can tell now whether the token is still valid.
      guard stream.expires.map({ $0 > options.now() }) ?? true else { return stream.finish() }
      watchExpiry(at: stream.expires)
    }
  }

  /// The tasks that keep the times of all streams of a service.
  struct Clocks {
    var beat: Task<Void, Never>?
    var recheck: Task<Void, Never>?
    /// The wait for the earliest end of a token.
    var expiry: (end: Int64, task: Task<Void, Never>)?
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
