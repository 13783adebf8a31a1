#if SyncServer
  import AlterCore
  import AlterStore
  import AlterSyncCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The open streams of a process, by principal and by journal. One task follows a journal, for all of its streams.
  final class LiveStreams: Sendable {
    /// A journal that streams follow.
    private struct Followed {
      var streams: [Int: LiveStream] = [:]
      /// The task that follows the journal, with its number.
      var task: (number: Int, Task<Void, Never>)?
      /// The last end that was announced.
      var last: Hint?
    }

    private struct Contents {
      var lastID = 0
      var lastTask = 0
      var streams: [Int: LiveStream] = [:]
      var counts: [String: Int] = [:]
      /// The journals that streams follow.
      var keys: [StoreKey: Followed] = [:]
      /// The journals that each principal follows, each with the number of its streams.
      var followed: [String: [StoreKey: Int]] = [:]
      var isEnded = false
    }

    private let contents = Lock(Contents())

    /// The number of open streams.
    var count: Int { contents.withLock { $0.streams.count } }

    /// The open streams.
    var all: [LiveStream] { contents.withLock { Array($0.streams.values) } }

    /// The reason for which there is no place for a stream.
    enum Full: Error {
      /// The principal has too many streams.
      case principal
      /// The streams of the process follow too many journals, each of which they keep open.
      case journals
      /// The principal follows its share of them.
      case share
    }

    /// Adds a stream.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - limit: The number of streams of one principal.
    ///   - journals: The number of journals that all streams together may follow. A principal may follow a quarter of them, and more while as
    ///     many places stay free for others.
    ///   - follow: Follows a journal, and calls ``publish(_:of:)``, until its task is cancelled or it fails.
    /// - Returns: The number of the stream, for ``remove(_:)``.
    func add(
      _ stream: LiveStream, limit: Int, journals: Int, follow: @escaping @Sendable (StoreKey) async -> Void
    ) throws(Full) -> Int {
      let (id, isEnded) = try contents.withLock { contents throws(Full) -> (Int, Bool) in
        let (keys, principal) = (stream.keys, stream.principal.name)
        guard contents.counts[principal, default: 0] < limit else { throw .principal }
        let new = keys.count { contents.keys[$0] == nil }
        guard new == 0 || contents.keys.count + new <= journals else { throw .journals }
        let own = contents.followed[principal, default: [:]]
        let owns = own.count + keys.count { own[$0] == nil }
        guard new == 0 || owns <= max(1, journals / 4, journals - contents.keys.count - new) else { throw .share }
        contents.lastID += 1
        let id = contents.lastID
        contents.counts[principal, default: 0] += 1
        for key in keys {
          contents.followed[principal, default: [:]][key, default: 0] += 1
          var followed = contents.keys[key] ?? Followed()
          followed.streams[id] = stream
          if let last = followed.last { stream.add(JournalNews(last), of: key) }
          if followed.task == nil {
            contents.lastTask += 1
            followed.task = (
              contents.lastTask,
              Task { [number = contents.lastTask] in
                await follow(key)
                self.ended(number, key)
              }
            )
          }
          contents.keys[key] = followed
        }
        contents.streams[id] = stream
        return (id, contents.isEnded)
      }
      if isEnded { stream.finish() }
      return id
    }

    /// Removes a stream.
    func remove(_ id: Int) {
      contents.withLock { contents in
        guard let stream = contents.streams.removeValue(forKey: id) else { return }
        let principal = stream.principal.name
        contents.counts[principal, default: 1] -= 1
        defer { if contents.counts[principal] == 0 { (contents.counts[principal], contents.followed[principal]) = (nil, nil) } }
        for key in stream.keys {
          contents.keys[key]?.streams[id] = nil
          if contents.keys[key]?.streams.isEmpty == true { contents.keys.removeValue(forKey: key)?.task?.1.cancel() }
          contents.followed[principal]?[key, default: 1] -= 1
          if contents.followed[principal]?[key] == 0 { contents.followed[principal]?[key] = nil }
        }
      }
    }

    /// Passes the end of a journal to its streams, unless they were told it, or a later one.
    func begin(at end: Hint, of key: StoreKey) {
      contents.withLock { contents in
        if let last = contents.keys[key]?.last, last.generation == end.generation, last.head.revision >= end.head.revision { return }
        Self.publish(JournalNews(end), of: key, in: &contents)
      }
    }

    /// Passes news to the streams of a journal.
    func publish(_ news: JournalNews, of key: StoreKey) {
      // Under the lock, so that the order of the news stays.
      contents.withLock { Self.publish(news, of: key, in: &$0) }
    }

    private static func publish(_ news: JournalNews, of key: StoreKey, in contents: inout Contents) {
      contents.keys[key]?.last = news.hint
      guard let streams = contents.keys[key]?.streams.values else { return }
      for stream in streams { stream.add(news, of: key) }
    }

    /// The following of a journal has failed: its streams end, because their heartbeats would hide that nothing is followed. The devices
    /// then pull, and open other ones after a pause.
    private func ended(_ number: Int, _ key: StoreKey) {
      let streams: [LiveStream] = contents.withLock { contents in
        guard contents.keys[key]?.task?.number == number else { return [] }
        contents.keys[key]?.task = nil
        contents.keys[key]?.last = nil
        return contents.keys[key]?.streams.values.map { $0 } ?? []
      }
      for stream in streams { stream.finish() }
    }

    /// Ends all streams, and each later one at once.
    func endAll() {
      let streams = contents.withLock { contents in
        contents.isEnded = true
        return Array(contents.streams.values)
      }
      for stream in streams { stream.finish() }
    }
  }

  /// An open stream, with the news that were not written.
  final class LiveStream: Sendable {
    /// The news of a journal.
    struct Event {
      let key: StoreKey
      let hint: Hint
      /// The lines of the entries from the end that the stream was told before to the one of the hint; none if they are not known.
      let entries: [Data]
    }

    private struct State {
      /// The news of each journal that were not written: the newest, or several of which each begins where the one before ends.
      var news: [StoreKey: [JournalNews]] = [:]
      /// The bytes of their entries.
      var bytes = 0
      /// The ends that were told.
      var told: [StoreKey: Hint] = [:]
      var isBeat = false
      var expires: Int64?
    }

    /// The bytes of entries that wait for a slow reader. Beyond them it receives the newest heads alone.
    private static let most = 16 << 10

    let keys: Set<StoreKey>
    let principal: Principal
    let token: String
    /// Whether the client takes entries.
    let takesEntries: Bool
    private let state: Lock<State>
    /// An element for news; several may share one.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// - Parameter expires: The end of the token, in microseconds since 1970 UTC; nil for none.
    init(_ keys: Set<StoreKey>, _ principal: Principal, token: String, expires: Int64?, takesEntries: Bool) {
      (self.keys, self.principal, self.token, self.takesEntries) = (keys, principal, token, takesEntries)
      state = Lock(State(expires: expires))
      (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The end of the token, in microseconds since 1970 UTC; nil for none.
    var expires: Int64? {
      get { state.withLock { $0.expires } }
      set { state.withLock { $0.expires = newValue } }
    }

    /// Adds the news of a journal.
    func add(_ news: JournalNews, of key: StoreKey) {
      state.withLock { state in
        let size = takesEntries ? news.size : 0
        if let last = state.news[key]?.last, size > 0, news.before == last.hint.head, state.bytes + size <= Self.most {
          state.news[key]?.append(news)
        } else {
          state.bytes -= state.news[key]?.reduce(0) { $0 + $1.size } ?? 0
          state.news[key] = [takesEntries && state.bytes + size <= Self.most ? news : JournalNews(news.hint)]
        }
        if state.news[key]?.last?.before != nil { state.bytes += size }
      }
      continuation.yield()
    }

    func beat() {
      state.withLock { $0.isBeat = true }
      continuation.yield()
    }

    /// Takes the news, by key in order.
    func take() -> (events: [Event], isBeat: Bool) {
      state.withLock { state in
        let events = state.news.sorted { $0.key.text < $1.key.text }.compactMap { key, news -> Event? in
          guard let first = news.first, let hint = news.last?.hint else { return nil }
          defer { state.told[key] = hint }
          let isNext = first.before != nil && state.told[key].map { $0.generation == hint.generation && $0.head == first.before } ?? false
          return Event(key: key, hint: hint, entries: isNext ? news.flatMap(\.entries) : [])
        }
        defer { (state.news, state.bytes, state.isBeat) = ([:], 0, false) }
        return (events, state.isBeat)
      }
    }

    func finish() { continuation.finish() }
  }
#endif
