public import AlterCore
public import AlterJournal

/// A journal that injects failures into the calls of another journal, as a test specifies them.
///
/// ```swift
/// let journal = SimulatedJournal(MemoryJournal(), appends: [.pass, .loseAnswer, .hold])
/// …                                // the first append passes, the second is written but its answer is lost
/// await journal.waitUntilHeld()    // the third has arrived and waits
/// journal.release()
/// ```
///
/// Calls are counted in the order of their arrival. Calls without a specified fault pass.
public final class SimulatedJournal: Journal, ForwardingCompaction {
  /// The fate of one call.
  public enum Fault: Sendable, Hashable {
    /// The call passes.
    case pass
    /// The call throws this error without reaching the journal: nothing is written.
    case fail(JournalError)
    /// The call passes, and then throws `unknownOutcome` instead of returning: an append is written.
    case loseAnswer
    /// The call waits until ``SimulatedJournal/release()``, and then passes.
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

  package let base: any Journal
  private let state: Lock<State>

  /// Creates a journal with lists of faults.
  ///
  /// - Parameters:
  ///   - base: The journal that carries out the calls.
  ///   - appends: The faults of the first appends, in order.
  ///   - reads: The faults of the first reads (`head`, `entries` and `entry`), in order.
  public init(_ base: any Journal, appends: [Fault] = [], reads: [Fault] = []) {
    self.base = base
    state = Lock(State(appends: Script(queue: appends), reads: Script(queue: reads)))
  }

  /// Creates a journal with closures that decide on the faults.
  ///
  /// - Parameters:
  ///   - base: The journal that carries out the calls.
  ///   - onAppend: Returns the fault of the n-th append; n is 1 for the first.
  ///   - onRead: Returns the fault of the n-th read (`head`, `entries` or `entry`).
  package init(
    _ base: any Journal, onAppend: @escaping @Sendable (Int) -> Fault, onRead: @escaping @Sendable (Int) -> Fault = { _ in .pass }
  ) {
    self.base = base
    state = Lock(State(appends: Script(decide: onAppend), reads: Script(decide: onRead)))
  }

  // MARK: The script

  /// Adds faults for the next lease requests.
  package func nextLeases(_ faults: Fault...) { state.withLock { $0.leases.queue += faults } }

  /// Adds faults for the next appends.
  public func nextAppends(_ faults: Fault...) { state.withLock { $0.appends.queue += faults } }

  /// Adds faults for the next reads.
  package func nextReads(_ faults: Fault...) { state.withLock { $0.reads.queue += faults } }

  /// The number of appends so far.
  package var appendCount: Int { state.withLock { $0.appends.count } }

  /// The number of reads so far.
  package var readCount: Int { state.withLock { $0.reads.count } }

  /// The number of calls that are held now.
  package var heldCount: Int { state.withLock { $0.held.count } }

  /// Lets all held calls continue.
  public func release() {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  /// Waits until at least this number of calls are held.
  ///
  /// - Parameter count: The number; 1 by default.
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
        message: "gave no answer: the outcome is unknown. Retry with the same drafts.")
    case .hold:
      await hold()
      return try await call()
    }
  }

  // MARK: The journal

  /// The name of the underlying journal.
  public var name: String { base.name }

  /// Returns the head; counts as a read.
  public func head() async throws(JournalError) -> Head {
    try await carryOut(state.withLock { $0.reads.next() }) { () async throws(JournalError) in try await base.head() }
  }

  /// Returns entries; counts as a read.
  public func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    try await carryOut(state.withLock { $0.reads.next() }) { () async throws(JournalError) in
      try await base.entries(after: revision, limit: limit)
    }
  }

  /// Returns an entry; counts as a read.
  public func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
    try await carryOut(state.withLock { $0.reads.next() }) { () async throws(JournalError) in try await base.entry(id) }
  }

  /// Appends drafts; counts as an append.
  public func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError)
    -> Appended
  {
    try await carryOut(state.withLock { $0.appends.next() }) { () async throws(JournalError) in
      try await base.append(drafts, after: head, in: turn, under: leases)
    }
  }

  /// Takes a turn in the underlying journal, without faults.
  public func takeTurn() async throws(JournalError) -> Turn { try await base.takeTurn() }

  /// The role of the base journal.
  public func role() async throws(JournalError) -> JournalRole { try await base.role() }

  /// The floor of the base journal.
  public func floor() async throws(JournalError) -> Head? { try await base.floor() }

  /// Waits in the underlying journal, without faults.
  public func waitForEntry(after revision: Revision) async throws(JournalError) { try await base.waitForEntry(after: revision) }

  /// Requests a lease.
  public func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    try await carryOut(state.withLock { $0.leases.next() }) { () async throws(JournalError) in
      try await base.lease(name, for: holder, lasting: duration)
    }
  }

  /// Releases the lease in the underlying journal, without faults.
  public func release(_ lease: Lease) async throws(JournalError) { try await base.release(lease) }

  /// Returns the leases of the underlying journal, without faults.
  public func leases() async throws(JournalError) -> [Lease] { try await base.leases() }

  /// Keeps the snapshot in the underlying journal, without faults.
  public func keep(_ snapshot: Snapshot) async throws(JournalError) { try await base.keep(snapshot) }

  /// Returns the snapshots of the underlying journal, without faults.
  public func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
    try await base.snapshots(upTo: revision, limit: limit)
  }

  /// Returns a snapshot of the underlying journal, without faults.
  public func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? { try await base.snapshot(at: revision) }

  /// Removes a snapshot of the underlying journal, without faults.
  public func removeSnapshot(at revision: Revision) async throws(JournalError) { try await base.removeSnapshot(at: revision) }

  /// Verifies the storage of the underlying journal, without faults.
  public func verifyStorage() async throws(JournalError) { try await base.verifyStorage() }

  /// Lets held calls continue, and closes the underlying journal.
  public func close() async {
    release()
    await base.close()
  }
}
