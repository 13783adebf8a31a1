#if SQLite
  import Alter
  import AlterJournal
  import AlterSQLite
  import FaultModel
  import InterposedCalls

  /// Takes a turn or a lease, waits for a line, and then writes under it.
  func hold(_ what: String, at path: String) async throws {
    switch what {
    case "turn":
      let journal = try await SQLiteJournal(at: path)
      var drafts = Drafts()
      let head = try await journal.head()
      let turn = try await journal.takeTurn()
      say("held")
      hear()
      say(await outcome { () async throws(JournalError) in try await journal.append(drafts.next(1), after: head, in: turn) })
      turn.end()
      await journal.close()
    case "lease":
      let journal = try await SQLiteJournal(at: path)
      var drafts = Drafts()
      let head = try await journal.head()
      // The lease expires as soon as it is granted. This process does not detect that.
      let lease = try await journal.lease("sync", for: drafts.origin, lasting: .zero)
      say("held")
      hear()
      let first = drafts.next(1)
      say(await outcome { () async throws(JournalError) in try await journal.append(first, after: head, in: nil, under: [lease]) })
      await journal.close()
    case "store":
      var options = StoreOptions()
      options.keepsJournalOpen = true
      let journal = try await SQLiteJournal(at: path)
      let store = try await Store.open(Tally(), in: journal, options: options)
      let lease = try await journal.lease("sync", for: .random(), lasting: .zero)
      say("held")
      hear()
      let commit = try store.change(Tally.batch(1, of: "late"), under: lease)
      do {
        try await commit.durable()
        say("done")
      } catch { say("\(error)") }
      await store.close()
      await journal.close()
    default: say("unknown: \(what)")
    }
  }

  /// 'done', or the code of the error.
  private func outcome(_ work: () async throws(JournalError) -> Appended) async -> String {
    do throws(JournalError) {
      _ = try await work()
      return "done"
    } catch { return error.code.rawValue }
  }

  /// Writes while the wall clock is set back by days, and prints the results.
  func setClockBack(at path: String) async throws {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    let journal = try await SQLiteJournal(at: path)
    let store = try await Store.open(Tally(), in: journal, options: options)
    let day: Int64 = 86_400
    let (early, late) = (Origin.random(), Origin.random())
    // The lease is granted for an hour, by a clock that is two days ahead.
    interposed_shift_clock(2 * day)
    let first = try await journal.lease("sync", for: early, lasting: .seconds(3_600))
    try await store.change(Tally.batch(1, of: "clock")).durable()
    for (number, shift) in [(2, 0), (3, -day), (4, -30 * day), (5, day)] {
      interposed_shift_clock(shift)
      try await store.change(Tally.batch(number, of: "clock")).durable()
    }
    interposed_shift_clock(0)
    // The grant is in the future now, so the lease is free. The epoch distinguishes the two grants.
    let second = try await journal.lease("sync", for: late, lasting: .seconds(3_600))
    say("epochs \(first.epoch) \(second.epoch)")
    let stale = try store.change(Tally.batch(6, of: "clock"), under: first)
    do {
      try await stale.durable()
      say("late append done")
    } catch { say("late append rejected") }
    try await store.change(Tally.batch(6, of: "clock"), under: second).durable()
    await store.close()
    await journal.close()
    say("batches \(store.state.batches(of: "clock"))")
  }
#endif
