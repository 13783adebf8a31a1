#if SQLite
  import Alter
  import AlterSync
  import AlterSyncCore
  import AlterTesting
  import Foundation
  import SyncModel

  /// A server for drivers: a ``DeskServer`` behind transports that a test can slow down, break and watch.
  final class TestServer: Sendable {
    /// The treatment of the next requests.
    enum Mode: Sendable, Equatable {
      case online
      /// Each request fails at once.
      case offline
      /// Requests are not answered, until they are cancelled. As some system calls, they ignore that, too.
      case silent
      /// The request is performed, and its answer is lost.
      case losing
      /// The token is rejected until it is refreshed.
      case expired
    }

    private struct State {
      var server: DeskServer
      var mode = Mode.online
      var requests: [Request] = []
      var refreshes = 0
      var streams: [AsyncThrowingStream<Announcement, any Error>.Continuation] = []
      /// The calls that stay without an answer.
      var stuck: [CheckedContinuation<Void, Never>] = []
      var reasons: [EntryID: String] = [:]
    }

    private let state: Lock<State>

    init(_ server: DeskServer = DeskServer()) { state = Lock(State(server: server)) }

    deinit { state.withLock { state in for call in state.stuck { call.resume() } } }

    var database: Ledger<ServedDesk> { state.withLock { $0.server.database } }
    var requests: [Request] { state.withLock { $0.requests } }
    var pushes: Int { requests.filter { if case .push = $0.body { true } else { false } }.count }
    var refreshes: Int { state.withLock { $0.refreshes } }
    var openStreams: Int { state.withLock { $0.streams.count } }

    func set(_ mode: Mode) { state.withLock { $0.mode = mode } }

    /// The reasons that the server states for refusals.
    func state(_ reasons: [EntryID: String]) { state.withLock { $0.reasons = reasons } }

    /// Ends all streams, as a proxy does.
    func endStreams() {
      let streams = state.withLock { state in
        defer { state.streams = [] }
        return state.streams
      }
      for stream in streams { stream.finish() }
    }

    /// - Parameter announcing: Selects those of the new entries that the stream brings along.
    func change(announcing select: @Sendable ([SyncEntry]) -> [SyncEntry] = { _ in [] }, _ body: @Sendable (inout DeskServer) -> Void) {
      let (streams, hint, entries) = state.withLock { state in
        let before = state.server.database.head.revision
        body(&state.server)
        let database = state.server.database
        let new = database.entries(after: before, limit: .max)
        return (state.streams, Hint(database.lineage.generation, database.head), new)
      }
      for stream in streams { stream.yield(.hint(hint, entries: select(entries))) }
    }

    fileprivate func exchange(_ request: Request, token: Principal) async throws -> Answer {
      let mode = state.withLock { state in
        state.requests.append(request)
        return state.mode
      }
      switch mode {
      case .offline: throw CancellationError()
      case .silent:
        await withCheckedContinuation { continuation in state.withLock { $0.stuck.append(continuation) } }
        throw CancellationError()
      case .expired: return .unauthorised
      case .online, .losing: break
      }
      guard token == request.principal else { return .forbidden }
      let (answer, streams, hint) = state.withLock { state in
        let before = state.server.database.head
        let answer = state.server.answer(request)
        let head = state.server.database.head
        let hint = head == before ? nil : Hint(state.server.database.lineage.generation, head)
        return (answer, state.streams, hint)
      }
      if let hint { for stream in streams { stream.yield(.hint(hint)) } }
      if mode == .losing { throw CancellationError() }
      guard case .page(var page) = answer else { return answer }
      page.reasons = state.withLock { $0.reasons }
      return .page(page)
    }

    fileprivate func announcements() throws -> AsyncThrowingStream<Announcement, any Error> {
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Announcement.self, bufferingPolicy: .bufferingNewest(1))
      try state.withLock { state in
        guard state.mode != .offline else { throw CancellationError() }
        state.streams.append(continuation)
        continuation.yield(.hint(Hint(state.server.database.lineage.generation, state.server.database.head)))
      }
      return stream
    }

    fileprivate func refresh() {
      state.withLock { state in
        state.refreshes += 1
        state.mode = .online
      }
    }
  }

  /// The transport of one process, with the token of a user.
  struct TestTransport: SyncTransport {
    let server: TestServer
    var user = Principal("ann")

    func exchange(
      _ request: Request, reporting report: SyncHTTP.OutboxReport?, progress: @escaping @Sendable (_ bytes: Int) -> Void
    ) async throws -> Answer { try await server.exchange(request, token: user) }
    func announcements() async throws -> AsyncThrowingStream<Announcement, any Error> { try server.announcements() }
    func refreshToken() async throws { server.refresh() }
  }
#endif
