import Alter
import AlterCore
import Foundation
import StoreTesting

// One model in three generations, as an app changes it over the years. Each type is the model of one version of the app.

/// A line of a ledger. `apply` makes its id.
struct LedgerLine: Codable, Hashable {
  let id: UUID
  let text: String
}

/// Generation 1.
struct Ledger1: Journaled, Hashable {
  enum Change: Hashable, Codable { case line(String), add(Int), touch }
  private(set) var lines: [LedgerLine] = []
  private(set) var total = 0

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .line(let text): lines.append(LedgerLine(id: stamp.uuid(), text: text))
    case .add(let number): total += number
    case .touch: break
    }
  }
}

/// Generation 2 renames lines to entries, removes touching, and adds a change that does two things.
struct Ledger2: Journaled, Hashable {
  enum Change: Hashable, Codable { case entry(String), add(Int), both(String, Int) }
  private(set) var entries: [LedgerLine] = []
  private(set) var total = 0

  static var schema: StateSchema { StateSchema(version: 2, migrations: [.ledger1to2]) }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .entry(let text): entries.append(LedgerLine(id: stamp.uuid(), text: text))
    case .add(let number): total += number
    case .both(let text, let number):
      entries.append(LedgerLine(id: stamp.uuid(), text: text))
      total += number
    }
  }
}

/// Generation 3 counts each addition twice, removes the change that does two things, and adds a currency.
struct Ledger3: Journaled, Hashable {
  enum Change: Hashable, Codable { case entry(String), add(Int), addOnce(Int), pay(String) }
  private(set) var entries: [LedgerLine] = []
  private(set) var total = 0
  private(set) var currency = "EUR"

  static var schema: StateSchema { StateSchema(version: 3, migrations: [.ledger1to2, .ledger2to3]) }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .entry(let text): entries.append(LedgerLine(id: stamp.uuid(), text: text))
    case .add(let number): total += 2 * number
    case .addOnce(let number): total += number
    case .pay(let currency): self.currency = currency
    }
  }
}

extension Migration {
  static let ledger1to2 = Migration(
    from: 1, to: 2,
    state: { $0.renaming("lines", to: "entries") },
    change: { change in change["touch"] == nil ? [change.renaming("line", to: "entry")] : [] })

  static let ledger2to3 = Migration(
    from: 2, to: 3,
    state: { state in
      var state = state
      state["currency"] = "EUR"
      return state
    },
    change: { change in
      guard let both = change["both"] else { return [change.renaming("add", to: "addOnce")] }
      return [["entry": ["_0": both["_0"] ?? nil]], ["addOnce": ["_0": both["_1"] ?? nil]]]
    })
}

/// The journals that the three versions of the app have written.
enum LedgerHistory {
  /// The options of each version, with ids and times that are the same in every run.
  private static func options(_ generation: UInt8) -> StoreOptions {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    options.followsOthers = false
    options.snapshotSpacing = .max
    options.environment.origin = { .test(generation) }
    options.environment.now = { 1_700_000_000_000_000 + Int64(generation) }
    return options
  }

  /// The journal after the given generation. The first version of the app created it, and each later one continued it.
  static func journal(after generation: Int) async throws -> MemoryJournal {
    let journal = MemoryJournal(id: JournalID(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!))
    let first = try await Store.open(Ledger1(), in: journal, options: options(1))
    // In one batch, because the migration of one change must not alter the ids that the others make.
    try await first.change(.touch, .line("rent"), .touch, .line("bread")).durable()
    try await first.change(.add(10)).durable()
    try await first.change(.line("taken back")).durable()
    try await first.undo()
    try await first.change(.touch).durable()
    await first.close()
    guard generation > 1 else { return journal }
    let second = try await Store.open(Ledger2(), in: journal, options: options(2))
    try await second.change(.entry("tea"), .both("cake", 5), .both("milk", 1), .entry("jam")).durable()
    try await second.undo()
    try await second.redo()
    try await second.change(.add(100)).durable()
    await second.close()
    guard generation > 2 else { return journal }
    let third = try await Store.open(Ledger3(), in: journal, options: options(3))
    try await third.change(.add(1_000), .pay("CHF")).durable()
    try await third.reset(to: third.state.alter(.entry("after"))).durable()
    await third.close()
    return journal
  }

  static func export(_ journal: some Journal) async throws -> Data {
    var lines = Data()
    try await journal.export { lines += $0 }
    return lines
  }

  /// The path of a generation's fixture.
  static func fixture(_ generation: Int) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/generation-\(generation).jsonl")
  }
}
