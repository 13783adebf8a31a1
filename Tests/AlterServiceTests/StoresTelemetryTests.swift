#if Service
  import Alter
  import AlterTesting
  import Testing
  import Tracing

  @testable import AlterService

  @Suite("The telemetry of stores by key, of feedbacks and of PostgreSQL", .timeLimit(.minutes(10)))
  struct StoresTelemetryTests {
    @Test("shows the keys of Stores by phase, evictions and failed openings; all gauges end at zero")
    func keys() async throws {
      let recording = Recording()
      let stores = Stores(in: .memory, budget: StoresBudget(stores: 2), options: recording.options) { _ in Credit() }
      for key in ["a", "b", "c", "d"] { try await stores[key].change(.add(1)).durable() }
      #expect(recording.value("alter_stores_opening_duration_seconds", ["outcome": "opened"]) == 4)
      await #expect(throws: JournalError.self) { try await stores["broken"] }
      #expect(recording.value("alter_stores_opening_duration_seconds", ["outcome": "failed"]) == 1)
      #expect(recording.messages.contains("warning: The store of a key could not be opened."))
      let report = stores.report
      #expect(recording.value("alter_stores_closings_total", ["reason": "idle"]) == report.evicted)
      #expect(report.evicted >= 2)
      await stores.close()
      for phase in ["waiting", "opening", "open", "closing"] {
        #expect(recording.value("alter_stores_keys", ["phase": phase]) ?? 0 == 0, "\(phase)")
      }
      #expect(recording.value("alter_stores", ["status": "open"]) == 0)
      #expect(recording.value("alter_store_commits_total", ["outcome": "confirmed"]) == 4)
    }

    @Test("counts Stores that are released without closing as gone")
    func released() async throws {
      let recording = Recording()
      var stores: Stores<Credit>? = Stores(in: .memory, options: recording.options) { _ in Credit() }
      _ = try await stores?["a"]
      #expect(recording.value("alter_stores_keys", ["phase": "open"]) == 1)
      stores = nil
      #expect(recording.value("alter_stores_keys", ["phase": "open"]) == 0)
    }

    @Test("has no label that grows with the number of stores, and only the metrics of the table")
    func labels() async throws {
      let recording = Recording()
      let stores = Stores(in: .memory, budget: StoresBudget(stores: 2), options: recording.options) { _ in Credit() }
      for number in 1...5 { try await stores["customer-\(number)"].change(.add(1)).durable() }
      await stores.close()
      for use in recording.used {
        let metric = try #require(Metric.all.first { $0.name == use.name }, "\(use.name)")
        #expect(metric.kind == use.kind, "\(use.name)")
        #expect(metric.labels == use.labels.map(\.0), "\(use.name)")
        #expect(!use.labels.contains { $0.1.contains("customer") }, "\(use)")
      }
    }

    @Test("shows a feedback's lease and its effects, which run in a span")
    func feedback() async throws {
      let recording = Recording()
      let store = try await Store.open(Credit(), in: MemoryJournal(), options: recording.options)
      let double = Feedback<Credit, Void>("double", request: { $0.isAsked ? $0.count : nil }) { count, _ in
        // The span of a request that the effect makes is part of the effect's.
        recording.tracer.withSpan("request") { _ in .answer(2 * count) }
      }
      let run = try store.run([double])
      try await store.change(.add(3)).durable()
      try await store.change(.ask).durable()
      for await count in store.values(of: \.count) where count == 6 { break }
      await run.stop()
      #expect(recording.value("alter_feedback_effect_duration_seconds", ["feedback": "double"]) == 1)
      #expect(recording.value("alter_feedback_effects", ["feedback": "double"]) == 0)
      #expect(recording.value("alter_feedback_lease_steps_total", ["feedback": "double", "step": "taken"]) == 1)
      #expect(recording.value("alter_feedback_lease_steps_total", ["feedback": "double", "step": "released"]) == 1)
      #expect(recording.value("alter_feedback_leases", ["feedback": "double"]) == 0)
      let spans = recording.tracer.finishedSpans
      let effect = try #require(spans.first { $0.operationName == "alter.feedback.effect" })
      let request = try #require(spans.first { $0.operationName == "request" })
      #expect(request.parentSpanID == effect.spanID)
      #expect(effect.attributes.get("alter.feedback") == .string("double"))
      await store.close()
    }

    @Test("shows that another replica has taken a lease over")
    func lostLease() async throws {
      let recording = Recording()
      let journal = SimulatedJournal(MemoryJournal())
      var options = recording.options
      options.keepsJournalOpen = true
      let store = try await Store.open(Credit(), in: journal, options: options)
      var runOptions = FeedbackOptions()
      let clock = TestClock()
      runOptions.clock = clock.clock
      let hold = AsyncStream<Void>.makeStream()
      let isRunning = AsyncStream<Void>.makeStream()
      let wait = Feedback<Credit, Void>("wait", request: { $0.isAsked ? 1 : nil }) { _, _ in
        isRunning.continuation.yield()
        for await _ in hold.stream { break }
        throw CancellationError()
      }
      let run = try store.run([wait], options: runOptions)
      try await store.change(.ask).durable()
      for await _ in isRunning.stream { break }
      #expect(recording.value("alter_feedback_leases", ["feedback": "wait"]) == 1)
      #expect(recording.value("alter_feedback_effects", ["feedback": "wait"]) == 1)
      journal.nextLeases(.fail(JournalError(.leased, journal: "test", message: "is held by another.")))
      await clock.sleepers(1)
      clock.advance(by: .seconds(5))
      while recording.value("alter_feedback_leases", ["feedback": "wait"]) == 1 { await Task.yield() }
      #expect(recording.value("alter_feedback_lease_steps_total", ["feedback": "wait", "step": "lost"]) == 1)
      hold.continuation.finish()
      await run.stop()
      await store.close()
    }
  }

  extension JournalPlaces {
    /// Journals in memory, which forget everything when they are closed. The key 'broken' can't be opened.
    static let memory = JournalPlaces { key throws(JournalError) in
      if key == "broken" { throw JournalError(.damaged, journal: key, message: "is broken.") }
      return MemoryJournal()
    }
  }
#endif
