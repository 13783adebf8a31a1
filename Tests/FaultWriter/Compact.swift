#if SQLite
  import AlterJournal
  import AlterSQLite

  /// Compacts a journal, so that this number of entries stays at least, and prints a line before and after.
  func compact(_ path: String, keeping count: Int) async throws {
    let journal = try await SQLiteJournal(at: path, lockTimeout: .seconds(600))
    let plan = try await journal.compactionPlan(keeping: .last(count))
    say("planned \(plan.floor.number)")
    try await journal.compact(plan)
    say("compacted \(plan.floor.number)")
    await journal.close()
  }
#endif
