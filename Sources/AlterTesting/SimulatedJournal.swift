public import AlterCore
public import AlterJournal

/// A journal whose calls go wrong as a test has written it down.
///
/// ```swift
/// let journal = SimulatedJournal(MemoryJournal(), appends: [.pass, .loseAnswer, .hold])
/// …                                // the first append passes, the second is written but its answer is lost
/// await journal.waitUntilHeld()    // the third has arrived and waits
/// journal.release()
/// ```
///
/// Calls are counted as they arrive. What is not written down passes.
public final class SimulatedJournal: Journal {
  /// What becomes of one call.
  public enum Fault: Sendable, Hashable {
    /// It goes through.
    case pass
    /// It throws, and the journal never hears of it: nothing is written.
    case fail(JournalError)
    /// It goes through, and then throws `unknownOutcome` instead of its answer: an append is written.
    case loseAnswer
    /// It waits until ``SimulatedJournal/release()``, and then goes through.
    case hold
  }

  private struct Script {
    var queue: [Fault] = []
    var decide: (@Sendable (Int) -> Fault)?
    var count = 0

    mutating func next() -> Fault {
      count += 1
      return queue.isEmpty ? decide?(count) ?? .pass : queue.removeFirst()
    }
  }

  private struct State {
    var appends: Script
    var reads: Script
    var leases = Script()
    var held: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let base: any Journal
  private let state: Lock<State>

  /// A journal that does what another does, but for the faults.
  ///
  /// - Parameters:
  ///   - base: The journal behind it.
  ///   - appends: What becomes of the first appends, in order.
  ///   - reads: What becomes of the first reads (`head`, `entries` and `entry`), in order.
  public init(_ base: any Journal, appends: [Fault] = [], reads: [Fault] = []) {
    self.base = base
    state = Lock(State(appends: Script(queue: appends), reads: Script(queue: reads)))
  }

  /// A journal that does what another does, but for the faults that closures decide on.
  ///
  /// - Parameters:
  ///   - base: The journal behind it.
  ///   - onAppend: Decides about the n-th append; n is 1 for the first.
  ///   - onRead: Decides about the n-th read (`head`, `entries` or `entry`).
  public init(
    _ base: any Journal, onAppend: @escaping @Sendable (Int) -> Fault, onRead: @escaping @Sendable (Int) -> Fault = { _ in .pass }
  ) {
    self.base = base
    state = Lock(State(appends: Script(decide: onAppend), reads: Script(decide: onRead)))
  }

  // MARK: The script

  /// Adds to what becomes of the next leases that are asked for.
  public func nextLeases(_ faults: Fault...) { state.withLock { $0.leases.queue += faults } }

  /// Adds to what becomes of the next appends.
  public func nextAppends(_ faults: Fault...) { state.withLock { $0.appends.queue += faults } }

  /// Adds to what becomes of the next reads.
  public func nextReads(_ faults: Fault...) { state.withLock { $0.reads.queue += faults } }

  /// How many appends have arrived.
  public var appendCount: Int { state.withLock { $0.appends.count } }

  /// How many reads have arrived.
  public var readCount: Int { state.withLock { $0.reads.count } }

  /// How many calls are held at the moment.
  public var heldCount: Int { state.withLock { $0.held.count } }

  /// Lets every held call go on.
  public func release() {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  /// Returns as soon as so many calls are held.
  ///
  /// - Parameter count: How many.
  public func waitUntilHeld(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        if state.held.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isHeld { continuation.resume() }
    }
  }

  private func hold() async {
    await withCheckedContinuation { continuation in
      let satisfied = state.withLock { state in
        state.held.append(continuation)
        let count = state.held.count
        defer { state.watchers.removeAll { $0.count <= count } }
        return state.watchers.filter { $0.count <= count }.map(\.continuation)
      }
      for watcher in satisfied { watcher.resume() }
    }
  }

  private func carryOut<Answer>(
    _ fault: Fault, _ call: () async throws(JournalError) -> Answer
  ) async throws(JournalError) -> Answer {
    switch fault {
    case .pass: return try await call()
    case .fail(let error): throw error
    case .loseAnswer:
      _ = try await call()
      throw JournalError(
        .unknownOutcome, journal: name,
        message: "gave no answer: it may or may not have done what was asked. Ask again with the same drafts.")
    case .hold:
      await hold()
      return try await call()
    }
  }

  // MARK: The journal

  /// The name of the journal behind it.
  public var name: String { base.name }

  /// A read, to which a fault may happen.
  public func head() async throws(JournalError) -> Head {
    try await carryOut(state.withLock { $0.reads.next() }) { () async throws(JournalError) in try await base.head() }
  }

  /// A read, to which a fault may happen.
  public func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    try await carryOut(state.withLock { $0.reads.next() }) { () async throws(JournalError) in
      try await base.entries(after: revision, limit: limit)
    }
  }

  /// A read, to which a fault may happen.
  public func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
    try await carryOut(state.withLock { $0.reads.next() }) { () async throws(JournalError) in try await base.entry(id) }
  }

  /// An append, to which a fault may happen.
  public func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError)
    -> Appended
  {
    try await carryOut(state.withLock { $0.appends.next() }) { () async throws(JournalError) in
      try await base.append(drafts, after: head, in: turn, under: leases)
    }
  }

  /// The turn of the journal behind it; no fault happens to it.
  public func takeTurn() async throws(JournalError) -> Turn { try await base.takeTurn() }

  /// The wait of the journal behind it; no fault happens to it.
  public func waitForEntry(after revision: Revision) async throws(JournalError) { try await base.waitForEntry(after: revision) }

  /// A lease, to which a fault may happen.
  public func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    try await carryOut(state.withLock { $0.leases.next() }) { () async throws(JournalError) in
      try await base.lease(name, for: holder, lasting: duration)
    }
  }

  /// Gives the lease back to the journal behind it.
  public func release(_ lease: Lease) async throws(JournalError) { try await base.release(lease) }

  /// The leases of the journal behind it.
  public func leases() async throws(JournalError) -> [Lease] { try await base.leases() }

  /// Keeps the snapshot in the journal behind it; no fault happens to it.
  public func keep(_ snapshot: Snapshot) async throws(JournalError) { try await base.keep(snapshot) }

  /// The snapshots of the journal behind it.
  public func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
    try await base.snapshots(upTo: revision, limit: limit)
  }

  /// The snapshot of the journal behind it.
  public func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? { try await base.snapshot(at: revision) }

  /// Removes a snapshot of the journal behind it.
  public func removeSnapshot(at revision: Revision) async throws(JournalError) { try await base.removeSnapshot(at: revision) }

  /// Checks the storage of the journal behind it.
  public func verifyStorage() async throws(JournalError) { try await base.verifyStorage() }

  /// Lets held calls go on, and closes the journal behind it.
  public func close() async {
    release()
    await base.close()
  }
}
