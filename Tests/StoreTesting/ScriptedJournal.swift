package import AlterCore
package import AlterJournal
import AlterTesting

/// A journal whose calls a test observes, delays, refuses or answers itself. It forwards all other calls to its base journal.
///
/// ```swift
/// let journal = ScriptedJournal(MemoryJournal())
/// journal.onNext(.append) { _ in try await other.change(.add(1)).durable() }   // another writer is faster
/// journal.fail(.wait, with: JournalError(.unavailable, journal: "memory", message: "is away."))
/// …
/// #expect(journal.count(.append) == 2 && journal.entriesRead < 100)
/// ```
///
/// `SimulatedJournal` has the faults of an app's tests: failed appends and reads, lost answers, held calls. This journal has the rest.
package final class ScriptedJournal: ForwardingJournal {
  /// Kinds of calls.
  package struct Calls: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let head = Calls(rawValue: 1 << 0)
    package static let floor = Calls(rawValue: 1 << 1)
    package static let entries = Calls(rawValue: 1 << 2)
    package static let entry = Calls(rawValue: 1 << 3)
    package static let append = Calls(rawValue: 1 << 4)
    package static let turn = Calls(rawValue: 1 << 5)
    package static let wait = Calls(rawValue: 1 << 6)
    package static let lease = Calls(rawValue: 1 << 7)
    package static let keep = Calls(rawValue: 1 << 8)
    package static let snapshots = Calls(rawValue: 1 << 9)
    package static let snapshot = Calls(rawValue: 1 << 10)
    package static let compacted = Calls(rawValue: 1 << 11)
    package static let close = Calls(rawValue: 1 << 12)

    /// Everything that a store reads.
    package static let readings: Calls = [.head, .floor, .entries, .entry, .snapshots, .snapshot, .compacted]
  }

  /// One call.
  package struct Call: Sendable {
    package let kind: Calls
    /// The number of this call among those of its kind: 1 for the first.
    package let number: Int
    /// The revision after which, up to which or at which the journal is read; nil for other calls.
    package let revision: Revision?
    /// The greatest number of elements to read; nil for other calls.
    package let limit: Int?
    /// Whether a writer has a turn.
    package let isInTurn: Bool
  }

  /// An action of the test in a call. It throws nothing but `JournalError`, which is then the result of the call.
  package typealias Action = @Sendable (Call) async throws -> Void

  /// Answers of the test, in place of those of the base journal.
  package struct Answers: Sendable {
    package var entries: (@Sendable (_ after: Revision, _ limit: Int) async throws -> [Entry])?
    package var append: (@Sendable (_ drafts: [Entry.Draft], _ after: Head, _ turn: Turn?, _ leases: [Lease]) async throws -> Appended)?
    package var snapshots: (@Sendable (_ upTo: Revision, _ limit: Int) async throws -> [Snapshot.Place])?
    package var close: (@Sendable () async -> Void)?
  }

  private struct Next {
    let calls: Calls
    var left: Int
    let action: Action
  }

  private struct State {
    var next: [Next] = []
    var before: [Calls: Action] = [:]
    var after: [Calls: Action] = [:]
    var answers = Answers()
    var calls: [Calls: [Call]] = [:]
    var running: [Calls: Int] = [:]
    var turns = 0
    var entriesRead = 0
    var entriesReadInTurns = 0
  }

  package let base: any Journal
  private let state = Lock(State())

  /// Creates a journal that forwards every call.
  ///
  /// - Parameters:
  ///   - base: The journal that carries out the calls.
  ///   - answers: Sets answers of the test.
  package init(_ base: any Journal = MemoryJournal(), answers: (inout Answers) -> Void = { _ in }) {
    self.base = base
    state.withLock { answers(&$0.answers) }
  }

  // MARK: The script

  /// Runs an action before the n-th of these calls from now on; n is 1 by default.
  package func onNext(_ calls: Calls, number: Int = 1, _ action: @escaping Action) {
    state.withLock { $0.next.append(Next(calls: calls, left: number, action: action)) }
  }

  /// Whether an action of ``onNext(_:number:_:)`` waits for its call.
  package var isWaiting: Bool { state.withLock { !$0.next.isEmpty } }

  /// Runs an action before each of these calls, instead of an earlier one.
  package func onEach(_ calls: Calls, _ action: Action?) { state.withLock { Self.set(action, for: calls, in: &$0.before) } }

  /// Runs an action after each of these calls, before the caller has the answer. An error of the action is the answer.
  package func afterEach(_ calls: Calls, _ action: Action?) { state.withLock { Self.set(action, for: calls, in: &$0.after) } }

  /// Lets each of these calls fail before it reaches the base journal; nil lets them pass again.
  package func fail(_ calls: Calls, with error: JournalError?) {
    guard let error else { return onEach(calls, nil) }
    onEach(calls) { _ in throw error }
  }

  private static func set(_ action: Action?, for calls: Calls, in actions: inout [Calls: Action]) {
    for kind in calls.kinds { actions[kind] = action }
  }

  /// Sets answers of the test, in place of those of the base journal.
  package func answer(_ answers: (inout Answers) -> Void) { state.withLock { answers(&$0.answers) } }

  // MARK: The record

  /// All calls of a kind so far.
  package func calls(_ kind: Calls) -> [Call] { state.withLock { $0.calls[kind] ?? [] } }

  /// The number of calls of a kind so far.
  package func count(_ kind: Calls) -> Int { calls(kind).count }

  /// The number of calls of a kind that have not returned yet.
  package func running(_ kind: Calls) -> Int { state.withLock { $0.running[kind, default: 0] } }

  /// Whether a writer has a turn.
  package var isInTurn: Bool { state.withLock { $0.turns > 0 } }

  /// The number of entries that were read with `entries`.
  package var entriesRead: Int { state.withLock { $0.entriesRead } }

  /// The number of entries that were read while a writer had a turn.
  package var entriesReadInTurns: Int { state.withLock { $0.entriesReadInTurns } }

  // MARK: The calls

  private func perform<Answer>(
    _ kind: Calls, at revision: Revision? = nil, limit: Int? = nil, _ body: (Answers) async throws -> Answer
  ) async throws(JournalError) -> Answer {
    let (call, actions, answers) = state.withLock { state in
      let call = Call(
        kind: kind, number: state.calls[kind, default: []].count + 1, revision: revision, limit: limit, isInTurn: state.turns > 0)
      state.calls[kind, default: []].append(call)
      state.running[kind, default: 0] += 1
      var actions: [Action] = []
      for index in state.next.indices where state.next[index].calls.contains(kind) {
        state.next[index].left -= 1
        if state.next[index].left == 0 { actions.append(state.next[index].action) }
      }
      state.next.removeAll { $0.left == 0 }
      if let action = state.before[kind] { actions.append(action) }
      return (call, actions, state.answers)
    }
    defer { state.withLock { $0.running[kind, default: 0] -= 1 } }
    do {
      for action in actions { try await action(call) }
      let answer = try await body(answers)
      try await state.withLock { $0.after[kind] }?(call)
      return answer
    } catch let error as JournalError {
      throw error
    } catch {
      preconditionFailure("The script of a call '\(kind)' has thrown '\(error)'. It may throw a JournalError alone.")
    }
  }

  package func head() async throws(JournalError) -> Head { try await perform(.head) { _ in try await base.head() } }

  package func floor() async throws(JournalError) -> Head? { try await perform(.floor) { _ in try await base.floor() } }

  package func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    try await perform(.entries, at: revision, limit: limit) { answers in
      let entries =
        if let answer = answers.entries { try await answer(revision, limit) } else { try await base.entries(after: revision, limit: limit) }
      state.withLock { state in
        state.entriesRead += entries.count
        if state.turns > 0 { state.entriesReadInTurns += entries.count }
      }
      return entries
    }
  }

  package func entry(_ id: EntryID) async throws(JournalError) -> Entry? { try await perform(.entry) { _ in try await base.entry(id) } }

  package func append(
    _ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]
  ) async throws(JournalError) -> Appended {
    try await perform(.append) { answers in
      if let answer = answers.append { return try await answer(drafts, head, turn, leases) }
      return try await base.append(drafts, after: head, in: turn, under: leases)
    }
  }

  /// The base journal must accept an append in a turn that wraps its own, as `MemoryJournal` does.
  package func takeTurn() async throws(JournalError) -> Turn {
    try await perform(.turn) { _ in
      let turn = try await base.takeTurn()
      state.withLock { $0.turns += 1 }
      return Turn { [state] in
        state.withLock { $0.turns -= 1 }
        turn.end()
      }
    }
  }

  package func waitForEntry(after revision: Revision) async throws(JournalError) {
    try await perform(.wait, at: revision) { _ in try await base.waitForEntry(after: revision) }
  }

  package func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    try await perform(.lease) { _ in try await base.lease(name, for: holder, lasting: duration) }
  }

  package func keep(_ snapshot: Snapshot) async throws(JournalError) {
    try await perform(.keep, at: snapshot.head.revision) { _ in try await base.keep(snapshot) }
  }

  package func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
    try await perform(.snapshots, at: revision, limit: limit) { answers in
      if let answer = answers.snapshots { return try await answer(revision, limit) }
      return try await base.snapshots(upTo: revision, limit: limit)
    }
  }

  package func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? {
    try await perform(.snapshot, at: revision) { _ in try await base.snapshot(at: revision) }
  }

  package func compacted(_ ids: [EntryID]) async throws(JournalError) -> [EntryID: Revision] {
    try await perform(.compacted) { _ in try await base.compactedRevisions(of: ids) }
  }

  /// Closes the base journal. A script can delay this call, but not refuse it.
  package func close() async {
    try? await perform(.close) { answers in
      if let answer = answers.close { await answer() } else { await base.close() }
    }
  }
}

extension ScriptedJournal.Calls {
  /// The kinds one by one.
  fileprivate var kinds: [Self] {
    (0..<Int.bitWidth - 1).map { Self(rawValue: 1 << $0) }.filter(contains)
  }
}
