import Alter
import AlterCore
import AlterJournal
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

/// A schema version whose snapshots of older versions are converted.
@Suite("Snapshots of older schemas", .timeLimit(.minutes(20)))
struct SchemaSnapshotTests {
  private var options: StoreOptions {
    var options = StoreOptions.sharedJournal
    options.undoWindow = 4
    options.snapshotSpacing = 5
    return options
  }

  /// A journal with 41 entries of schema 2 and snapshots of this schema.
  private func journal() async throws -> MemoryJournal {
    let journal = MemoryJournal()
    let old = try await Store.open(Ledger2(), in: journal, options: options)
    for number in 0..<40 {
      try await old.change(.add(number)).durable()
      await old.rest()
    }
    await old.close()
    return journal
  }

  private func schemas(of journal: MemoryJournal) async throws -> [Int] {
    try await journal.snapshots(upTo: .init(1_000), limit: 100).map(\.schema)
  }

  private func problems(of store: Store<some Alterable>) async -> [String] {
    var problems: [String] = []
    for await problem in store.problems { problems.append(problem.description) }
    return problems
  }

  /// The lowest position after which more than one entry was read.
  private func firstRead(in journal: ScriptedJournal) -> Revision? {
    journal.calls(.entries).filter { $0.limit ?? 0 > 1 }.compactMap(\.revision).min()
  }

  @Test("are converted, and only the entries after them are read")
  func converted() async throws {
    let journal = try await journal()
    let counting = ScriptedJournal(journal)
    let store = try await Store.open(Converting(), in: counting, options: options)
    #expect(store.state.total == 780 && store.state.currency == "EUR")
    #expect(try #require(firstRead(in: counting)) > 20)
    try await store.change(.add(1)).durable()
    try await store.undo()
    try await store.undo()
    #expect(store.state.total == 780 - 39)
    await store.close()
    #expect(await problems(of: store).isEmpty)
    #expect(try await Store<Converting>.verify(journal).revision == 44)
    for revision in 1...44 {
      let state = try await Store<Converting>.state(at: Revision(Int64(revision)), in: journal)
      #expect(state.total == (try await Store<Ledger3>.state(at: Revision(Int64(revision)), in: journal)).total)
    }
  }

  @Test("stay while older versions of the app can use them: two versions side by side open from their own")
  func sideBySide() async throws {
    let journal = try await journal()
    let before = try await schemas(of: journal)
    for _ in 0..<3 {
      let new = try await Store.open(Ledger3(), in: journal, options: options)
      #expect(new.state.total == 780)
      await new.close()
      let counting = ScriptedJournal(journal)
      let old = try await Store.open(Ledger2(), in: counting, options: options)
      #expect(old.state.total == 780)
      #expect(try #require(firstRead(in: counting)) > 20)
      await old.close()
    }
    let after = try await schemas(of: journal)
    // The newer version may replace the one at the end, once.
    #expect(after.count { $0 == 2 } >= before.count - 1 && before.count > 3)
  }

  @Test("are not replaced by an older version at the same revision")
  func noPingPong() async throws {
    let journal = try await journal()
    let new = try await Store.open(Ledger3(), in: journal, options: options)
    await new.close()
    let made = try await journal.snapshots(upTo: .init(1_000), limit: 100).filter { $0.schema == 3 }
    let old = try await Store.open(Ledger2(), in: journal, options: options)
    await old.close()
    #expect(try await journal.snapshots(upTo: .init(1_000), limit: 100).filter { $0.schema == 3 } == made && !made.isEmpty)
  }

  @Test("that don't convert to what the changes lead to are found by a verification")
  func untrue() async throws {
    let journal = try await journal()
    let error = await #expect(throws: JournalError.self) { try await Store<Untrue>.verify(journal) }
    #expect(error?.code == .damaged && error?.description.contains("snapshotsFrom") == true)
  }

  @Test("that a migration can't convert are ignored with a report, and stay for the version that made them")
  func inconvertible() async throws {
    let journal = try await journal()
    let before = try await schemas(of: journal)
    let store = try await Store.open(Inconvertible(), in: journal, options: options)
    #expect(store.state.total == 780)
    await store.close()
    #expect(await problems(of: store).first?.contains("no snapshot of 2") == true)
    #expect(try await schemas(of: journal).count { $0 == 2 } >= before.count - 1)
  }

  @Test("are converted from the version that is named, and not from older ones; a version above the present one means the present one")
  func range() {
    let schema = StateSchema(version: 4, snapshotsFrom: 2)
    #expect((0...5).map(schema.readsSnapshot) == [false, false, true, true, true, false])
    #expect((3...5).map(StateSchema(version: 4).readsSnapshot) == [false, true, false])
    #expect((3...10).map(StateSchema(version: 4, snapshotsFrom: 9).readsSnapshot) == [false, true] + Array(repeating: false, count: 6))
  }
}

/// Generation 3 of the ledger, which converts the snapshots of generation 2.
private struct Converting: Journaled, Hashable {
  typealias Change = Ledger3.Change
  private(set) var entries: [LedgerLine] = []
  private(set) var total = 0
  private(set) var currency = "EUR"
  static var schema: StateSchema { StateSchema(version: 3, migrations: [.ledger1to2, .ledger2to3], snapshotsFrom: 2) }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .entry(let text): entries.append(LedgerLine(id: stamp.uuid(), text: text))
    case .add(let number): total += 2 * number
    case .addOnce(let number): total += number
    case .pay(let currency): self.currency = currency
    }
  }
}

/// A version whose changes lead to another total than its migration of states keeps.
private struct Untrue: Journaled, Hashable {
  typealias Change = Ledger2.Change
  private(set) var entries: [LedgerLine] = []
  private(set) var total = 0
  static var schema: StateSchema { StateSchema(version: 3, snapshotsFrom: 2) }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    if case .add(let number) = change { total += 2 * number }
  }
}

/// A version that can't convert a state of version 2 that has no entry.
private struct Inconvertible: Journaled, Hashable {
  struct Failure: Error, CustomStringConvertible { let description = "no snapshot of 2" }
  typealias Change = Ledger2.Change
  private(set) var entries: [LedgerLine] = []
  private(set) var total = 0

  static var schema: StateSchema {
    let migration = Migration(
      from: 2, to: 3,
      state: { state in
        guard state["total"]?.int == 0 else { throw Failure() }
        return state
      })
    return StateSchema(version: 3, migrations: [migration], snapshotsFrom: 2)
  }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    if case .add(let number) = change { total += number }
  }
}
