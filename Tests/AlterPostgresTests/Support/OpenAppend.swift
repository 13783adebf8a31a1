#if Postgres
  import AlterCore
  import AlterJournal
  import StoreTesting

  @testable import AlterPostgres

  /// An append that is not committed yet, in a transaction that the test holds open. No hint follows it.
  struct OpenAppend {
    let journal: PostgresJournal
    let borrowed: Pool.Borrowed
    let drafts: [Entry.Draft]

    init(_ drafts: [Entry.Draft], after head: Head, to journal: PostgresJournal) async throws {
      var (entries, end): ([Entry], Head) = ([], head)
      for draft in drafts {
        let entry = Entry(draft, after: end)
        entries.append(entry)
        end = end.advanced(by: entry)
      }
      borrowed = try await journal.pool.borrow(until: .now + .patient, waiting: ServerWait()) { [entries] in
        [Call(once: "BEGIN").announced, journal.appending(entries, after: head, lockTimeout: $0)]
      }.get()
      self.journal = journal
      self.drafts = drafts
    }

    func commit() async throws { try await end("COMMIT") }
    func abort() async throws { try await end("ROLLBACK") }

    private func end(_ statement: String) async throws {
      _ = try await journal.pool.run([Call(once: statement)], on: borrowed).get()
      journal.pool.giveBack(borrowed, rollingBack: false)
    }

    /// Closes the connection, as the end of the process would.
    func cutOff() {
      journal.pool.loop.async { [borrowed] in borrowed.connection.close() }
      journal.pool.giveBack(borrowed, rollingBack: false)
    }
  }
#endif
