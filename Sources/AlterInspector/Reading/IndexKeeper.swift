import AlterCore
import AlterJournal

/// Keeps a ``JournalIndex`` up to date: reads the existing entries backwards, follows new ones, and notifies listeners.
///
/// It runs at most three tasks, until ``end()``: ``follow()`` starts two, and ``begin()`` all. Without them, ``cover(_:)`` reads only as far
/// as requested.
final class IndexKeeper: Sendable {
  /// The progress of the index.
  struct Moment: Sendable, Hashable {
    /// The last known revision of the journal.
    var revision: Int64 = 0
    /// The last revision that the journal does not have; 0 for a whole journal.
    var floor: Int64 = 0
    /// The number of entries in the index.
    var indexed: Int64 = 0
    /// The number of the last known transaction of a device's file; 0 for any other journal.
    var transactions: Int64 = 0
    /// The reason why the journal can no longer be read; nil while it can.
    var gone: String?
  }

  /// The place where the journal begins, with the number of times that a device's copy has begun again. Another one makes another index.
  private struct Beginning: Hashable {
    var floor: Int64 = 0
    var starts: Int64 = 0
    var isDevice = false
  }

  private struct State {
    var index: JournalIndex?
    var ground = Beginning()
    var transactions: Int64 = 0
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
    state.withLock {
      Moment(
        revision: $0.index?.high ?? 0, floor: $0.ground.floor, indexed: $0.index?.count ?? 0, transactions: $0.transactions, gone: $0.gone)
    }
  }

  /// The last known floor of the journal: the last revision that it does not have; 0 for a whole journal.
  var floor: Int64 { state.withLock { $0.ground.floor } }

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
    // A device's copy may begin again while it is read. The next attempt knows the new floor.
    for _ in 0..<10 {
      let head = try await journal.head()
      let (ground, transactions) = try await ground()
      guard head.revision.number >= ground.floor else { continue }
      let high = state.withLock { state in
        state.transactions = transactions
        if state.index == nil || state.ground != ground || ground.isDevice && state.index!.high > head.revision.number {
          state.index = JournalIndex(at: head.revision)
          state.ground = ground
        }
        return state.index!.high
      }
      guard high < head.revision.number else { return head }
      do throws(JournalError) {
        try await takeNewer(after: high, through: head.revision.number)
        return head
      } catch { guard error.code == .noSuchRevision, try await self.ground().ground != ground else { throw error } }
    }
    throw JournalError(.unavailable, journal: journal.name, message: "begins again and again, so it could not be read. Try again.")
  }

  private func ground() async throws(JournalError) -> (ground: Beginning, transactions: Int64) {
    let floor = try await journal.floor()?.revision.number ?? 0
    // A damaged row of the device must not prevent reading the entries.
    guard let journal = journal.capabilities.device, let moment = try? await journal.deviceMoment() else {
      return (Beginning(floor: floor), 0)
    }
    return (Beginning(floor: floor, starts: moment.starts, isDevice: true), moment.transactions)
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
    // The outbox of a device's file changes without new entries, and its mirror may begin again.
    let transactions = Task.detached { [weak self, journal] in
      do throws(JournalError) {
        guard let device = journal.capabilities.device, try await device.deviceMoment() != nil else { return }
        try await self?.start()
        while let known = self?.moment.transactions {
          try await device.waitForTransaction(after: known)
          try await self?.start()
          while self?.state.withLock({ $0.readsAll }) == true, try await self?.takeOlder(downTo: 1) == true {}
          self?.announce()
        }
      } catch { self?.fail(error) }
    }
    state.withLock { $0.tasks += [newer, transactions] }
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
    let (low, ground) = state.withLock { ($0.index?.low ?? 0, $0.ground) }
    guard low > ground.floor, low >= max(revision, 1) else { return false }
    do throws(JournalError) {
      take(try await journal.page(endingAt: low, from: max(ground.floor + 1, low.saturatingSubtracting(Self.pageSize - 1))), before: true)
    } catch {
      guard error.code == .noSuchRevision, try await self.ground().ground != ground else { throw error }
      try await start()
    }
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
