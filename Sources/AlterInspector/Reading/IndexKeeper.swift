import AlterCore
import AlterJournal

/// Keeps a ``JournalIndex`` up to date: reads the existing entries backwards, follows new ones, and notifies listeners.
///
/// It runs at most two tasks, until ``end()``: ``follow()`` starts one, and ``begin()`` both. Without them, ``cover(_:)`` reads only as far
/// as requested.
final class IndexKeeper: Sendable {
  /// The progress of the index.
  struct Moment: Sendable, Hashable {
    /// The last known revision of the journal.
    var revision: Int64 = 0
    /// The number of entries in the index.
    var indexed: Int64 = 0
    /// The reason why the journal can no longer be read; nil while it can.
    var gone: String?
  }

  private struct State {
    var index: JournalIndex?
    var gone: String?
    var tasks: [Task<Void, Never>] = []
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastListener = 0
    var follows = false
    var readsAll = false
  }

  private let journal: any Journal
  private let state = Lock(State())

  /// The number of entries that are read at once. It is small enough for a quick answer, and large enough to need few calls.
  private static let pageSize: Int64 = 2_000

  init(_ journal: any Journal) { self.journal = journal }

  deinit { end() }

  /// The present progress.
  var moment: Moment {
    state.withLock { Moment(revision: $0.index?.high ?? 0, indexed: $0.index?.count ?? 0, gone: $0.gone) }
  }

  /// The number of open streams of notifications.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Brings the index up to the journal's head, and queries it. Queries may update its caches.
  ///
  /// - Throws: `JournalError` if the head or the newer entries cannot be read.
  func look<Answer>(_ body: (inout JournalIndex) -> Answer) async throws(JournalError) -> Answer {
    try await start()
    return state.withLock { body(&$0.index!) }
  }

  /// Queries the index as it is; nil before the first ``start()``.
  func peek<Answer>(_ body: (inout JournalIndex) -> Answer) -> Answer? {
    state.withLock { $0.index == nil ? nil : body(&$0.index!) }
  }

  /// Makes sure that the index exists and contains the entries up to the journal's present head.
  ///
  /// - Returns: The head.
  @discardableResult
  func start() async throws(JournalError) -> Head {
    let head = try await journal.head()
    let high = state.withLock { state in
      if state.index == nil { state.index = JournalIndex(at: head.revision) }
      return state.index!.high
    }
    if high < head.revision.number { try await takeNewer(after: high, through: head.revision.number) }
    return head
  }

  /// Reads backwards until the index contains an entry.
  func cover(_ revision: Int64) async throws(JournalError) {
    try await start()
    while try await takeOlder(downTo: revision) {}
  }

  /// Starts to read the whole journal and to follow it, in the background.
  func begin() {
    follow()
    let isFirst = state.withLock { state in
      defer { state.readsAll = true }
      return !state.readsAll
    }
    guard isFirst else { return }
    let older = Task.detached(priority: .utility) { [weak self] in
      do throws(JournalError) {
        try await self?.start()
        while !Task.isCancelled, try await self?.takeOlder(downTo: 1) == true { await Task.yield() }
      } catch { self?.fail(error) }
    }
    state.withLock { $0.tasks.append(older) }
  }

  /// Starts to follow the journal in the background.
  func follow() {
    let isFirst = state.withLock { state in
      defer { state.follows = true }
      return !state.follows
    }
    guard isFirst else { return }
    let newer = Task.detached { [weak self, journal] in
      do throws(JournalError) {
        try await self?.start()
        while let known = self?.moment.revision {
          try await journal.waitForEntry(after: Revision(known))
          try await self?.start()
        }
      } catch { self?.fail(error) }
    }
    state.withLock { $0.tasks.append(newer) }
  }

  /// Ends the background tasks and all streams.
  func end() {
    let (tasks, listeners) = state.withLock { state in
      defer { (state.tasks, state.listeners) = ([], [:]) }
      return (state.tasks, Array(state.listeners.values))
    }
    for task in tasks { task.cancel() }
    for listener in listeners { listener.finish() }
  }

  /// A stream of notifications: one now, and one whenever the progress has changed. Notifications that no listener has consumed are merged
  /// into one.
  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = continuation
      return state.lastListener
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    continuation.yield()
    return stream
  }

  /// Notifies all listeners.
  func announce() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
  }

  private func fail(_ error: JournalError) {
    guard error.code != .cancelled else { return }
    state.withLock { $0.gone = error.description }
    announce()
  }

  /// - Returns: Whether there may be more.
  private func takeOlder(downTo revision: Int64) async throws(JournalError) -> Bool {
    let low = state.withLock { $0.index?.low ?? 0 }
    guard low >= max(revision, 1) else { return false }
    take(try await journal.page(endingAt: low, from: max(1, low.saturatingSubtracting(Self.pageSize - 1))), before: true)
    return true
  }

  private func takeNewer(after known: Int64, through last: Int64) async throws(JournalError) {
    var position = known
    while position < last {
      let end = min(last, position.saturatingAdding(Self.pageSize))
      let page = try await journal.page(position + 1, through: end)
      take(page, before: false)
      position = page.end
    }
  }

  private func take(_ page: Page, before: Bool) {
    // Process readable and unreadable entries in the order of their revisions.
    var entries = page.entries[...]
    var problems = page.problems[...]
    state.withLock { state in
      guard var index = state.index else { return }
      // A second reference to the index would make it copy its arrays.
      state.index = nil
      while true {
        let problem = before ? problems.last : problems.first
        let entry = before ? entries.last : entries.first
        if let problem, entry.map({ before ? $0.revision.number < problem.revision : $0.revision.number > problem.revision }) ?? true {
          index.skip(problem.revision, problem.message)
          if before { problems.removeLast() } else { problems.removeFirst() }
        } else if let entry {
          if before { index.putBefore(entry) } else { index.putAfter(entry) }
          if before { entries.removeLast() } else { entries.removeFirst() }
        } else {
          break
        }
      }
      state.index = index
    }
    announce()
  }
}
