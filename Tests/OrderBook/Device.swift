#if SQLite && Macros && SyncServer
  import Alter
  import AlterCore
  import AlterJournal
  import AlterRows
  import AlterSQLite
  import AlterSync
  import AlterSyncCore
  import AlterSyncServer
  import AlterTesting
  import GRDB

  @testable import AlterStore

  /// No order book may have the name 'forbidden'.
  struct Policy<State: Build>: JournalPolicy {
    func mayRead(_ principal: Principal) async throws -> Bool { true }
    func mayWrite(_ principal: Principal) async throws -> Bool { true }
    func grants(_ scope: UndoScope, to principal: Principal) async throws -> Bool { scope.rawValue == principal.name }

    func permit(
      _ principal: Principal, _ changes: [State.Change], of record: AlterStore.Record<State>, in state: State, arrival: Int64
    ) async throws -> Permission {
      changes.contains { State.unwrap($0) == .forbidden } ? .denied("no such name") : .permitted
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

  /// The sources of chance on simulated threads.
  struct Chance: Sendable {
    let origin: @Sendable () -> Origin
    /// A number from 0 to 1.
    let number: @Sendable () -> Double
  }

  /// A journal that a server of this process decides. Several processes may have such a server for one journal in a file.
  struct ServedBook {
    let journal: any ServerJournal
    let server: JournalServer<Build3>
    private let chance: Chance?

    /// Creates a server. A new journal receives its initial state.
    init(_ journal: any ServerJournal, _ chance: Chance? = nil) async throws {
      (self.journal, self.chance) = (journal, chance)
      if try await journal.head().revision == .zero {
        let initial = Entry.Draft(
          kind: .initial, id: EntryID(origin: chance?.origin() ?? .random(), sequence: 1), time: 0, schema: 3,
          payload: try JournalCoding.encode(Build3(Contents())))
        _ = try await journal.append([initial], after: journal.head())
        try await journal.serve(Lineage(Generation(1)), schema: 3)
      }
      var options = JournalServer<Build3>.Options(secret: (1, 2))
      options.store.undoWindow = Contents.undoWindow
      // By default, a wheel waits, which reads the system's clock.
      if chance != nil { options.sleep = { try await Task.sleep(for: $0) } }
      server = JournalServer(journal, policy: Policy<Build3>(), options: options)
    }

    /// Opens the journal of several processes.
    static func file(in folder: String) async throws -> SQLiteJournal {
      try await SQLiteJournal(at: "\(folder)/served.db", durability: .relaxed, lockTimeout: .seconds(600))
    }

    /// Opens the server's own store.
    func store() async throws -> Store<Build3> {
      var options = StoreOptions()
      (options.keepsJournalOpen, options.undoWindow, options.scope) = (true, Contents.undoWindow, "server")
      let author = ServerAuthor()
      author.identity = ServerAuthor.Identity(
        principal: Principal.server.name, pseudonym: Principal.server.pseudonym(key: (1, 2)), bytesPerEntry: 1 << 20)
      options.author = author
      if let chance {
        options.environment.origin = chance.origin
        options.longWork = LongWork { $0() }
      }
      return try await Store.open(Build3(Contents()), in: journal, options: options)
    }

    func close() async {
      await server.close()
      await journal.close()
    }
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
    private let chance: Chance?

    init(_ principal: Principal, _ path: String, _ server: JournalServer<B>, window: Int, _ chance: Chance? = nil) async throws {
      (self.principal, self.path, line, self.chance) = (principal, path, Line(server: server, principal: principal), chance)
      (storage, driver, store) = try await Self.open(principal, path, line, window, chance)
    }

    private static func open(
      _ principal: Principal, _ path: String, _ line: Line<B>, _ window: Int, _ chance: Chance?
    ) async throws -> (DeviceStorage, SyncDriver, Store<B>) {
      let storage = try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed, lockTimeout: .seconds(600)), principal: principal)
      var options = SyncDriver.Options()
      (options.times.shortest, options.times.longest, options.times.poll, options.grace) = (0.001, 0.002, 0.01, .zero)
      (options.schema, options.snapshotsFrom) = (B.schema.version, B.schema.snapshotsFrom)
      if let chance { options.random = chance.number }
      let driver = SyncDriver(storage, over: line, options: options)
      var storeOptions = StoreOptions()
      (storeOptions.keepsJournalOpen, storeOptions.undoWindow, storeOptions.scope) = (true, window, UndoScope(rawValue: principal.name))
      if let chance {
        storeOptions.environment.origin = chance.origin
        storeOptions.longWork = LongWork { $0() }
      }
      let initial = B(Contents())
      let store = try await Store.open(initial, in: SyncedFile(storage, initial: initial, window: window), options: storeOptions)
      await driver.start()
      try store.run([.correct], in: Bank(seed: 0))
      return (storage, driver, store)
    }

    /// The outcome of an undo now; nil if the store has not read its undo window.
    func preview(redo: Bool) -> Naive.Outcome? {
      do throws(UndoError) {
        _ = redo ? try store.previewRedo() : try store.previewUndo()
        return .done
      } catch {
        return Naive.Outcome(error)
      }
    }

    func startRows() async throws {
      let pool = try DatabasePool(path: path + "-rows")
      rows = (try await AlterRows.Rows.ofContents(store, pool), pool)
    }

    func readRows() async throws -> [Int]? { try await rows?.rows.read { try Int.fetchAll($0, sql: Contents.sql) } }

    func restart(window: Int) async throws {
      await close()
      (storage, driver, store) = try await Self.open(principal, path, line, window, chance)
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
#endif
