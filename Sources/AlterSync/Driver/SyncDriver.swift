#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterSyncCore

  /// The shell of a device's `Engine`: it carries the engine's commands out over a ``DeviceStorage`` and a ``SyncTransport``.
  ///
  /// One process of a device talks to the server: the one that holds the lock beside the file. The others wait for the lock in the kernel's
  /// queue, and the next one takes over when the talker ends, however it ends. It sends the outbox of all processes, unchanged.
  ///
  /// ```
  ///   timers, requests, the stream, the lock, the file's bell, the app ──signals──▶ one task: Engine ──commands──▶ the same
  /// ```
  ///
  /// All signals are handled one after the other, by one task, which alone uses the state of the driver. Each wait has an owner, a number and
  /// a limit: a request, a refresh of the token and a pause have the engine's timers; the opening of the stream and the silence between two
  /// heartbeats have a limit here. The wait for the lock ends when the holder gives no sign of life. A process whose token the server rejects gives
  /// the lock up until it tries again: another one may have a newer token.
  ///
  /// Close the driver before its storage.
  package actor SyncDriver {
    /// The settings of a driver.
    package struct Options: Sendable {
      /// The times of the engine.
      package var times = Engine.Times()
      /// The time between two heartbeats of the stream. After twice this time without a message the stream counts as ended.
      package var heartbeat: Duration = .seconds(15)
      /// The time between two signs of life of the process that talks.
      package var pulse: Duration = .seconds(15)
      /// The time without a sign of life after which the others no longer wait for a process that talks: it is stopped.
      package var silence: Duration = .seconds(60)
      /// The longest time for which ``SyncDriver/close()`` waits for the verdicts of drafts that are being sent.
      package var grace: Duration = .milliseconds(300)
      /// The newest schema that the app knows.
      package var schema = 1
      /// The lowest schema of a state at which the app can begin the mirror; nil for ``schema`` alone.
      package var snapshotsFrom: Int?
      /// The schemas of states at which the app can begin the mirror.
      package var schemas: ClosedRange<Int> { max(1, min(snapshotsFrom ?? schema, schema))...max(1, schema) }
      /// Waits until the app's store has taken in a transaction of the file; nil if there is no store to wait for.
      package var taken: (@Sendable (_ transaction: Int64) async -> Void)?
      /// The clock of all waits.
      package var clock: any Clock<Duration> = ContinuousClock()
      /// The wall clock: microseconds since 1970 UTC.
      package var now: @Sendable () -> Int64 = { WallClock.now }
      /// The jitter of pauses, from 0 to 1.
      package var random: @Sendable () -> Double = { .random(in: 0...1) }

      package init() {}
    }

    /// A message to the task that handles everything.
    enum Signal: Sendable {
      /// An event, and the wait for its end.
      case event(EngineEvent, done: Waiter<Void>? = nil)
      /// The lock is granted, or cannot be had; by the number of the wait.
      case lock(Int, JournalError?)
      /// Another process has the lock.
      case queued(Int)
      /// An event of a stream, by its number.
      case stream(Int, EngineEvent)
      /// The stream has announced something: ``announced``.
      case hint
      /// A request has ended.
      case answered(Int, RequestEnd)
      /// The file has had a transaction: the facts after it.
      case news(DeviceStorage.Standing)
      /// A caller waits until nothing more is to be sent, or until the server does not answer.
      case settle(Waiter<Void>)
    }

    /// A hint, and the entries before it that the stream has brought.
    struct Announced: Sendable {
      let hint: Hint
      let entries: [SyncEntry]
    }

    /// The end of a request that was not given up.
    enum RequestEnd: Sendable {
      /// The answer was absorbed; the hint that the request named, the newest schema of the entries of its page, and the reason that the answer
      /// gives for what it denies.
      case replied(Reply, Hint?, schema: Int, fault: String?)
      /// There was no answer; the reason, for people.
      case failed(String?)
      case fileFailed(JournalError)
    }

    let storage: DeviceStorage
    let transport: any SyncTransport
    let options: Options
    let talker: TalkerLock
    nonisolated let status: LinkStatus
    private nonisolated let signals: AsyncStream<Signal>
    nonisolated let mailbox: AsyncStream<Signal>.Continuation
    /// The last announcement that the loop has not seen. A fast stream cannot fill the mailbox.
    nonisolated let announced = Lock<Announced?>(nil)
    /// The number of bytes of requests that were sent or received.
    nonisolated let progress = Lock(0)
    /// The last failure of the file, of its lock, or of the connection.
    private nonisolated let trouble = Lock<JournalError?>(nil)

    // Used by the loop alone.
    private var engine: Engine
    /// The last facts about the file; nil before it was read.
    var standing: DeviceStorage.Standing?
    /// The hint that the next request names.
    var hint: Hint?
    /// The entries that were announced last, with their hint.
    var news: Announced?
    /// The newest schema of the mirror.
    private var newestSchema = 0
    /// The last draft that was reported to the engine.
    private var lastDraft: EntryID?
    private var loop: Task<Void, Never>?
    var timer: Task<Void, Never>?
    var request: Task<Void, Never>?
    var refresh: Task<Void, Never>?
    var waitForLock: Task<Void, Never>?
    var lockNumber = 0
    /// Whether another process has the lock.
    var isQueued = false
    /// Whether the lock was given up, because the server has rejected the token. The engine, which is frozen, asks for it again.
    var isAway = false
    var pulse: Task<Void, Never>?
    var stream: Task<Void, Never>?
    var streamNumber = 0
    /// Reports that the link is live, once the store has taken in what the file has.
    var reporting: Task<Void, Never>?
    var watch: Task<Void, Never>?
    private var settling: [Waiter<Void>] = []

    /// Creates a driver. It does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - storage: The device's file. It knows the signed-in user.
    ///   - transport: The connection to the server.
    ///   - options: The settings.
    package init(_ storage: DeviceStorage, over transport: any SyncTransport, options: Options = Options()) {
      self.init(storage, over: transport, options: options, status: LinkStatus())
    }

    /// Creates a driver that reports to streams which exist already.
    init(_ storage: DeviceStorage, over transport: any SyncTransport, options: Options, status: LinkStatus) {
      self.storage = storage
      self.status = status
      self.transport = transport
      self.options = options
      talker = TalkerLock(of: storage.journal)
      engine = Engine(times: options.times)
      (signals, mailbox) = AsyncStream.makeStream(of: Signal.self)
    }

    // MARK: - The app's part

    /// The last status of the link; nil while another process of the device talks, before the start, and after the end.
    package nonisolated var link: SyncLink? { status.link }

    /// The statuses of the link: the present one, and each later one. A slow reader receives the newest alone.
    package nonisolated var links: AsyncStream<SyncLink> { status.stream() }

    /// The last failure of the device's file, of the lock beside it, or of the connection; nil after a successful exchange.
    package nonisolated var problem: JournalError? { trouble.withLock { $0 } }

    /// Waits for the lock beside the file, and then begins to talk. Later calls have no effect.
    package func start() {
      guard loop == nil else { return }
      mailbox.yield(.event(.start))
      loop = Task { await run() }
    }

    /// The other process of the device that talks to the server, as in `4711 todo talk 2026-11-21T09:30:00Z`; nil if there is none.
    package nonisolated var otherTalker: String? { status.link == nil ? talker.holder : nil }

    /// Asks for an exchange now: the user has pulled to refresh, or a push notification has arrived.
    package nonisolated func nudge() { mailbox.yield(.event(.nudged)) }

    /// Changes the signed-in user; nil after signing out. Under another user than the file's principal nothing is sent, and the file takes no
    /// changes.
    package nonisolated func signIn(as user: Principal?) {
      storage.signIn(as: user)
      nudge()
    }

    /// Stops to talk, because the system suspends the app. When this method returns, the lock is released, and nothing uses the file.
    package func suspend() async { await perform(.suspended) }

    /// Asks for the lock again after ``suspend()``.
    package func resume() async { await perform(.resumed) }

    /// Ends the driver. Drafts that are being sent have a moment: ``Options/grace``; the rest is left to the next process.
    ///
    /// A process that ends soon after its change, like a command, calls this after the change is durable.
    package func close() async {
      guard loop != nil else { return end() }
      if options.grace > .zero {
        let waiter = Waiter<Void>()
        mailbox.yield(.settle(waiter))
        let limit = Task { [options] in
          try? await options.clock.sleep(for: options.grace)
          waiter.finish(nil)
        }
        _ = await waiter.value()
        limit.cancel()
      }
      await perform(.closed)
      await loop?.value
    }

    /// Handles an event, and waits until its commands are carried out.
    private func perform(_ event: EngineEvent) async {
      let done = Waiter<Void>()
      guard loop != nil, case .enqueued = mailbox.yield(.event(event, done: done)) else { return }
      // Also if the caller is cancelled: the system may suspend the process as soon as this returns.
      await Task { _ = await done.value() }.value
    }

    // MARK: - The loop

    private func run() async {
      follow()
      for await signal in signals {
        await handle(signal)
        settle()
        if engine.phase == .closed { break }
      }
      end()
      // Ends the waits of signals that came too late.
      for await signal in signals {
        switch signal {
        case .event(_, let done): done?.finish(())
        case .settle(let waiter): waiter.finish(())
        default: break
        }
      }
    }

    private func end() {
      mailbox.finish()
      status.finish()
      for task in [watch, timer, refresh, stream, request, pulse, reporting] { task?.cancel() }
      settling.finish(())
    }

    private func handle(_ signal: Signal) async {
      guard engine.phase != .suspended || isHandledSuspended(signal) else { return }
      switch signal {
      case .event(let event, let done):
        if engine.isBusy, event == .fired(engine.timer) {
          trouble.withLock {
            $0 = .exchange(.unavailable, storage.journal.name, "The answer did not come, or came too slowly, and was given up.")
          }
        }
        await handle(event)
        done?.finish(())
      case .lock(let number, let error):
        guard number == lockNumber else { return }
        (waitForLock, isQueued) = (nil, false)
        // Without a lock there may be two talkers, which costs traffic and nothing else.
        trouble.withLock { $0 = error }
        if error == nil { beginPulse() }
        await readSchema()
        await handle(.lockGranted)
        if status.link == nil, let link = engine.link { report(link) }
      case .queued(let number):
        guard number == lockNumber else { return }
        isQueued = true
        reporting?.cancel()
        status.forget()
      case .stream(let number, let event):
        guard number == streamNumber else { return }
        if event == .streamEnded { endStream() }
        await handle(event)
      case .hint:
        guard let new = announced.withLock({ $0.take() }) else { return }
        // If the file cannot be read, the exchange is tried again until it can.
        if await read(), new.hint.generation == standing?.generation, new.hint.head == standing?.head { return }
        (hint, news) = (new.hint, new)
        await handle(.hinted, isRead: true)
      case .answered(let number, let outcome): await handle(outcome, of: number)
      case .news(let new):
        // The loop may have read later ones meanwhile.
        if new.transactions >= standing?.transactions ?? 0 { standing = new }
        await lookForDrafts(isRead: true)
      case .settle(let waiter):
        await lookForDrafts()
        settling.append(waiter)
      }
    }

    /// Whether a signal is handled while the app is suspended: the file may go away at any time, so only the return and the end are. The waits of
    /// the others end.
    private func isHandledSuspended(_ signal: Signal) -> Bool {
      switch signal {
      case .event(.resumed, _), .event(.closed, _), .event(.suspended, _): return true
      case .event(_, let done): done?.finish(())
      case .settle(let waiter): waiter.finish(())
      // The next announcement is the first one again.
      case .hint: announced.withLock { $0 = nil }
      case .lock, .queued, .stream, .answered, .news: break
      }
      return false
    }

    private func handle(_ outcome: RequestEnd, of number: Int) async {
      switch outcome {
      case .failed(let reason):
        if let reason {
          trouble.withLock { $0 = .exchange(.unavailable, storage.journal.name, reason) }
        }
        await handle(.failed(number))
      case .fileFailed(let error):
        trouble.withLock { $0 = error }
        await handle(error.code == .closed ? .closed : .replied(number, .fileFailed))
      case .replied(let reply, let named, let schema, let fault):
        trouble.withLock { $0 = fault.map { .exchange(.failed, storage.journal.name, $0) } }
        switch reply {
        case .page:
          newestSchema = max(newestSchema, schema)
          // A hint that has arrived since belongs to the next request.
          if hint == named { hint = nil }
        case .adopted:
          await readSchema()
          if hint == named { hint = nil }
        default: break
        }
        await handle(.replied(number, reply))
      }
    }

    /// Tells the engine of a draft that any process of the device has made.
    ///
    /// - Parameter isRead: Whether the facts about the file were just read.
    private func lookForDrafts(isRead: Bool = false) async {
      if !isRead {
        // If the file cannot be read, the exchange is tried again until it can.
        guard await read() else { return await handle(.drafted) }
      }
      guard let draft = standing?.lastDraft, draft != lastDraft else { return }
      lastDraft = draft
      await handle(.drafted, isRead: true)
    }

    /// - Parameter isRead: Whether the facts about the file were just read, or could not be read.
    private func handle(_ event: EngineEvent, isRead: Bool = false) async {
      var event = event
      switch event {
      // Another attempt needs the lock.
      case .fired(engine.timer) where isAway, .nudged where isAway, .tokenRefreshed where isAway: event = .lockLost
      default: break
      }
      switch event {
      // The file may be about to go away, or is not needed.
      case .start, .suspended, .resumed, .closed, .lockLost: break
      default: if !isRead { await read() }
      }
      // The mirror may have come to the announced end by the answer to a push.
      let isAtHint = hint.map { $0.generation == standing?.generation && $0.head == standing?.head } ?? true
      if isAtHint { hint = nil }
      let situation = Situation(
        hasUndecided: standing?.hasUndecided ?? false, awaitsEntries: standing?.awaitsEntries ?? false,
        isOutdated: newestSchema > options.schema, isLocked: standing.map { storage.isLocked($0.principal) } ?? false,
        isAtHint: isAtHint, now: options.now(), random: options.random())
      let commands: [EngineCommand]
      do throws(IllegalEvent) { commands = try engine.handle(event, in: situation) } catch {
        // Without effect in a program; a test must see it.
        assertionFailure("\(error)")
        return
      }
      for command in commands { await carryOut(command) }
      switch event {
      case .suspended:
        await stop(watch)
        watch = nil
      case .resumed: if watch == nil { follow() }
      default: break
      }
    }

    /// Reads the file. After a failure the last facts remain.
    @discardableResult
    private func read() async -> Bool {
      do throws(JournalError) {
        standing = try await storage.standing()
        return true
      } catch {
        trouble.withLock { $0 = error }
        return false
      }
    }

    private func readSchema() async {
      if let newest = try? await storage.newestSchema() { newestSchema = newest }
    }

    /// Ends the waits of ``close()`` if nothing is to be sent, or no answer is expected soon.
    private func settle() {
      guard !settling.isEmpty else { return }
      let isTalking =
        switch engine.phase {
        case .pulling, .pushing, .fetching, .refreshing, .resting: true
        // The lock may be free.
        case .new, .standby: !isQueued
        case .waiting, .frozen, .suspended, .closed: false
        }
      guard !isTalking || standing?.hasUndecided != true else { return }
      settling.finish(())
      settling = []
    }
  }
#endif
