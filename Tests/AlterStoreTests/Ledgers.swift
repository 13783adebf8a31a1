import Alter
import AlterCore
import Foundation

// One model in three generations, as an app would have had it over the years: each type is what that version of the app was.

/// An entry of a ledger; its id is made by `apply`.
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

/// Generation 2: lines are called entries, touching is gone, and there is a change that does two things.
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

/// Generation 3: adding counts twice from now on, doing both at once is gone, and there is a currency.
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

/// Journals that the three versions of the app have left behind.
enum LedgerHistory {
  /// What every version would write, with ids and times that are the same at each run.
  private static func options(_ generation: UInt8) -> StoreOptions {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    options.followsOthers = false
    options.snapshotSpacing = .max
    options.origin = { .test(generation) }
    options.now = { 1_700_000_000_000_000 + Int64(generation) }
    return options
  }

  /// The journal after the given generation: begun by the first version of the app, and used by each later one.
  static func journal(after generation: Int) async throws -> MemoryJournal {
    let journal = MemoryJournal(id: JournalID(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!))
    let first = try await Store.open(Ledger1(), in: journal, options: options(1))
    // In one batch: what becomes of one change must not alter the ids that the others make.
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

  /// Where the fixture of a generation is.
  static func fixture(_ generation: Int) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/generation-\(generation).jsonl")
  }
}
