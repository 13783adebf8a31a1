#if Service
  import Alter
  import AlterService
  import AlterTesting
  import Logging
  import ProcessTesting
  import ServiceLifecycle
  import Testing

  @Suite("Stores and feedbacks as services", .timeLimit(.minutes(10)))
  struct LifecycleTests {
    /// A service that waits for the shutdown, or for an event, and then does something.
    private struct Server: Service {
      var isFailing = false
      let ready: @Sendable () -> Void
      let end: @Sendable () async throws -> Void

      func run() async throws {
        ready()
        if !isFailing { try await gracefulShutdown() }
        try await end()
      }
    }

    private struct Broken: Error {}

    private func options() -> StoreOptions {
      var options = StoreOptions()
      options.keepsJournalOpen = true
      return options
    }

    @Test("end in the reverse order: the server's last changes are written, the effects cancelled, the leases free")
    func order() async throws {
      let recording = Recording()
      let journal = MemoryJournal()
      let stores = Stores(in: JournalPlaces { _ in journal }, options: options()) { _ in Credit() }
      let isRunning = AsyncStream<Void>.makeStream()
      let wait = Feedback<Credit, Void>("wait", request: { $0.isAsked ? 1 : nil }) { _, _ in
        isRunning.continuation.yield()
        // Until it is cancelled.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
      }
      let server = Server {
      } end: {
        let store = try await stores["a"]
        for _ in 1...100 { try store.change(.add(1)) }
      }
      let logger = recording.logger
      let group = ServiceGroup(
        services: [StoresService(stores, logger: logger), FeedbackService { try await stores["a"].run([wait]) }, server],
        logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() })
      let run = Task { try await group.run() }
      try await stores["a"].change(.ask).durable()
      for await _ in isRunning.stream { break }
      await #expect(throws: JournalError.self) { try await journal.lease("feedback/wait", for: .random(), lasting: .seconds(10)) }
      await group.triggerGracefulShutdown()
      try await run.value
      _ = try await journal.lease("feedback/wait", for: .random(), lasting: .seconds(10))
      #expect(recording.messages.contains("info: All stores are closed, and everything is written."))
      await #expect(throws: JournalError.self) { try await stores["a"] }
      let store = try await Store.open(Credit(), in: journal)
      #expect(store.state.count == 100 && store.state.isAsked)
      await store.close()
    }

    @Test("write what is pending when another service has failed, too")
    func cancellation() async throws {
      let recording = Recording()
      let journal = MemoryJournal()
      let store = try await Store.open(Credit(), in: journal, options: options())
      let server = Server(isFailing: true) {
      } end: {
        for _ in 1...100 { try store.change(.add(1)) }
        throw Broken()
      }
      let group = ServiceGroup(
        services: [StoreService(store, logger: recording.logger), server],
        logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() })
      await #expect(throws: Broken.self) { try await group.run() }
      #expect(store.status == .closed)
      let again = try await Store.open(Credit(), in: journal)
      #expect(again.state.count == 100)
      await again.close()
    }

    @Test("give the changes that were not confirmed by the deadline to the app, and report their number without a claim about the journal")
    func deadline() async throws {
      let recording = Recording()
      var options = recording.options
      options.keepsJournalOpen = true
      let memory = MemoryJournal()
      let journal = SimulatedJournal(memory)
      let stores = Stores(in: JournalPlaces { _ in journal }, options: options) { _ in Credit() }
      let store = try await stores["a"]
      journal.nextAppends(.hold)
      let commit = try store.change(.add(1))
      await journal.waitUntilHeld()
      let unwritten = Shared<[Unwritten<Credit>]>([])
      let service = StoresService(stores, deadline: .milliseconds(1), logger: recording.logger) { leftOver in
        unwritten.withLock { $0 = leftOver["a"] ?? [] }
      }
      let group = ServiceGroup(services: [service], logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() })
      let run = Task { try await group.run() }
      await group.triggerGracefulShutdown()
      try await run.value
      await #expect(throws: CommitError<Refusal>.self) { try await commit.durable() }
      let leftOver = unwritten.withLock { $0 }
      #expect(leftOver.count == 1)
      let errors = recording.messages.filter { $0.hasPrefix("error: ") }
      #expect(errors.contains { $0.contains("outcome of changes is unknown") }, "\(errors)")
      #expect(errors.contains { $0.contains("closed at their deadline") && $0.contains("the journals may have some") }, "\(errors)")
      #expect(!errors.contains { $0.contains("written") }, "\(errors)")
      journal.release()
      // Whether or not the append was carried out in the end, the change counts once.
      let again = try await Store.open(Credit(), in: memory, resuming: leftOver, options: options)
      for await count in again.values(of: \.count) where count == 1 { break }
      await again.close()
      #expect(try await memory.entries(after: .zero, limit: 10).count == 2)
    }

    @Test("a feedback that cannot start ends the group")
    func noStart() async throws {
      let service = FeedbackService { throw Broken() }
      let group = ServiceGroup(services: [service], logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() })
      await #expect(throws: Broken.self) { try await group.run() }
    }

    @Test("a feedback whose store is still being opened does not keep the other stores from being closed at the shutdown")
    func stillStarting() async throws {
      let recording = Recording()
      let journal = MemoryJournal()
      let isOpening = AsyncStream<Void>.makeStream()
      let places = JournalPlaces { key throws(JournalError) in
        guard key == "away" else { return journal }
        isOpening.continuation.yield()
        // Until it is cancelled.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw JournalError(.unavailable, journal: key, message: "is away.")
      }
      let stores = Stores(in: places, options: options()) { _ in Credit() }
      _ = try await stores["a"]
      let feedback = FeedbackService { try await stores["away"].run([Feedback<Credit, Void>]()) }
      let group = ServiceGroup(
        services: [StoresService(stores, logger: recording.logger), feedback],
        logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() })
      let run = Task { try await group.run() }
      for await _ in isOpening.stream { break }
      await group.triggerGracefulShutdown()
      try await run.value
      #expect(recording.messages.contains("info: All stores are closed, and everything is written."))
    }
  }
#endif
