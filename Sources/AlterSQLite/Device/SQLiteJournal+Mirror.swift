#if SQLite
  import AlterJournal

  // The device's side of a synced journal. Only `AlterSync` uses it.
  extension SQLiteJournal {
    /// Runs one transaction of a device's file, under the lock. It is durable when this method returns, and wakes all handles of the journal.
    ///
    /// - Parameter body: The transaction. It returns the row of the device as it has written it, or nil if nothing has changed. If it throws,
    ///   nothing was changed.
    package func changeMirror<Answer: Sendable>(
      _ body: @escaping @Sendable (MirrorTables) throws -> (answer: Answer, device: MirrorTables.Device?)
    ) async throws(JournalError) -> Answer {
      let changed = try await write(for: "sync") { writer, journal throws(JournalError) in try writer.mirror(journal, body) }
      if let device = changed.device {
        file.followers.advance(journal.number, toTransaction: device.transactions)
        file.followers.advance(journal.number, to: changed.end)
      }
      return changed.answer
    }

    /// Reads a device's file in one moment.
    ///
    /// - Parameter body: The reads.
    /// - Throws: `failed` if the file has no synced journal; any error of the body.
    package func readMirror<Answer: Sendable>(
      _ body: @escaping @Sendable (MirrorTables) throws -> Answer
    ) async throws(JournalError) -> Answer {
      try await read { reader, journal throws(JournalError) in try reader.mirror(journal, body) }
    }

    /// Returns as soon as the device's file has had more transactions, of any process.
    package func waitForTransaction(after number: Int64) async throws(JournalError) {
      try journal.checkOpen()
      let isBehind = file.followers.begin(journal, by: file.watch)
      defer { file.followers.finish(journal, by: file.watch) }
      if isBehind {
        do {
          let now = try await readMirror { try $0.device()?.transactions }
          if let now { journal.transactions.advance(to: now) }
        } catch {
          file.followers.lose(journal, by: file.watch)
          throw error
        }
      }
      try await journal.transactions.wait(past: number)
    }
  }
#endif
