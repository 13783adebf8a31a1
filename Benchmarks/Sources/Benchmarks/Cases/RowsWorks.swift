import Alter
import AlterCore
import AlterJournal
import AlterRows
import AlterSQLite
import Foundation
import GRDB

// The state as SQL tables: their cost for the store, their lag, and the time until a query sees a change.

/// A row of 8 columns, beside the id.
private struct Card: Identifiable, Hashable, Codable, Sendable {
  let id: Int
  var title: String
  var notes: String?
  var isDone = false
  var due: Double?
  var priority = 0
  var owner = "ann"
  var weight = 1.5
  var count = 0

  init(_ number: Int) {
    id = number
    title = "Card \(number) of the board, to be done"
    notes = number % 3 == 0 ? "A note about the card of some words, number \(number)" : nil
    due = number % 2 == 0 ? Double(number) : nil
  }
}

// As the macros write it.
nonisolated extension Card: AlterCore.StoredForm {
  static var _isTotal: Bool { true }
  static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("count") { (model: Self) in model.count }
    form.part("due") { (model: Self) in model.due }
    form.part("id") { (model: Self) in model.id }
    form.part("isDone") { (model: Self) in model.isDone }
    form.part("notes") { (model: Self) in model.notes }
    form.part("owner") { (model: Self) in model.owner }
    form.part("priority") { (model: Self) in model.priority }
    form.part("title") { (model: Self) in model.title }
    form.part("weight") { (model: Self) in model.weight }
  }
  init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.count = try reader.required("count", in: &object)
    self.due = try reader.optional("due", in: &object)
    self.id = try reader.required("id", in: &object)
    self.isDone = try reader.required("isDone", in: &object)
    self.notes = try reader.optional("notes", in: &object)
    self.owner = try reader.required("owner", in: &object)
    self.priority = try reader.required("priority", in: &object)
    self.title = try reader.required("title", in: &object)
    self.weight = try reader.required("weight", in: &object)
    try reader.endObject(&object)
  }
  func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.count, "count")
    try writer.field(self.due, "due")
    try writer.field(self.id, "id")
    try writer.field(self.isDone, "isDone")
    try writer.field(self.notes, "notes")
    try writer.field(self.owner, "owner")
    try writer.field(self.priority, "priority")
    try writer.field(self.title, "title")
    try writer.field(self.weight, "weight")
    writer.endObject()
  }
}

private struct Cards: Journaled, Hashable, Codable {
  enum Change: Hashable, Codable, Sendable {
    case insert([Card], at: Int)
    case update(Int, count: Int)
    case move(Int, to: Int)
  }

  var cards: IdentityArray<Card> = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .insert(let new, let place): for (offset, card) in new.enumerated() { try cards.add(card, at: place + offset) }
    case .update(let id, let count):
      guard cards.contains(id: id) else { throw .missing("card", id) }
      cards.modify(id: id) { $0.count = count }
    case .move(let id, let place): try cards.move(id, to: place)
    }
  }

  /// The columns of a card.
  static let columns: [StoredField] = ["title", "notes", "isDone", "due", "priority", "owner", "weight", "count"]

  @RowTableBuilder<Cards>
  static func tables() -> [RowTable<Cards>] {
    RowTable("card", each: \.cards, columns: columns, index: [["isDone", "due"]])
    RowTable("total", columns: ["name", "count"]) { [["all", .int($0.cards.count)]] }
  }

  static func searched() -> [RowTable<Cards>] { [RowTable("card", each: \.cards, columns: columns, search: ["title", "notes"])] }
}

func rowsWorks(_ options: Options) -> [Work] {
  let many = options.isQuick ? 100_000 : 1_000_000
  return [single(), saturated(), batch(), lag(options), rebuild(many, isSearched: false), rebuild(many, isSearched: true)]
    + [update(many), insertion(many), move(many)]
}

// MARK: - With a journal

private typealias Board = (store: Store<Cards>, rows: Rows<Cards>?, pool: DatabasePool)

private func path(_ name: String) -> String { runFolder.appendingPathComponent(name).path }

/// A store with a thousand cards, with rows or without.
private func board(_ name: String, hasRows: Bool) -> Board {
  waiting {
    let store = try await Store.open(Cards(), in: SQLiteJournal(at: path("\(name).alter")))
    try await store.change(.insert((0..<1_000).map(Card.init), at: 0)).durable()
    let pool = try DatabasePool(path: path("\(name)-rows.db"))
    return (store, hasRows ? try await Rows(of: store, in: pool, version: 1, tables: Cards.tables) : nil, pool)
  }
}

