import Alter
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

/// A state that depends on random numbers.
private struct Dice: Journaled, Hashable {
  enum Change: Hashable, Codable { case roll, set(Int) }
  private(set) var last = 0.0
  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .roll: last = Double(Int.random(in: 0..<1_000_000_000))
    case .set(let number): last = number < 0 ? .nan : Double(number)
    }
  }
}

@Suite("A replay that does not give what was")
struct ReplayTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal

  private func paid(_ amounts: Int...) async throws {
    let store = try await Store.open(Payments1(), in: journal, options: shared)
    for amount in amounts { try store.change(.pay(amount)) }
    await store.close()
  }

  @Test("fails the opening: a stricter check drops no history unnoticed")
  func opening() async throws {
    try await paid(150, 50)
    let error = await #expect(throws: JournalError.self) { try await Store.open(Payments2(), in: journal, options: shared) }
    #expect(error?.code == .refusedAtReplay && error?.revision == 2)
    let text = error?.description ?? ""
    for part in ["revision 2", "too much", "old meaning for old entries", "migration", "StoreOptions.refusedAtReplay = .skip"] {
      #expect(text.contains(part), "\(part) in: \(text)")
    }
    #expect(try await journal.head().revision == 3)
  }

  @Test("is left out and reported when the options say so")
  func skipped() async throws {
    try await paid(150, 50)
    var options = shared
    options.refusedAtReplay = .skip
    let store = try await Store.open(Payments2(), in: journal, options: options)
    #expect(store.state.total == 50)
    var problems = store.problems.makeAsyncIterator()
    guard case .refusedAtReplay(2, _)? = await problems.next() else {
      Issue.record("not reported")
      return
    }
    #expect(try await store.state(at: 2).total == 0)
    await store.close()
  }

  @Test("is found behind a snapshot's base at the opening, and before it by verify")
  func snapshot() async throws {
    var options = shared
    options.undoWindow = 5
    options.snapshotSpacing = 10
    let store = try await Store.open(Payments1(), in: journal, options: options)
    try await store.change(.pay(150)).durable()
    for _ in 0..<40 { try await store.change(.pay(1)).durable() }
    await store.close()
    #expect(try await !journal.snapshots(upTo: Revision(.max), limit: 1).isEmpty)
    let later = try await Store.open(Payments2(), in: journal, options: options)
    #expect(later.state.total == 190)
    await later.close()
    let error = await #expect(throws: JournalError.self) { try await Store<Payments2>.verify(journal) }
    #expect(error?.code == .refusedAtReplay && error?.revision == 2)
    try await Store<Payments1>.verify(journal)
    // Between a snapshot's base and its head.
    let place = try #require(try await journal.snapshots(upTo: Revision(.max), limit: 1).first)
    for number in 0..<(place.revision - place.base) {
      let other = MemoryJournal()
      let draft = Entry.Draft(
        kind: .changes, id: EntryID(origin: .test(7), sequence: 2), time: 0, payload: Data(#"[{"pay":{"_0":150}}]"#.utf8))
      try await copy(to: other, with: draft, at: place.base + (number + 1), snapshot: place)
      let error = await #expect(throws: JournalError.self) { try await Store.open(Payments2(), in: other, options: options) }
      #expect(error?.revision == place.base + (number + 1))
    }
  }

  /// Copies the journal and a snapshot, with another entry at a revision.
  private func copy(to other: MemoryJournal, with draft: Entry.Draft, at revision: Revision, snapshot place: Snapshot.Place) async throws {
    var heads: [Revision: Head] = [.zero: try await other.head()]
    for entry in try await journal.entries(after: .zero, limit: 1_000) where entry.revision <= place.revision {
      let before = try #require(heads[entry.revision.previous])
      heads[entry.revision] = try await other.append([entry.revision == revision ? draft : entry.draft], after: before).head
    }
    let snapshot = try #require(try await journal.snapshot(at: place.revision))
    let (head, base) = (try #require(heads[place.revision]), try #require(heads[place.base]))
    try await other.keep(Snapshot(head: head, base: base, schema: 1, written: place.written, payload: snapshot.payload))
  }

  @Test("that an undo explains is none: the entry is suppressed, from a snapshot and from the beginning")
  func explained() async throws {
    var options = shared
    options.undoWindow = 50
    options.snapshotSpacing = 10
    let store = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<60 { try await store.change(.note("\(number)")).durable() }
    let base = try store.change(.put("a", 1))
    try await base.durable()
    try await store.change(.add("a", 1)).durable()
    for number in 0..<10 { try await store.change(.note("\(number)")).durable() }
    await store.close()
    let draft = Entry.Draft(
      kind: .undo, id: EntryID(origin: .test(9), sequence: 1), time: 0, payload: try JournalCoding.encode(Entry.Targets([base.id])))
    _ = try await journal.append([draft], after: journal.head())
    for _ in 0..<3 {
      let again = try await Store.open(Board(), in: journal, options: options)
      #expect(again.state.values.isEmpty && again.state.notes.count >= 70)
      for number in 0..<12 { try await again.change(.note("\(number)")).durable() }
      await again.close()
    }
    try await Store<Board>.verify(journal)
  }

  @Test("stops a running store that meets one written by another process, and ends its streams")
  func running() async throws {
    let store = try await Store.open(Payments2(), in: journal, options: shared)
    let values = store.values(of: \.total)
    let transitions = store.transitions
    try await paid(70, 150, 50)
    var seen: [Int] = []
    for await value in values { seen.append(value) }
    #expect(seen.allSatisfy { $0 == 0 || $0 == 70 })
    guard case .failed(let error) = store.status else {
      Issue.record("the store goes on")
      return
    }
    #expect(error.code == .refusedAtReplay && error.revision == 3)
    #expect(throws: ChangeError<Refusal>.failed(error)) { try store.change(.pay(1)) }
    var last: StoreTransition<Payments2>?
    for await transition in transitions { last = transition }
    guard case .failed(error)? = last else {
      Issue.record("the transitions end without a reason")
      return
    }
    var entries = store.entries(after: store.revision).makeAsyncIterator()
    let thrown = await #expect(throws: JournalError.self) {
      while try await entries.next() != nil {}
    }
    #expect(thrown == error)
    await store.close()
  }

  #if DEBUG
    @Test("is reported in a debug build as soon as a change gives another state the second time")
    func dice() async throws {
      let store = try await Store.open(Dice(), in: journal, options: shared)
      // The budget must suffice on a busy machine, too.
      store.core.withLock { $0.determinism.budget = .seconds(3_600) }
      try store.change(.set(-1))
      try store.change(.roll)
      await store.close()
      var problems: [String] = []
      for await problem in store.problems { problems.append(problem.description) }
      // NaN is not equal to itself, but that alone is not reported.
      #expect(problems.count == 1 && problems[0].contains("Revision 3") && problems[0].contains("not deterministic"), "\(problems)")
      let memory = Store(Dice())
      memory.core.withLock { $0.determinism.budget = .seconds(3_600) }
      try memory.change(.roll)
      var iterator = memory.problems.makeAsyncIterator()
      guard case .nondeterministic(2, _)? = await iterator.next() else {
        Issue.record("not reported in memory")
        return
      }
    }
  #endif

  @Test("is reported when another process has made a snapshot with another state")
  func otherSnapshot() async throws {
    var options = shared
    options.undoWindow = 4
    options.snapshotSpacing = 10
    let honest = try await Store.open(Payments1(), in: journal, options: options)
    for _ in 0..<8 { try await honest.change(.pay(1)).durable() }
    // Another process of the same app computes another state, and makes its snapshot first: one entry before this one's is due.
    let head = try await journal.head()
    let base = try #require(try await journal.entries(after: 4, limit: 1).first)
    try await journal.keep(
      Snapshot(
        head: head, base: Head(journal: head.journal, revision: base.revision, checksum: base.checksum), schema: 1, written: 700,
        payload: Data(#"{"total":4711,"notes":[]}"#.utf8)))
    for _ in 0..<3 { try await honest.change(.pay(1)).durable() }
    await honest.close()
    var problems: [StoreProblem] = []
    for await problem in honest.problems { problems.append(problem) }
    guard case .nondeterministic(5, let reason)? = problems.first, problems.count == 1 else {
      Issue.record("\(problems)")
      return
    }
    #expect(reason.contains("revision 9"))
  }

  @Test("of the same app in two processes is compared and found equal")
  func sameSnapshot() async throws {
    var options = shared
    options.undoWindow = 4
    options.snapshotSpacing = 5
    let stores = [
      try await Store.open(Board(), in: journal, options: options), try await Store.open(Board(), in: journal, options: options),
    ]
    for number in 0..<60 { try await stores[number % 2].change(.note("\(number)")).durable() }
    for store in stores {
      await store.close()
      for await problem in store.problems { Issue.record("\(problem)") }
    }
  }
}
