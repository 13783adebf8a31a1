#if SQLite
  import Alter
  import AlterSQLite
  import FaultModel

  /// Counts batches until it is killed, with up to three of them in flight.
  func write(to path: String, as name: String, padding: Int) async throws {
    var options = StoreOptions()
    options.snapshotSpacing = 40
    let store = try await Store.open(Tally(), in: SQLiteJournal(at: path, lockTimeout: .seconds(600)), options: options)
    let text = String(repeating: "x", count: padding)
    var number = store.state.batches(of: name)
    say("open")
    var underway: [(number: Int, commit: Commit<Tally>)] = []
    while true {
      while underway.count < 3 {
        number += 1
        underway.append((number, try store.change(Tally.batch(number, of: name, padding: text))))
      }
      let first = underway.removeFirst()
      try await first.commit.durable()
      say("\(first.number)")
    }
  }
#endif