private func single() -> Work {
  Work("durable change with rows of 2 tables", 1_000, goals: ["without rows": .ratio(atMost: 1.05)]) {
    func contender(_ name: String, hasRows: Bool) -> Contender {
      let turns = 20
      return Contender(name, operations: turns, state: (board: board("single-\(hasRows)", hasRows: hasRows), count: 0)) { state in
        state.count &+= turns
        let (store, start) = (state.board.store, state.count)
        return waiting {
          for number in start..<start + turns { try await store.change(.update(number % 1_000, count: number)).durable() }
          return start
        }
      }
    }
    return [contender("Alter", hasRows: true), contender("without rows", hasRows: false)]
  }
}

private func saturated() -> Work {
  let batch = 5_000
  return Work("durable changes with rows, saturated", batch, goals: ["without rows": .ratio(atMost: 1.25)]) {
    func contender(_ name: String, hasRows: Bool) -> Contender {
      Contender(name, operations: batch, state: (board: board("many-\(hasRows)", hasRows: hasRows), count: 0)) { state in
        state.count &+= batch
        let (store, start) = (state.board.store, state.count)
        return waiting {
          var last: Commit<Cards>?
          for number in start..<start + batch {
            if number % 4_096 == 4_095 { try await store.ready() }
            last = try store.change(.update(number % 1_000, count: number))
          }
          return Int(try await last?.confirmed().number ?? 0)
        }
      }
    }
    return [contender("Alter", hasRows: true), contender("without rows", hasRows: false)]
  }
}

