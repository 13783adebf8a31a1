#if Service
  import Alter
  import AlterService
  import AlterTesting
  import StoreTesting
  import Testing

  #if SQLite
    import AlterRows
    import GRDB
  #endif

  @Suite("The telemetry of a store", .timeLimit(.minutes(10)))
  struct StoreTelemetryTests {
    @Test("counts changes, flights and openings; every gauge is at zero after the end")
    func life() async throws {
      let recording = Recording()
      let store = try await Store.open(Credit(), in: MemoryJournal(), options: recording.options)
      #expect(recording.value("alter_stores", ["status": "open"]) == 1)
      for number in 1...3 { try await store.change(.add(number)).durable() }
      #expect(throws: ChangeError<Refusal>.self) { try store.change(.add(-100)) }
      #expect(recording.value("alter_store_commits_total", ["outcome": "confirmed"]) == 3)
      await store.close()
      #expect(recording.value("alter_store_opening_duration_seconds", ["outcome": "opened"]) == 1)
      #expect(try #require(recording.value("alter_store_flight_duration_seconds")) >= 1)
      let sizes = try recording.metrics.expectRecorder("alter_store_flight_changes").values
      #expect(sizes.reduce(0, +) == 3)
      #expect(recording.value("alter_stores", ["status": "open"]) == 0)
      #expect(recording.value("alter_store_pending_changes") == 0)
      #expect(recording.messages.contains("debug: The store was opened."))
      #expect(recording.messages.contains("debug: The store was closed."))
      #expect(recording.spans.contains("alter.store.open") && recording.spans.contains("alter.store.flight"))
    }

    #if SQLite
      @Test("shows the lag of rows: it grows while they can't be written, and is zero afterwards and after the end")
      func rows() async throws {
        let recording = Recording()
        let store = try await Store.open(Credit(), in: MemoryJournal(), options: recording.options)
        let queue = try DatabaseQueue()
        let rows = try await Rows(of: store, in: queue, version: 1) {
          RowTable("credit", columns: ["name", "text"]) { [["count", .text(String(repeating: "long ", count: $0.count * 10_000))]] }
        }
        try await store.change(.add(1)).durable()
        _ = try await rows.read { _ in 0 }
        #expect(try #require(recording.value("alter_rows_advance_duration_seconds")) >= 1)
        #expect(recording.value("alter_rows_lag_entries") ?? 0 == 0)
        try await queue.write { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        for _ in 1...3 { try await store.change(.add(1)).durable() }
        await #expect(throws: DatabaseError.self) { try await rows.read { _ in 0 } }
        #expect(recording.value("alter_rows_lag_entries") == 3)
        #expect(recording.messages.filter { $0 == "warning: Rows can't be written. They are tried again." }.count == 1)
        try await queue.write { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        _ = try await rows.read { _ in 0 }
        #expect(recording.value("alter_rows_lag_entries") == 0)
        #expect(recording.messages.contains("notice: Rows can be written again."))
        try await queue.write { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        try await store.change(.add(1)).durable()
        await #expect(throws: DatabaseError.self) { try await rows.read { _ in 0 } }
        await rows.close()
        #expect(recording.value("alter_rows_lag_entries") == 0)
        await store.close()
      }
    #endif

    @Test("counts a store that is released without closing as gone")
    func released() async throws {
      let recording = Recording()
      var store: Store<Credit>? = Store(Credit(), options: recording.options)
      try store?.change(.add(1))
      #expect(recording.value("alter_stores", ["status": "open"]) == 1)
      store = nil
      #expect(recording.value("alter_stores", ["status": "open"]) == 0)
    }

    @Test("counts conflicts, and the changes that they make impossible")
    func conflicts() async throws {
      let recording = Recording()
      let journal = MemoryJournal()
      var others = StoreOptions()
      others.keepsJournalOpen = true
      var options = recording.options
      (options.keepsJournalOpen, options.followsOthers) = (true, false)
      let other = try await Store.open(Credit(), in: journal, options: others)
      try await other.change(.add(1)).durable()
      let store = try await Store.open(Credit(), in: journal, options: options)
      try await other.change(.add(-1)).durable()
      let commit = try store.change(.add(-1))
      await #expect(throws: CommitError<Refusal>.self) { try await commit.durable() }
      #expect(recording.value("alter_store_conflicts_total") == 1)
      #expect(recording.value("alter_store_commits_total", ["outcome": "dropped"]) == 1)
      #expect(recording.value("alter_store_commits_total", ["outcome": "confirmed"]) == nil)
      await store.close()
      await other.close()
    }

    @Test("shows an outage with its reason, its pending changes and its end")
    func outage() async throws {
      let recording = Recording()
      let away = JournalError(.unavailable, journal: "test", message: "is away.")
      let journal = SimulatedJournal(MemoryJournal())
      var options = recording.options
      let pause = AsyncStream<Void>.makeStream()
      let sleeping = AsyncStream<Void>.makeStream()
      options.outageTimeout = .seconds(3_600)
      options.environment.sleep = { duration in
        // The timer of the outage itself.
        if duration >= .seconds(3_600) { return try await Task.sleep(for: duration) }
        sleeping.continuation.yield()
        for await _ in pause.stream { return }
      }
      let store = try await Store.open(Credit(), in: journal, options: options)
      journal.nextAppends(.fail(away))
      let commit = try store.change(.add(1))
      for await _ in sleeping.stream { break }
      #expect(recording.value("alter_stores", ["status": "waiting"]) == 1)
      #expect(recording.value("alter_stores", ["status": "open"]) == 0)
      #expect(recording.value("alter_store_pending_changes") == 1)
      let warning = try #require(recording.handler.entries.first { $0.level == .warning })
      #expect(warning.metadata["alter.code"] == "unavailable")
      #expect(warning.metadata["alter.journal"] == "\(journal.name)")
      pause.continuation.yield()
      try await commit.durable()
      #expect(recording.value("alter_stores", ["status": "waiting"]) == 0)
      #expect(recording.value("alter_stores", ["status": "open"]) == 1)
      #expect(recording.messages.contains("notice: The journal can be reached again."))
      await store.close()
      #expect(recording.value("alter_store_pending_changes") == 0)
    }

    @Test("shows a permanent failure, and the changes that were not written")
    func failure() async throws {
      let recording = Recording()
      let journal = SimulatedJournal(MemoryJournal())
      let store = try await Store.open(Credit(), in: journal, options: recording.options)
      journal.nextAppends(.fail(JournalError(.readOnly, journal: "test", message: "is read-only.")))
      await #expect(throws: CommitError<Refusal>.self) { try await store.change(.add(1)).durable() }
      #expect(recording.value("alter_stores", ["status": "failed"]) == 1)
      #expect(recording.value("alter_store_problems_total", ["kind": "failed"]) == 1)
      #expect(recording.value("alter_store_commits_total", ["outcome": "failed"]) == 1)
      #expect(recording.value("alter_store_pending_changes") == 1)
      #expect(recording.messages.contains("error: The journal has failed permanently."))
      #expect(await store.close().count == 1)
      #expect(recording.value("alter_stores", ["status": "failed"]) == 0)
      #expect(recording.value("alter_store_pending_changes") == 0)
    }

    @Test("counts an opening that fails, and has the error in its span")
    func failedOpening() async throws {
      let recording = Recording()
      let broken = JournalError(.damaged, journal: "test", message: "is damaged.")
      let journal = SimulatedJournal(MemoryJournal(), reads: [.fail(broken)])
      await #expect(throws: JournalError.self) { try await Store.open(Credit(), in: journal, options: recording.options) }
      #expect(recording.value("alter_store_opening_duration_seconds", ["outcome": "failed"]) == 1)
      #expect(recording.value("alter_stores", ["status": "open"]) ?? 0 == 0)
      let span = try #require(recording.tracer.finishedSpans.first)
      #expect(span.status?.code == .error && span.errors.count == 1)
      #expect(span.endInstant.nanosecondsSinceEpoch >= span.startInstant.nanosecondsSinceEpoch)
    }

    @Test("counts problems that no caller waits for, once each")
    func problems() async throws {
      let recording = Recording()
      let journal = MemoryJournal()
      var options = recording.options
      (options.keepsJournalOpen, options.followsOthers) = (true, false)
      let other = try await Store.open(Credit(), in: journal, options: options)
      try await other.change(.add(1)).durable()
      let store = try await Store.open(Credit(), in: journal, options: options)
      try await other.change(.add(-1)).durable()
      try store.change(.add(-1))
      for await problem in store.problems { if case .lost = problem { break } }
      await store.close()
      #expect(recording.value("alter_store_problems_total", ["kind": "lost"]) == 1)
      #expect(recording.messages.count { $0.hasPrefix("error: The change") } == 1)
      await other.close()
    }

    @Test("counts snapshots with their sizes, and those that could not be made")
    func snapshots() async throws {
      let recording = Recording()
      var options = recording.options
      (options.snapshotSpacing, options.undoWindow) = (10, 1)
      let store = try await Store.open(Credit(), in: MemoryJournal(), options: options)
      for _ in 1...100 { try await store.change(.add(1)).durable() }
      await store.close()
      let count = try #require(recording.value("alter_store_snapshot_duration_seconds"))
      #expect(count >= 1)
      let sizes = try recording.metrics.expectRecorder("alter_store_snapshot_bytes").values
      #expect(sizes.count == count && sizes.allSatisfy { $0 > 0 })
      #expect(recording.spans.count { $0 == "alter.store.snapshot" } == count)
      #expect(recording.value("alter_store_snapshot_failures_total") == nil)
    }

    @Test("counts snapshots that could not be made, and says why")
    func failedSnapshots() async throws {
      let recording = Recording()
      var options = recording.options
      (options.snapshotSpacing, options.undoWindow) = (10, 1)
      let journal = ScriptedJournal()
      journal.fail(.keep, with: JournalError(.full, journal: "memory", message: "has no room for a snapshot."))
      let store = try await Store.open(Credit(), in: journal, options: options)
      for _ in 1...100 { try await store.change(.add(1)).durable() }
      await store.close()
      #expect(try #require(recording.value("alter_store_snapshot_failures_total")) >= 1)
      #expect(recording.value("alter_store_snapshot_duration_seconds") == nil)
      let notice = try #require(recording.handler.entries.first { $0.level == .notice })
      #expect(notice.metadata["alter.error"]?.description.contains("no room") == true)
    }

    @Test("logs nothing below the logger's level")
    func level() async throws {
      let recording = Recording(level: .warning)
      let store = try await Store.open(Credit(), in: MemoryJournal(), options: recording.options)
      try await store.change(.add(1)).durable()
      await store.close()
      #expect(recording.messages.isEmpty)
    }
  }
#endif
