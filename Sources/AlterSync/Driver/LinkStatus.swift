#if SQLite
  import AlterCore
  import AlterSyncCore

  /// The last status of a link, and the streams that report it.
  final class LinkStatus: Sendable {
    private struct State {
      var link: SyncLink?
      var lastID = 0
      var streams: [Int: AsyncStream<SyncLink>.Continuation] = [:]
      var isFinished = false
    }

    private let state = Lock(State())

    /// The last status; nil before the first one.
    var link: SyncLink? { state.withLock { $0.link } }

    /// A stream that begins with the present status. A slow reader receives the newest status alone.
    func stream() -> AsyncStream<SyncLink> {
      let (stream, continuation) = AsyncStream.makeStream(of: SyncLink.self, bufferingPolicy: .bufferingNewest(1))
      let id: Int? = state.withLock { state in
        if let link = state.link { continuation.yield(link) }
        guard !state.isFinished else { return nil }
        state.lastID += 1
        state.streams[state.lastID] = continuation
        return state.lastID
      }
      guard let id else {
        continuation.finish()
        return stream
      }
      continuation.onTermination = { [weak self] _ in self?.forget(id) }
      return stream
    }

    private func forget(_ id: Int) { _ = state.withLock { $0.streams.removeValue(forKey: id) } }

    /// Forgets the status: another process of the device talks now. The streams report only the next one.
    func forget() { state.withLock { $0.link = nil } }

    /// Reports a status. Under the lock, so that two reports cannot change their order; no code of a reader runs here.
    func report(_ link: SyncLink) {
      state.withLock { state in
        state.link = link
        for stream in state.streams.values { stream.yield(link) }
      }
    }

    /// Ends all streams.
    func finish() {
      let streams = state.withLock { state in
        defer { state.streams = [:] }
        (state.link, state.isFinished) = (nil, true)
        return Array(state.streams.values)
      }
      for stream in streams { stream.finish() }
    }
  }
#endif