/// From the confirmation of a batch until a query sees it.
private func batch() -> Work {
  let n = 10_000
  return Work(
    "rows of n insertions, after their confirmation", n, unit: .nanoseconds, goals: ["SQLite, one transaction": .figure(atMost: 100e6)]
  ) {
    let board = board("batch", hasRows: true)
    let plain = plain("batch")
    var (times, baselines): ([Double], [Double]) = ([], [])
    for round in 1...5 {
      let cards = (0..<n).map { Card(round * n + $0) }
      waiting { try await board.store.change(.insert(cards, at: 500)).durable() }
      var start = BenchmarkClock.wall.nanoseconds
      consume(waiting { try await board.rows?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM card") } ?? 0 })
      times.append(Double(BenchmarkClock.wall.nanoseconds - start))
      start = BenchmarkClock.wall.nanoseconds
      insert(cards, into: plain)
      baselines.append(Double(BenchmarkClock.wall.nanoseconds - start))
    }
    return [("Alter", median(times)), ("SQLite, one transaction", median(baselines))]
  }
}

/// The time from the confirmation of a change until the database has it, at a thousand changes a second.
private func lag(_ options: Options) -> Work {
  let n = options.isQuick ? 500 : 5_000
  return Work("lag of rows at 1,000 changes a second", n, unit: .nanoseconds, goals: ["99th percentile": .figure(atMost: 5e6)]) {
    let board = board("lag", hasRows: true)
    let confirmed = Times(), seen = Times()
    let (store, pool) = (board.store, board.pool)
    let (first, last) = (Int(store.revision.number) + 1, Int(store.revision.number) + n)
    let reader = Thread {
      var next = first
      while next <= last {
        let revision = (try? pool.read { try Int.fetchOne($0, sql: "SELECT revision FROM alter_rows") }) ?? 0
        let now = BenchmarkClock.wall.nanoseconds
        while next <= min(revision, last) {
          seen.note(next, now)
          next += 1
        }
        usleep(100)
      }
      seen.end()
    }
    reader.start()
    waiting {
      let start = ContinuousClock.now
      for number in 0..<n {
        try await Task.sleep(until: start + .milliseconds(number), clock: .continuous)
        let commit = try store.change(.update(number % 1_000, count: number))
        Task { confirmed.note(Int(try await commit.confirmed().number), BenchmarkClock.wall.nanoseconds) }
      }
    }
    seen.wait()
    var lags = (first...last).map { Double(max(0, (seen[$0] ?? .max) - (confirmed[$0] ?? seen[$0] ?? 0))) }
    lags.sort()
    // The goal is about the percentile, which is the figure here.
    return [("Alter", lags[n * 99 / 100]), ("99th percentile", lags[n * 99 / 100]), ("median", lags[n / 2])]
  }
}

/// `@unchecked Sendable`: the lock guards the times.
private final class Times: @unchecked Sendable {
  private let lock = NSLock()
  private let done = DispatchSemaphore(value: 0)
  private var times: [Int: Int64] = [:]
  func note(_ number: Int, _ time: Int64) { lock.withLock { times[number] = times[number] ?? time } }
  subscript(number: Int) -> Int64? { lock.withLock { times[number] } }
  func end() { done.signal() }
  func wait() { done.wait() }
}

// MARK: - Many rows

/// The same table by SQLite alone, without positions.
private func plain(_ name: String) -> DatabaseQueue {
  waiting {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    let queue = try DatabaseQueue(path: path("\(name)-plain.db"), configuration: configuration)
    try await queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(
        sql: "CREATE TABLE card (id INTEGER PRIMARY KEY, position INTEGER, \(Cards.columns.map(\.column).joined(separator: ", ")))")
      try database.execute(sql: "CREATE INDEX card_by_position ON card (position)")
    }
    return queue
  }
}

private func insert(_ cards: some Sequence<Card> & Sendable, into queue: DatabaseQueue) {
  waiting {
    try await queue.write { database in
      let statement = try database.makeStatement(sql: "INSERT INTO card VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      for card in cards {
        try statement.execute(arguments: [
          card.id, card.id, card.title, card.notes, card.isDone, card.due, card.priority, card.owner, card.weight, card.count,
        ])
      }
    }
  }
}

private func cards(_ n: Int) -> Cards {
  var state = Cards()
  state.cards = IdentityArray((0..<n).map(Card.init))
  return state
}

private func rebuild(_ n: Int, isSearched: Bool) -> Work {
  let name = isSearched ? "rows made again, with search" : "rows made again"
  let goal = Goal.figure(atMost: (isSearched ? 40e9 : 10e9) * Double(n) / 1_000_000)
  return Work(name, n, unit: .nanoseconds, goals: ["SQLite, one transaction": goal]) {
    let store = Store(cards(n))
    let file = path("rebuild-\(isSearched).db")
    var start = BenchmarkClock.wall.nanoseconds
    waiting {
      let rows = try await Rows(
        of: store, in: DatabasePool(path: file), version: 1, tables: isSearched ? Cards.searched : Cards.tables)
      consume(try await rows.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM card") } ?? 0)
      await rows.close()
    }
    let time = BenchmarkClock.wall.nanoseconds - start
    let plain = plain("rebuild-\(isSearched)")
    let state = store.state
    start = BenchmarkClock.wall.nanoseconds
    insert(state.cards, into: plain)
    if isSearched {
      waiting {
        try await plain.write { database in
          try database.execute(
            sql: """
              CREATE VIRTUAL TABLE card_search USING fts5(title, notes, content='card', content_rowid='id');
              INSERT INTO card_search (card_search) VALUES ('rebuild')
              """)
        }
      }
    }
    return [("Alter", Double(time)), ("SQLite, one transaction", Double(BenchmarkClock.wall.nanoseconds - start))]
  }
}

private struct Edited {
  let store: Store<Cards>
  let rows: Rows<Cards>
  var count = 0
}

/// A change in memory, until a query sees it.
private func edit(
  _ name: String, _ n: Int, change: @escaping @Sendable (_ count: Int) -> Cards.Change, sql: @escaping @Sendable (Int) -> String
) -> Work {
  Work(name, n, goals: ["SQLite, written and read": .figure(atMost: 1e6)]) {
    let file = path("edit-\(name.filter(\.isLetter)).db")
    let edited = waiting {
      let store = Store(cards(n))
      return Edited(store: store, rows: try await Rows(of: store, in: DatabasePool(path: file), version: 1, tables: Cards.tables))
    }
    let plain = plain("edit-\(name.filter(\.isLetter))")
    insert(edited.store.state.cards, into: plain)
    let query = "SELECT count FROM card WHERE id = ?"
    return [
      Contender("Alter", state: edited) { state in
        state.count &+= 1
        let (store, rows, count) = (state.store, state.rows, state.count)
        return waiting {
          try store.change(change(count))
          return try await rows.read { try Int.fetchOne($0, sql: query, arguments: [count % n]) } ?? 0
        }
      },
      Contender("SQLite, written and read", state: 0) { count in
        count &+= 1
        let number = count
        return waiting {
          try await plain.write { try $0.execute(sql: sql(number)) }
          return try await plain.read { try Int.fetchOne($0, sql: query, arguments: [number % n]) } ?? 0
        }
      },
    ]
  }
}

private func update(_ n: Int) -> Work {
  edit("update of a row, until read", n, change: { .update($0 &* 7_919 % n, count: $0) }) {
    "UPDATE card SET count = \($0) WHERE id = \($0 &* 7_919 % n)"
  }
}

private func insertion(_ n: Int) -> Work {
  edit("insertion of a row, until read", n, change: { .insert([Card(n + $0)], at: 1) }) {
    "INSERT INTO card (id, position, title) VALUES (\(n + $0), 1, 'Card')"
  }
}

private func move(_ n: Int) -> Work {
  edit("move of a row, until read", n, change: { .move($0 &* 7_919 % n, to: $0 &* 104_729 % n) }) {
    "UPDATE card SET position = \($0 &* 104_729 % n) WHERE id = \($0 &* 7_919 % n)"
  }
}
