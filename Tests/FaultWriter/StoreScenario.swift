#if SQLite
  import Alter
  import AlterJournal
  import AlterSQLite
  import FaultModel

  /// Opens a store, changes it with snapshots and undo, closes it, and opens it again.
  struct StoreScenario: Scenario {
    private let path: String
    private(set) var errors: [JournalError] = []
    private var store: Store<Tally>?
    private var acknowledged = 0

    init(folder: String) { path = folder + "/journal.db" }

    private var options: StoreOptions {
      var options = StoreOptions()
      options.snapshotSpacing = 3
      // Only snapshots run in the background, so that the order of calls is nearly the same each time.
      options.followsOthers = false
      options.outageTimeout = .milliseconds(20)
      // Pauses are short, and the deadline of closing is longer than they are.
      options.environment.sleep = { try await Task.sleep(for: $0 < .seconds(5) ? .milliseconds(1) : .milliseconds(50)) }
      return options
    }

    mutating func play() async {
      for _ in 0..<8 { await count() }
      await close()
    }

    /// Counts the next batch. A batch that was not acknowledged may be in the journal, so its number depends on the state.
    private mutating func count() async {
      for _ in 0..<3 {
        do {
          if store == nil { store = try await Store.open(Tally(), in: SQLiteJournal(at: path), options: options) }
          guard let store else { return }
          let number = store.state.batches(of: "faults") + 1
          try await store.change(Tally.batch(number, of: "faults")).durable()
          acknowledged = number
          return
        } catch {
          switch error {
          case let error as JournalError: errors.append(error)
          case ChangeError<Refusal>.failed(let error), CommitError<Refusal>.failed(let error), CommitError<Refusal>.unknown(let error),
            CommitError<Refusal>.notYet(let error?):
            errors.append(error)
          default: errors.append(JournalError(.undecodable, journal: path, message: "threw \(error)"))
          }
          await close()
        }
      }
    }

    private mutating func close() async {
      await store?.close(deadline: .seconds(5))
      store = nil
    }

    mutating func check() async throws {
      await close()
      let journal = try await SQLiteJournal(at: path)
      var options = options
      options.keepsJournalOpen = true
      let store = try await Store.open(Tally(), in: journal, options: options)
      let found = store.state.batches(of: "faults")
      guard found >= acknowledged, found <= 8, store.state.counted.values.allSatisfy({ $0 % Tally.parts == 0 }) else {
        throw Violation("\(acknowledged) batches were acknowledged, and \(store.state) is there")
      }
      try await store.change(Tally.batch(found + 1, of: "faults")).durable()
      await store.close()
      try await Store<Tally>.verify(journal)
      await journal.close()
    }
  }
#endif
