#if Postgres
  import Alter
  import AlterCore
  import AlterJournal
  import AlterPostgres
  import ProcessTesting
  import Foundation
  import StoreTesting
  import Testing

  @testable import ledger_writer

  /// A commit that waits for a synchronous standby becomes visible as soon as its wait ends, even if the standby doesn't have it. Each test
  /// has its own primary and standby, and stops the standby.
  @Suite("A synchronous standby", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct StandbyTests {
    /// The ways in which an operator ends a wait for the standby.
    enum Interruption: String, CaseIterable {
      /// The connection is lost.
      case terminate = "pg_terminate_backend"
      /// The connection stays: the server reports success and a warning.
      case cancel = "pg_cancel_backend"
    }

    /// A primary that waits for its standby.
    private struct Pair {
      let primary: TestServer
      let standby: TestServer

      init() async throws {
        primary = try TestServer()
        standby = try TestServer(standbyOf: primary)
        try await primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try await primary.sql("SELECT pg_reload_conf()")
        #expect(try await primary.holds("EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')"))
      }

      var address: PostgresServer { primary.address("application_name=writer") }

      /// The part of a query that selects the writers' connections that wait for the standby, with a statement that began after a moment.
      private func waiting(since moment: String) -> String {
        """
        FROM pg_stat_activity WHERE application_name = 'writer' AND wait_event = 'SyncRep' AND query_start > '\(moment)'
        """
      }

      /// Ends the wait for the standby.
      ///
      /// - Returns: The moment of the interruption.
      func interrupt(by interruption: Interruption) async throws -> String {
        try #require(try await primary.holds("EXISTS (SELECT \(waiting(since: "-infinity")))"))
        let moment = try await primary.sql("SELECT clock_timestamp()")
        try await primary.sql("SELECT \(interruption.rawValue)(pid) \(waiting(since: "-infinity"))")
        return moment
      }

      /// Whether a statement that began after a moment waits for the standby. Repeats the query until it does, or until the flag is set.
      func waits(since moment: String, unless isOver: Lock<Bool>) async throws -> Bool {
        try await primary.holds("EXISTS (SELECT \(waiting(since: moment)))", unless: isOver) && !isOver.withLock { $0 }
      }
    }

    /// A call in a task, with a flag that shows whether it has returned.
    private struct Watched<Value: Sendable>: Sendable {
      let task: Task<Value, any Error>
      let isOver = Lock(false)

      init(_ body: @escaping @Sendable () async throws -> Value) {
        task = Task { [isOver] in
          defer { isOver.withLock { $0 = true } }
          return try await body()
        }
      }
    }

    @Test(
      "has every append that is acknowledged, also when the append's wait was interrupted and its entries are found again",
      arguments: Interruption.allCases, [false, true])
    func append(interruption: Interruption, inTurn: Bool) async throws {
      let pair = try await Pair()
      let journal = try await PostgresJournal(at: pair.address)
      var writer = TestWriter()
      let first = try await journal.append(writer.drafts(1), after: try await journal.head()).head
      let drafts = writer.drafts(2)
      let turn = inTurn ? try await journal.takeTurn() : nil
      try await pair.standby.stop()
      let append = Watched {
        while true {
          // The reaction of a store to an unknown outcome.
          do throws(JournalError) { return try await journal.append(drafts, after: first, in: turn) } catch {
            guard error.code == .unknownOutcome else { throw error }
          }
        }
      }
      let moment = try await pair.interrupt(by: interruption)
      #expect(try await pair.waits(since: moment, unless: append.isOver), "it was acknowledged, and no standby has it")
      #expect(try await pair.primary.sql("SELECT count(*) FROM alter.entry") == "3", "it is there all the same")
      try await pair.standby.start()
      let appended = try await append.task.value
      #expect(appended.first == 2 && appended.head.revision == 3)
      #expect(try await pair.standby.holds("(SELECT count(*) = 3 FROM alter.entry)"))
      turn?.end()
      #expect(try await journal.verify() == appended.head)
      await journal.close()
    }

    @Test("has every change of a store that is durable", arguments: Interruption.allCases)
    func store(interruption: Interruption) async throws {
      let pair = try await Pair()
      var options = StoreOptions()
      options.outageTimeout = .patient
      let store = try await Store.open(Ledger(), in: PostgresJournal(at: pair.address), options: options)
      try await store.change(.count("a", 1)).durable()
      try await pair.standby.stop()
      let commit = try store.change(.count("a", 2))
      let durable = Watched { _ = try await commit.durable() }
      let moment = try await pair.interrupt(by: interruption)
      #expect(try await pair.waits(since: moment, unless: durable.isOver), "it is durable, and no standby has it")
      try await pair.standby.start()
      try await durable.task.value
      await store.close()
    }

    @Test("has an append of unknown outcome before the handle that made it can read it", arguments: Interruption.allCases)
    func reading(interruption: Interruption) async throws {
      let pair = try await Pair()
      let journal = try await PostgresJournal(at: pair.address)
      let other = try await PostgresJournal(at: pair.primary.address("application_name=reader"), isReadOnly: true)
      var writer = TestWriter()
      let first = try await journal.append(writer.drafts(1), after: try await journal.head()).head
      try await pair.standby.stop()
      let drafts = writer.drafts(2)
      let append = Watched { try await journal.append(drafts, after: first) }
      // The second wait belongs to the journal, which checks the outcome at once.
      var moment = try await pair.interrupt(by: interruption)
      if interruption == .cancel {
        #expect(try await pair.waits(since: moment, unless: append.isOver))
        moment = try await pair.interrupt(by: .terminate)
      }
      await #expect { try await append.task.value } throws: { ($0 as? JournalError)?.code == .unknownOutcome }
      // Other connections see the entries; this is a rule of the server.
      #expect(try await other.entries(after: 1, limit: 10).map(\.draft) == drafts)
      let page = Watched { try await journal.entries(after: 1, limit: 10) }
      #expect(try await pair.waits(since: moment, unless: page.isOver), "it was read, and no standby has it")
      try await pair.standby.start()
      #expect(try await page.task.value.map(\.draft) == drafts)
      #expect(try await journal.entry(drafts[1].id)?.revision == 3)
      await journal.close()
      await other.close()
    }

    @Test("has every lease that is granted: one whose wait was interrupted is asked for again")
    func lease() async throws {
      let pair = try await Pair()
      let journal = try await PostgresJournal(at: pair.address)
      let holder = Origin.random()
      try await pair.standby.stop()
      let grant = Watched { try await journal.lease("sync", for: holder, lasting: .seconds(60)) }
      _ = try await pair.interrupt(by: .cancel)
      await #expect { try await grant.task.value } throws: { ($0 as? JournalError)?.code == .unknownOutcome }
      try await pair.standby.start()
      #expect(try await journal.lease("sync", for: holder, lasting: .seconds(60)).epoch == 1)
      await journal.close()
    }

    @Test("is not waited for by a relaxed journal, whose entries are found again without it")
    func relaxed() async throws {
      let pair = try await Pair()
      let journal = try await PostgresJournal(at: pair.address, key: "relaxed", durability: .relaxed)
      let empty = try await journal.head()
      try await pair.standby.stop()
      var writer = TestWriter()
      let drafts = writer.drafts(2)
      let appended = try await journal.append(drafts, after: empty)
      #expect(try await journal.append(drafts, after: empty) == appended)
      await journal.close()
    }
  }
#endif
