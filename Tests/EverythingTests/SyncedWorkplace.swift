#if SQLite && Macros && SyncServer
  import Alter
  import AlterCore
  import AlterFeedback
  import AlterInspector
  import AlterJournal
  import AlterRows
  import AlterSQLite
  import AlterSync
  import AlterSyncCore
  import AlterSyncServer
  import AlterTesting
  import Foundation
  import GRDB
  import ProcessTesting

  @testable import AlterStore
  @testable import OrderBook

  /// No order book may have the name 'forbidden'.
  struct Policy<State: Build>: JournalPolicy {
    func mayRead(_ principal: Principal) async throws -> Bool { true }
    func mayWrite(_ principal: Principal) async throws -> Bool { true }
    func grants(_ scope: UndoScope, to principal: Principal) async throws -> Bool { scope.rawValue == principal.name }

    func permit(
      _ principal: Principal, _ changes: [State.Change], of record: AlterStore.Record<State>, in state: State, arrival: Int64
    ) async throws -> Permission {
      changes.contains { State.unwrap($0) == .name(text: "forbidden") } ? .denied("no such name") : .permitted
    }
  }

  /// A server in this process, and the line to it.
  struct Line<B: Build>: SyncTransport {
    let server: JournalServer<B>
    let principal: Principal
    let isCut = Lock(false)

    private func check() throws { if isCut.withLock({ $0 }) { throw CancellationError() } }

    func exchange(
      _ request: AlterSyncCore.Request, reporting report: SyncHTTP.OutboxReport?, progress: @escaping @Sendable (_ bytes: Int) -> Void
    ) async throws -> Answer {
      try check()
      return try await server.answer(request, from: principal, arrival: WallClock.now)
    }

    func announcements() async throws -> AsyncThrowingStream<Announcement, any Error> {
      try check()
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Announcement.self)
      let task = Task {
        while !Task.isCancelled, let hint = try? await server.hint() {
          continuation.yield(.hint(hint))
          try? await server.waitForEntry(after: hint.head.revision)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
      return stream
    }

    func refreshToken() async throws {}
  }

  /// A device of a principal.
  final class Device<B: Build> {
    let principal: Principal
    let line: Line<B>
    let path: String
    private(set) var storage: DeviceStorage
    private(set) var driver: SyncDriver
    private(set) var store: Store<B>
    /// Rows, which begin with the process.
    private var rows: (rows: AlterRows.Rows<B>, pool: DatabasePool)?
    var scope: UndoScope { UndoScope(rawValue: principal.name) }

    init(_ principal: Principal, _ path: String, _ server: JournalServer<B>, window: Int) async throws {
      (self.principal, self.path, line) = (principal, path, Line(server: server, principal: principal))
      (storage, driver, store) = try await Self.open(principal, path, line, window)
    }

    private static func open(
      _ principal: Principal, _ path: String, _ line: Line<B>, _ window: Int
    ) async throws -> (DeviceStorage, SyncDriver, Store<B>) {
      let storage = try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: principal)
      var options = SyncDriver.Options()
      (options.times.shortest, options.times.longest, options.times.poll, options.grace) = (0.001, 0.002, 0.01, .zero)
      let driver = SyncDriver(storage, over: line, options: options)
      var storeOptions = StoreOptions()
      (storeOptions.keepsJournalOpen, storeOptions.undoWindow, storeOptions.scope) = (true, window, UndoScope(rawValue: principal.name))
      let initial = B(Contents())
      let store = try await Store.open(initial, in: SyncedFile(storage, initial: initial, window: window), options: storeOptions)
      await driver.start()
      try store.run([.correct], in: Bank(seed: 0))
      return (storage, driver, store)
    }

    func startRows() async throws {
      let pool = try DatabasePool(path: path + "-rows")
      rows = (try await AlterRows.Rows.ofContents(store, pool), pool)
    }

    func readRows() async throws -> [Int]? { try await rows?.rows.read { try Int.fetchAll($0, sql: Contents.sql) } }

    func restart(window: Int) async throws {
      await close()
      (storage, driver, store) = try await Self.open(principal, path, line, window)
    }

    func close() async {
      await rows?.rows.close()
      try? rows?.pool.close()
      rows = nil
      await driver.close()
      await store.close()
      await storage.close()
    }
  }

  /// A journal that a server decides, with its devices, its policy, and its own store, which performs the effects.
  final class SyncedWorkplace {
    private let folder: Folder
    private let journal = MemoryJournal()
    private let server: JournalServer<Build3>
    private let store: Store<Build3>
    private let run: FeedbackRun
    private let bank: Bank
    private var devices: [Device<Build3>] = []
    private var random: SeededGenerator
    private var naive = Naive(Contents(), window: window, isByRule: true)
    private var nextOrder = 1
    private(set) var meetings = Meetings()
    private var used: Set<Feature> = []
    /// The number of changes that the server has to refuse.
    private var denied: Set<EntryID> = []
    private static let window = 12

    init(seed: UInt64) async throws {
      (folder, random, bank) = (try Folder(), SeededGenerator(seed: seed), Bank(seed: seed &* 31))
      let initial = Entry.Draft(
        kind: .initial, id: EntryID(origin: .random(), sequence: 1), time: 0, schema: 3,
        payload: try JournalCoding.encode(Build3(Contents())))
      _ = try await journal.append([initial], after: journal.head())
      try await journal.serve(Lineage(Generation(1)), schema: 3)
      var options = JournalServer<Build3>.Options(secret: (1, 2))
      options.store.undoWindow = Self.window
      server = JournalServer(journal, policy: Policy<Build3>(), options: options)
      var storeOptions = StoreOptions()
      (storeOptions.keepsJournalOpen, storeOptions.undoWindow, storeOptions.scope) = (true, Self.window, "server")
      let author = ServerAuthor()
      author.identity = ServerAuthor.Identity(
        principal: Principal.server.name, pseudonym: Principal.server.pseudonym(key: (1, 2)), bytesPerEntry: 1 << 20)
      storeOptions.author = author
      store = try await Store.open(Build3(Contents()), in: journal, options: storeOptions)
      run = try store.run([.pay, .audit], in: bank)
      for name in ["ann", "bob"] {
        devices.append(try await Device(Principal(name), folder.path("\(name).db"), server, window: Self.window))
      }
      try await settle()
    }

    private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
      if !condition { throw Workplace.Violation(description: message()) }
    }

    private func randomChange() -> Contents.Change { naive.contents.randomChange(&nextOrder, using: &random) }

    /// Makes changes on a device. The device's state decides at once, and the server later.
    private func change(_ device: Device<Build3>, _ changes: [Contents.Change], scope: UndoScope? = nil) throws {
      used.insert(.macroStruct)
      for case .pay in changes { used.insert(.actingEffect) }
      for case .ship in changes { used.insert(.durableEffect) }
      do throws(ChangeError<Refusal>) {
        let commit = try device.store.change(changes.map(Build3.wrap), scope: scope)
        if changes.contains(.name(text: "forbidden")) { denied.insert(commit.id) }
      } catch {
        guard case .refused = error else { throw error }
      }
    }

    func step() async throws {
      used = [.device, .served]
      let device = random.pick(devices)
      let isOffline = random.oneIn(4)
      device.line.isCut.withLock { $0 = isOffline }
      for _ in 0..<(isOffline ? 1 + random.below(4) : 1) { try await act(device) }
      device.line.isCut.withLock { $0 = false }
      try await settle()
      try await check()
      var standing: Set<Feature> = [.device, .served, .policy, .sqlite, .memory, .scope, .macroStruct]
      if naive.contents.orders.contains(where: { $0.phase != .placed }) { standing.insert(.macroEnum) }
      meetings.note(used, beside: standing)
    }

    private func act(_ device: Device<Build3>) async throws {
      switch random.below(40) {
      case 0..<16: try change(device, [randomChange()])
      case 16..<19:
        used.insert(.batch)
        try change(device, [randomChange(), randomChange()])
      case 19..<21:
        used.insert(.scope)
        try change(device, [randomChange()], scope: .never)
      case 21..<23:
        used.insert(.policy)
        try change(device, [.name(text: "forbidden")])
      case 23:
        used.insert(.requires)
        if let first = try? device.store.change(Build3.wrap(.name(text: "forbidden"))) {
          denied.insert(first.id)
          if let second = try? device.store.change(Build3.wrap(.deposit(account: 1, amount: 1)), requires: first) {
            denied.insert(second.id)
          }
        }
      case 24..<32:
        let redo = random.oneIn(3)
        used.insert(redo ? .redo : .undo)
        // Only at rest the device and the naive model have seen the same.
        let head = try await journal.head().revision
        let isAtRest = device.store.unconfirmed.isEmpty && device.store.revision == head
        let outcome = redo ? naive.redo(in: device.scope).0 : naive.undo(in: device.scope).0
        var made = Naive.Outcome.done
        do throws(UndoError) { _ = redo ? try await device.store.redo() : try await device.store.undo() } catch {
          guard let outcome = Naive.Outcome(error) else { throw error }
          made = outcome
        }
        try require(!isAtRest || made == outcome, "an undo (redo: \(redo)) ended with \(made), and not \(outcome)")
      case 32:
        used.insert(.reset)
        do throws(ChangeError<Refusal>) {
          _ = try device.store.reset(to: Build3(Contents()))
          throw ChangeError<Refusal>.closed
        } catch {
          guard case .unencodable = error else { throw error }
        }
      case 33, 34:
        used.insert(.resuming)
        try await device.restart(window: Self.window)
        if random.oneIn(2) { try await device.startRows() }
      case 35:
        used.insert(.compaction)
        _ = try await device.store.compact(keeping: .last(0))
      case 36, 37:
        // The server's own change.
        do throws(ChangeError<Refusal>) { _ = try store.change(Build3.wrap(randomChange())) } catch {
          guard case .refused = error else { throw error }
        }
      case 38 where random.oneIn(2):
        let isTyped = random.oneIn(2)
        used.insert(isTyped ? .typedInspector : .untypedInspector)
        let storage = random.oneIn(2) ? device.storage.journal : journal as any Journal
        if isTyped {
          let head = try await storage.head().revision
          let shown = try await Inspection(of: storage, as: Build3.self).wholeState(at: head.number)
          let state = try await Store<Build3>.state(at: head, in: storage)
          try require(try JournalCoding.decode(Build3.self, from: shown.value.data) == state, "the inspector shows \(shown)")
        } else {
          let rows = try await Inspection(of: storage).entries(before: nil, limit: 3).entries
          let head = try await storage.head().revision.number
          try require(rows.allSatisfy { $0.revision <= head }, "the inspector lists \(rows.map(\.revision))")
        }
      case 38 where random.oneIn(2):
        used.formUnion([.erasure, .copy])
        let store = random.oneIn(2) ? store : device.store
        let copy = MemoryJournal()
        try await store.copy(to: copy, squashing: true)
        let erased = try await Store<Build3>.state(at: 1, in: copy)
        let head = try await copy.head().revision
        try require(head == 1 && erased == store.confirmed.state, "the squashed copy has \(erased)")
      case 38:
        used.insert(.export)
        let copy = MemoryJournal()
        var lines = Data()
        _ = try await journal.export { lines += $0 }
        _ = try await copy.import(lines)
        // A copy has no refused entries, and other revisions.
        let (head, other) = (try await journal.head(), try await copy.head())
        let state = try await Store<Build3>.state(at: other.revision, in: copy)
        let here = try await Store<Build3>.state(at: head.revision, in: journal)
        try require(state == here, "the copy has \(state), and the journal has \(here)")
      default:
        used.insert(.observation)
        let store = device.store
        for await contents in store.values(of: { $0.contents }) {
          try require(contents == store.state.contents || !store.unconfirmed.isEmpty, "an observer has seen \(contents)")
          break
        }
      }
    }

    /// Waits until the server has decided everything, every device has it, and every effect is performed.
    private func settle() async throws {
      let end = ContinuousClock.now + .seconds(20)
      while true {
        try require(ContinuousClock.now < end, "no rest: \(store.effects), \(devices.map { $0.store.unconfirmed.count }), \(store.status)")
        let revision = try await journal.head().revision
        var isSettled = store.revision == revision && store.effects.isEmpty && store.state == store.confirmed.state
        isSettled = isSettled && store.state.contents.name != "grean"
        isSettled = isSettled && !store.state.contents.orders.contains { $0.phase.request != nil }
        for device in devices {
          await device.store.flush()
          let standing = try await device.storage.standing()
          if standing.head?.revision != revision || standing.hasUndecided || standing.awaitsEntries {
            isSettled = false
            device.driver.nudge()
          } else {
            try await device.store.readOthers()
            isSettled = isSettled && device.store.revision == revision
          }
        }
        if isSettled, try await journal.head().revision == revision { return }
        await Task.yield()
      }
    }

    private func check() async throws {
      let last = naive.items.last?.revision ?? 1
      let head = store.revision
      if head > last {
        for record in try await store.entries(in: last.next...head) {
          try require(!denied.contains(record.id), "\(record.id) was to be refused")
          let item = Naive.Item(record)
          if item.cause?.feedback == "correct" { used.insert(.localEffect) }
          if item.cause?.feedback == "audit" { used.insert(.durableEffect) }
          if let id = item.cause?.request.flatMap({ RequestID($0) }), case .changes(let changes) = item.content {
            used.insert(.actingEffect)
            guard case .settled(_, id, let isPaid)? = changes.first, bank.answer(to: id.key("pay")) == isPaid else {
              throw Workplace.Violation(description: "the bank has not said \(item)")
            }
          }
          naive.append(item)
        }
      }
      let server = store.state.contents
      try require(server == naive.contents, "the server has \(server), and not \(naive.contents)")
      for device in devices {
        let confirmed = device.store.confirmed.state.contents
        try require(confirmed == naive.contents, "\(device.principal) has \(confirmed), and not \(naive.contents)")
        let visible = device.store.state.contents
        try require(visible == naive.contents, "\(device.principal) shows \(visible), and not \(naive.contents)")
        if let rows = try await device.readRows() {
          used.insert(.rows)
          try require(rows == naive.contents.rows, "\(device.principal) has the rows \(rows)")
        }
        let (undoable, steps) = (device.store.undoSteps.steps.undoable, naive.steps(of: device.scope))
        try require(undoable == steps, "the steps of \(device.principal) are \(undoable), and not \(steps)")
        for refusal in device.store.refusals where refusal.code == "denied" {
          try require(denied.contains(refusal.record.id), "\(refusal.record.id) was denied")
        }
      }
    }

    func close() async {
      await run.stop()
      for device in devices { await device.close() }
      await server.close()
      await store.close()
    }
  }
#endif
