#if Postgres
  import Alter
  import AlterCore
  import AlterPostgres
  import AlterPostgresRows
  import AlterRows
  import Foundation

  // Rows in PostgreSQL, which move in the transactions of the appends, against the same appends without them.

  private struct Card: Identifiable, Hashable, Codable, Sendable {
    let id: Int
    var title: String
    var isDone = false
    var count = 0
  }

  private struct Cards: Journaled, Hashable, Codable {
    enum Change: Hashable, Codable, Sendable {
      case insert([Card])
      case update(Int, count: Int)
    }

    var cards: IdentityArray<Card> = []

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .insert(let new): for card in new { try cards.add(card) }
      case .update(let id, let count):
        guard cards.contains(id: id) else { throw .missing("card", id) }
        cards.modify(id: id) { ($0.count, $0.isDone) = (count, count.isMultiple(of: 2)) }
      }
    }

    @RowTableBuilder<Cards>
    static func tables() -> [RowTable<Cards>] {
      RowTable(
        "card", each: \.cards, columns: [StoredField("title", .text), StoredField("isDone", .boolean), StoredField("count", .integer)],
        index: [["isDone", "count"]])
      RowTable("total", columns: [StoredField("name", .text), StoredField("count", .integer)]) { cards in
        [["all", .int(cards.cards.reduce(0) { $0 + $1.count })]]
      }
    }
  }

  func postgresRowsWorks(_ options: Options) -> [Work] {
    [
      work("postgres, durable change with rows of 2 tables", replicas: 1, goal: 1.35, options),
      work("postgres, rows of 2 tables, one journal, appends by", replicas: 8, goal: 1.25, options),
    ]
  }

  private typealias Replica = (store: Store<Cards>, rows: PostgresRows<Cards>?)

  /// Replicas of one journal, each with connections of its own.
  private func replicas(_ count: Int, hasRows: Bool) -> [Replica] {
    let key = "rows \(UUID().uuidString.prefix(8))"
    return waiting {
      var replicas: [Replica] = []
      for number in 0..<count {
        let address = BenchmarkServer.shared.address("rows\(hasRows)\(number)")
        let store = try await Store.open(Cards(), in: PostgresJournal(at: address, key: key))
        if number == 0 {
          BenchmarkServer.shared.sql(try PostgresRows<Cards>.setup(schema: "bench", version: 1, tables: Cards.tables))
          try await store.change(.insert((0..<200).map { Card(id: $0, title: "Card \($0)") })).durable()
        }
        replicas.append((store, hasRows ? try await PostgresRows(of: store, schema: "bench", version: 1, tables: Cards.tables) : nil))
      }
      return replicas
    }
  }

  /// Each change is durable before its store's next one.
  private func work(_ name: String, replicas count: Int, goal: Double, _ options: Options) -> Work {
    Work(name, count, unit: .nanoseconds, goals: ["without rows": .ratio(atMost: goal)]) {
      let contenders = [("Alter", replicas(count, hasRows: true)), ("without rows", replicas(count, hasRows: false))]
      defer {
        waiting {
          for (_, replicas) in contenders {
            for (store, rows) in replicas {
              await rows?.close()
              await store.close()
            }
          }
        }
      }
      let changes = max(1, (options.isQuick ? 200 : 1_000) / count)
      let figures = rounds(
        options,
        contenders.map { name, replicas in
          (
            name,
            {
              waiting {
                try await withThrowingTaskGroup(of: Void.self) { group in
                  for (place, (store, _)) in replicas.enumerated() {
                    group.addTask {
                      for number in 0..<changes {
                        try await store.change(.update((number * count + place) % 200, count: number)).durable()
                      }
                    }
                  }
                  try await group.waitForAll()
                }
              }
              return Double(changes * count)
            }
          )
        })
      for (_, rows) in contenders[0].1 {
        if let rows, case .current = rows.status { continue }
        print("\(name): rows are late at the end: \(rows.map { "\($0.status)" } ?? "-")")
      }
      return figures
    }
  }
#else
  func postgresRowsWorks(_ options: Options) -> [Work] { [] }
#endif
