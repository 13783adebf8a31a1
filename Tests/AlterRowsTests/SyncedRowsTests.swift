#if SQLite && Macros
  import Alter
  import AlterCore
  import AlterJournal
  import AlterRows
  import AlterSQLite
  import AlterStore
  import AlterSync
  import AlterSyncCore
  import AlterSyncServer
  import AlterTesting
  import Foundation
  import GRDB
  import ProcessTesting
  import RowsModel
  import Testing

  /// No card may be called 'pear'.
  private struct NoPears: JournalPolicy {
    func mayRead(_ principal: Principal) async throws -> Bool { true }
    func mayWrite(_ principal: Principal) async throws -> Bool { true }
    func grants(_ scope: UndoScope, to principal: Principal) async throws -> Bool { true }

    func permit(
      _ principal: Principal, _ changes: [Board.Change], of record: AlterStore.Record<Board>, in state: Board, arrival: Int64
    ) async throws -> Permission {
      let isPear = changes.contains { change in
        switch change {
        case .insert(let card, _), .update(let card): card.title == "pear"
        default: false
        }
      }
      return isPear ? .denied("no pears") : .permitted
    }
  }

  /// A server in this process, and the line to it.
  private struct Line: SyncTransport {
    private let folder: Folder
    private let servers: Lock<(journal: SQLiteJournal, server: JournalServer<Board>)>
    let isCut = Lock(true)

    var server: JournalServer<Board> { servers.withLock { $0.server } }
    var journal: SQLiteJournal { servers.withLock { $0.journal } }

    init(_ window: Int = 200) async throws {
      folder = try Folder()
      let journal = try await SQLiteJournal(at: folder.path("0.db"), durability: .relaxed)
      let head = try await journal.head()
      let draft = Entry.Draft(
        kind: .initial, id: EntryID(origin: .random(), sequence: 1), time: 0, payload: try JournalCoding.encode(Board()))
      _ = try await journal.append([draft], after: head)
      try await journal.serve(Lineage(Generation(1)), schema: 1)
      servers = Lock((journal, Self.server(journal, window)))
    }

    private static func server(_ journal: SQLiteJournal, _ window: Int) -> JournalServer<Board> {
      var options = JournalServer<Board>.Options(secret: (1, 2))
      options.store.undoWindow = window
      return JournalServer(journal, policy: NoPears(), options: options)
    }

    /// Copies the server's journal.
    func backup(to name: String) async throws { try await journal.backup(to: folder.path(name)) }

    /// Replaces the server's journal by a copy, which begins the next generation.
    func restore(_ name: String, _ generation: UInt64) async throws {
      let journal = try await SQLiteJournal(at: folder.path(name), durability: .relaxed)
      let present = try await journal.position().lineage
      try await journal.serve(
        Lineage(Generation(generation), former: present.former.union([present.generation])), schema: 1, replacing: present.generation)
      servers.withLock { $0 = (journal, Self.server(journal, 200)) }
    }

    private func check() throws { if isCut.withLock({ $0 }) { throw CancellationError() } }

    func exchange(
      _ request: AlterSyncCore.Request, reporting report: SyncHTTP.OutboxReport?, progress: @escaping @Sendable (_ bytes: Int) -> Void
    ) async throws -> Answer {
      try check()
      return try await server.answer(request, from: request.principal, arrival: 1_000_000)
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

  /// A process of a device: its store, its driver and its rows.
  private struct Process {
    let storage: DeviceStorage
    let driver: SyncDriver
    let store: Store<Board>
    let pool: DatabasePool
    let rows: Rows<Board>

    /// - Parameter number: Handles of another durability share no connection, as those of two processes.
    init(_ folder: Folder, _ line: Line, number: Int = 0, device: String = "device", user: Principal = Principal("ann"), window: Int = 200)
      async throws
    {
      let journal = try await SQLiteJournal(at: folder.path(device + ".db"), durability: number == 0 ? .relaxed : .full)
      storage = try await DeviceStorage(journal, principal: user)
      var options = SyncDriver.Options()
      (options.times.shortest, options.times.longest, options.times.poll, options.grace) = (0.01, 0.02, 0.05, .zero)
      driver = SyncDriver(storage, over: line, options: options)
      var storeOptions = StoreOptions()
      (storeOptions.keepsJournalOpen, storeOptions.undoWindow) = (true, window)
      store = try await Store.open(Board(), in: SyncedFile(storage, initial: Board(), window: window), options: storeOptions)
      var configuration = Configuration()
      configuration.busyMode = .timeout(60)
      pool = try DatabasePool(path: folder.path(device + "-rows.db"), configuration: configuration)
      rows = try await Rows(store, pool)
    }

    func close() async throws {
      await rows.close()
      await driver.close()
      await store.close()
      await storage.close()
      try pool.close()
    }

    /// Waits until the server has decided everything, and this device has it all.
    func settle(_ line: Line) async throws {
      while true {
        let standing = try await storage.standing()
        let head = try await line.server.hint().head
        if standing.head == head, !standing.hasUndecided, !standing.awaitsEntries { break }
        driver.nudge()
        try await storage.journal.waitForTransaction(after: standing.transactions)
      }
      try await store.readOthers()
    }
  }

  @Suite("Rows of a synced journal", .timeLimit(.minutes(20)))
  struct SyncedRowsTests {
    private func expect(_ process: Process, _ comment: Comment? = nil) async throws {
      while true {
        let revision = process.store.revision
        let seen = try await process.rows.seen()
        let state = process.store.state
        // While the line is there, a verdict may arrive meanwhile.
        guard process.store.revision == revision else { continue }
        #expect(try seen == Seen(state, at: revision), comment)
        break
      }
      try await process.rows.verify()
    }

    @Test(
      "Law 11: rows are the store's state with its drafts: offline, at the first contact, through verdicts and refusals, and after a restart",
      arguments: Effort.seeds(short: 3, full: 60))
    func drafts(seed: UInt64) async throws {
      try await Folder.use { folder in
        let line = try await Line()
        var random = SeededGenerator(seed: seed)
        var process = try await Process(folder, line)
        let other = try await Process(folder, line, device: "other")
        for process in [process, other] { await process.driver.start() }
        // A reader that sees torn rows finds another number of cards than the table of totals says.
        func isWhole() async throws -> Bool {
          try await process.pool.read { database in
            let seen = try Seen(database)
            return seen.cards.isEmpty && seen.totals.isEmpty || seen.totals.last?.last == seen.cards.count.databaseValue
          }
        }
        for round in 0..<Effort.count(short: 12, full: 60) {
          line.isCut.withLock { $0 = true }
          for _ in 0..<Int.random(in: 1..<12, using: &random) {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: _ = try? await process.store.undo()
            case 1: _ = try? await process.store.redo()
            case 2: if let refused = process.store.refusals.first { _ = try? process.store.retry(refused) }
            default: _ = try? process.store.change(process.store.state.randomChange(using: &random))
            }
            if Bool.random(using: &random) { _ = try? other.store.change(other.store.state.randomChange(using: &random)) }
            #expect(try await isWhole())
          }
          // Nothing arrives, so the state stands still.
          try await expect(process, "offline, round \(round)")
          if round % 4 == 3 {
            let before = try process.pool.schemaVersion
            await process.rows.close()
            // As after a death between a change and its rows.
            let isLate = round % 8 == 7
            let id = (process.store.state.cards.map(\.id).max() ?? 0) + 1
            if isLate { try process.store.change(.insert(Card(id, "late"), at: 0)) }
            try await process.close()
            process = try await Process(folder, line)
            await process.driver.start()
            try await expect(process, "opened again, round \(round)")
            // Before the first contact each opening has a history of its own.
            if round > 3, !isLate { #expect(try process.pool.schemaVersion == before, "rows were made again in round \(round)") }
          }
          line.isCut.withLock { $0 = false }
          process.driver.nudge()
          other.driver.nudge()
          try await other.settle(line)
          try await process.settle(line)
          try await expect(process, "online, round \(round)")
        }
        #expect(try await line.server.hint().head.revision > 20)
        #expect(!process.store.refusals.isEmpty)
        try await process.close()
        try await other.close()
      }
    }

    @Test("two processes of a device agree in the end on the rows, whichever of them wrote last")
    func processes() async throws {
      try await Folder.use { folder in
        let line = try await Line()
        let processes = [try await Process(folder, line), try await Process(folder, line, number: 1)]
        var random = SeededGenerator(seed: 4)
        var commits: [Commit<Board>] = []
        for round in 0..<Effort.count(short: 10, full: 200) {
          for process in processes where Bool.random(using: &random) || round % 3 == 0 {
            if let commit = try? process.store.change(process.store.state.randomChange(using: &random)) { commits.append(commit) }
          }
          for process in processes { _ = try await process.rows.seen() }
          guard round % 5 == 4 else { continue }
          for commit in commits { try await commit.durable() }
          for process in processes { try await process.store.readOthers() }
          #expect(processes[0].store.state == processes[1].store.state)
          for process in processes { try await expect(process, "round \(round)") }
        }
        for process in processes { try await process.close() }
      }
    }

    @Test("rows are made again if a compaction of the device has given up the entries after their place")
    func compacted() async throws {
      try await Folder.use { folder in
        let line = try await Line(4)
        let process = try await Process(folder, line, window: 4)
        line.isCut.withLock { $0 = false }
        await process.driver.start()
        func insert(_ ids: Range<Int>) async throws {
          for id in ids { try await process.store.change(.insert(Card(id), at: 0)).durable() }
          try await process.settle(line)
        }
        try await insert(0..<3)
        try await expect(process)
        await process.rows.close()
        let before = (place: try await process.pool.read { try Seen($0).revision }, schema: try process.pool.schemaVersion)
        try await insert(3..<30)
        #expect(try await process.store.compact(keeping: .last(0)).floor.number > before.place)
        let rows = try await Rows(process.store, process.pool)
        #expect(try await rows.seen() == Seen(process.store.state, at: process.store.revision))
        try await rows.verify()
        #expect(try process.pool.schemaVersion != before.schema)
        await rows.close()
        try await process.close()
      }
    }

    @Test(
      "a server that was restored from an older backup: the rows are those of the new history, and of the changes that the device has kept")
    func restoredServer() async throws {
      try await Folder.use { folder in
        let line = try await Line()
        var process = try await Process(folder, line)
        line.isCut.withLock { $0 = false }
        await process.driver.start()
        for id in 1...5 { try await process.store.change(.insert(Card(id, "before"), at: 0)).durable() }
        try await process.settle(line)
        try await expect(process, "before")
        for (number, isOffline) in [(1, false), (2, true)] {
          try await line.backup(to: "\(number).db")
          for id in 0..<3 { try await process.store.change(.insert(Card(number * 100 + id, "lost"), at: 0)).durable() }
          try await process.settle(line)
          line.isCut.withLock { $0 = isOffline }
          try await process.store.change(.insert(Card(number * 10, "unsent"), at: 0)).durable()
          try await expect(process, "unsent")
          try await line.restore("\(number).db", UInt64(number + 1))
          if isOffline {
            // The device learns of it at its next start.
            try await process.close()
            process = try await Process(folder, line)
            await process.driver.start()
            try await expect(process, "opened again")
          }
          line.isCut.withLock { $0 = false }
          process.driver.nudge()
          try await process.settle(line)
          try await expect(process, "restored")
          try await process.store.change(.insert(Card(number * 10 + 1, "after"), at: 0)).durable()
          try await process.settle(line)
          try await expect(process, "after")
        }
        try await process.close()
      }
    }

    @Test("a sign-out: no row of the former user is left for the next one")
    func signOut() async throws {
      try await Folder.use { folder in
        let line = try await Line()
        let ann = try await Process(folder, line)
        // Ann was offline: her changes are in her device's file alone.
        for id in 1...5 { try await ann.store.change(.insert(Card(id, "secret of ann"), at: 0)).durable() }
        try await expect(ann)
        try await ann.close()
        for name in folder.contents where name.hasPrefix("device.db") { try FileManager.default.removeItem(atPath: folder.path(name)) }
        // The app did not delete the rows.
        let bob = try await Process(folder, line, user: Principal("bob"))
        #expect(try await bob.rows.seen().cards.isEmpty)
        try await expect(bob)
        try await bob.rows.vacuum()
        for name in folder.contents where name.hasPrefix("device-rows") {
          #expect(try folder.bytes(name).range(of: Data("secret".utf8)) == nil, "\(name)")
        }
        try await bob.close()
      }
    }

    @Test("on the server a store that reads the served journal keeps rows of it, as for a report")
    func served() async throws {
      try await Folder.use { folder in
        let line = try await Line()
        let process = try await Process(folder, line)
        line.isCut.withLock { $0 = false }
        await process.driver.start()
        var options = StoreOptions()
        options.keepsJournalOpen = true
        let store = try await Store.open(Board(), in: line.journal, options: options)
        let pool = try folder.pool()
        let rows = try await Rows(store, pool)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<Effort.count(short: 30, full: 500) {
          let commit = try? process.store.change(process.store.state.randomChange(using: &random))
          // In the device's file.
          try? await commit?.durable()
        }
        try await process.settle(line)
        try await store.readOthers()
        #expect(store.revision.number > 10 && store.state == process.store.state)
        #expect(try await rows.seen() == Seen(store.state, at: store.revision))
        try await rows.verify()
        await rows.close()
        await store.close()
        try pool.close()
        try await process.close()
      }
    }

    @Test("a process reads its own change although another process, which does not know it yet, has written rows without it")
    func unwritten() async throws {
      try await Folder.use { folder in
        let line = try await Line()
        let processes = [try await Process(folder, line), try await Process(folder, line, number: 1)]
        // Later, neither has to read the file, which waits for the writer.
        for process in processes { try await process.store.readOthers() }
        // While another program writes, no change reaches the device's file.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.path("device.db"), configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let commits = try processes.enumerated().map { number, process in
          try process.store.change(.insert(Card(number, "of \(number)"), at: 0))
        }
        for (number, process) in [0, 1, 0].map({ ($0, processes[$0]) }) {
          let ids = try await process.rows.read { try Int.fetchAll($0, sql: "SELECT id FROM card") }
          #expect(ids == [number])
        }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        for commit in commits { try await commit.durable() }
        for process in processes { try await process.store.readOthers() }
        for process in processes { try await expect(process) }
        #expect(processes[0].store.state.cards.count == 2)
        for process in processes { try await process.close() }
        try other.close()
      }
    }
  }
#endif
