#if Postgres
  import AlterCore
  import AlterJournal
  import AlterTesting
  import ProcessTesting
  import Foundation
  import StoreTesting
  import Testing

  @testable import AlterPostgres

  /// Slow, failing and idle transactions of other clients, and a reader that tails the journal meanwhile. In such cases readers that rely
  /// on a sequence number skip rows.
  @Suite("A tailing reader", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct TailTests {
    private enum Fate: CaseIterable { case commits, aborts, isCutOff }

    @Test("sees every committed entry once and in order, whatever becomes of slow transactions", arguments: 1...6 as ClosedRange<UInt64>)
    func interleavings(seed: UInt64) async throws {
      let server = try TestServer.shared()
      let key = freshKey("tail")
      let slow = try await PostgresJournal(at: server.address("application_name=slow"), key: key)
      let quick = try await PostgresJournal(at: server.address("application_name=quick"), key: key, lockTimeout: .seconds(60))
      let reader = try await PostgresJournal(at: server.address("application_name=reader"), key: key)
      let rounds = 6
      let tail = Task {
        var entries: [Entry] = []
        for try await entry in reader.tail() {
          entries.append(entry)
          if entry.payload == Data(#""end""#.utf8) { break }
        }
        return entries
      }
      var random = SeededGenerator(seed: seed)
      var (slowWriter, quickWriter) = (TestWriter(), TestWriter())
      var committed: [Entry.Draft] = []
      for _ in 0..<rounds {
        let head = try await quick.head()
        let open = try await OpenAppend(slowWriter.drafts(Int.random(in: 1...3, using: &random)), after: head, to: slow)
        // A client that stays idle in a transaction that has read everything.
        let idle = try await slow.pool.borrow(until: .now + .patient, waiting: ServerWait()) { _ in
          [Call(once: "BEGIN ISOLATION LEVEL REPEATABLE READ"), Call(slow.statements.head, Parameters(.number(slow.place.number)))]
        }.get()
        let mine = quickWriter.drafts(2)
        let waiting = Task { try await quick.append(mine, after: head) }
        // Uncommitted entries are invisible to a reader that asks and to one that waits.
        #expect(try await reader.head() == head)
        #expect(try await reader.entries(after: head.revision, limit: 10).isEmpty)
        switch Fate.allCases.randomElement(using: &random) ?? .commits {
        case .commits:
          try await open.commit()
          committed += open.drafts
          await #expect { try await waiting.value } throws: { ($0 as? JournalError)?.code == .conflict }
          _ = try await quick.append(mine, after: try await quick.head())
        case .aborts:
          try await open.abort()
          #expect(try await waiting.value.first == head.revision.next)
        case .isCutOff:
          open.cutOff()
          #expect(try await waiting.value.first == head.revision.next)
        }
        committed += mine
        slow.pool.giveBack(idle, rollingBack: true)
      }
      committed.append(quickWriter.draft(#""end""#))
      _ = try await quick.append([committed[committed.count - 1]], after: try await quick.head())
      let seen = try await tail.value
      #expect(seen.map(\.draft) == committed, "seed \(seed)")
      #expect(seen.map(\.revision.number) == Array(1...Int64(committed.count)), "seed \(seed)")
      for journal in [slow, quick, reader] { await journal.close() }
    }

    @Test("is told by the server's notification, by an entry of any machine, over one connection for all journals")
    func oneConnection() async throws {
      let server = try TestServer.shared()
      let name = freshKey("followers").replacingOccurrences(of: " ", with: "")
      let keys = (0..<100).map { "\(name) \($0)" }
      var readers: [PostgresJournal] = []
      for key in keys { readers.append(try await PostgresJournal(at: server.address("application_name=\(name)"), key: key)) }
      let waits = readers.map { reader in Task { try await reader.waitForEntry(after: .zero) } }
      for key in keys {
        let writer = try await PostgresJournal(at: server.address("application_name=\(name)writer"), key: key)
        var drafts = TestWriter()
        _ = try await writer.append(drafts.drafts(1), after: try await writer.head())
        await writer.close()
      }
      for wait in waits { try await wait.value }
      let connections = try await server.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(name)'")
      // One connection that follows, two that read, and at most eight that created the journals: not a hundred.
      #expect(Int(connections).map { $0 <= 11 } == true, "\(connections) connections")
      for reader in readers { await reader.close() }
    }
  }
#endif
