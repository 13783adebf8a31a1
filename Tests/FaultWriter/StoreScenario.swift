#if SQLite
  import Alter
  import AlterJournal
  import AlterSQLite
  import FaultModel

  /// A store that is opened, changed, with snapshots and undo, closed and opened again.
  struct StoreScenario: Scenario {
    private let path: String
    private(set) var errors: [JournalError] = []
    private var store: Store<Tally>?
    private var acknowledged = 0

    init(folder: String) { path = folder + "/journal.db" }

    private var options: StoreOptions {
      var options = StoreOptions()
      options.snapshotSpacing = 3
      // Nothing in the background but snapshots, so that calls come in much the same order each time.
      options.followsOthers = false
      options.outageTimeout = .milliseconds(20)
      // Short pauses; the deadline of closing is longer than they are.
      options.sleep = { try await Task.sleep(for: $0 < .seconds(5) ? .milliseconds(1) : .milliseconds(50)) }
      return options
    }

    mutating func play() async {
      for _ in 0..<8 { await count() }
      await close()
    }

    /// The next batch, whichever that is: one that was not acknowledged may be there.
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
