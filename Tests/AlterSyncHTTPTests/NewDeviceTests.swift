#if SyncServer
  import Alter
  import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterSync
  import AlterSyncCore
  import Foundation
  import ProcessTesting
  import StockModel
  import Testing

  @Suite("A new device over HTTP", .timeLimit(.minutes(30)))
  struct NewDeviceTests {
    /// The options of the server's stores and of the device's: a small window, and snapshots often.
    private static var options: StoreOptions {
      var options = StoreOptions()
      (options.undoWindow, options.snapshotSpacing) = (5, 10)
      return options
    }

    /// Runs a test with a server whose journal has 101 entries and a snapshot.
    private func withLongJournal(_ body: (ListServer, _ folder: String, _ position: Head) async throws -> Void) async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("server"), withIntermediateDirectories: false)
      let server = try await ListServer(Stores(in: .folder(folder.path("server")), options: Self.options) { _ in Stock() })
      do {
        var position: Head = try await server.head()
        for first in stride(from: Int64(1), to: 101, by: 10) {
          let drafts = (first..<first + 10).map { SyncDraft(1, $0, .claim(100 + Int($0))) }
          position = try #require(try await server.ask(RawRequest(.push(Submission.all(drafts)), at: position)).page().head)
        }
        // The server makes its snapshots in the background.
        try await server.until { try await server.ask(.pull()).status == 410 }
        try await body(server, folder.path, position)
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }

    @Test("a fetch is answered by the newest settled snapshot in a schema that it names, with the verdicts of its drafts")
    func fetch() async throws {
      try await withLongJournal { server, _, position in
        func fetched(_ request: RawRequest) async throws -> Fetched {
          let answer = try await server.ask(request)
          guard case .snapshot(let fetched) = try answer.answer() else { throw HTTPAnswer.Unexpected(description: answer.description) }
          return fetched
        }
        let request = RawRequest(.fetch([EntryID(1, 3), EntryID(1, 300)]), schemas: 1...1)
        let found = try await fetched(request)
        #expect(found.floor.head.revision > 1 && found.floor.head.revision <= position.revision + -5)
        #expect(found.lines.map(\.verdict) == [.accepted(4)])
        // The position of the new mirror is a position of the journal.
        let page = try await server.ask(RawRequest(.pull, at: found.floor.head)).page()
        #expect(page.entries.first?.revision == found.floor.head.revision.next && page.head == position)
        #expect(try await fetched(RawRequest(.fetch([]))).floor.head.revision == 1)
        #expect(try await fetched(RawRequest(.fetch([]), schemas: 2...9)).floor.head.revision == 1)
        #expect(try await server.ask(request.replacing(#""schema":1"#, by: #""schema":0"#)).status == 422)
        #expect(try await server.ask(RawRequest(.fetch([]), as: "eve", schemas: 1...1)).status == 403)
      }
    }

    @Test("a device begins there, shows the server's state, undoes, and names its floor for what is below")
    func device() async throws {
      try await withLongJournal { server, folder, _ in
        let address = SyncServer(server.url, principal: "bob") { "bob's token" }
        let journal = try await SyncedJournal(at: folder + "/bob.db", key: "lists/42", on: address)
        let store = try await Store.open(Stock(), in: journal, options: Self.options)
        for await state in store.values(of: { $0 }) where state.slots == Set(101...200) { break }
        _ = try await store.change(.claim(500)).confirmed()
        _ = try await store.undo().commit.confirmed()
        #expect(store.state.slots == Set(101...200))
        let error = await #expect(throws: JournalError.self) { try await store.state(at: 1) }
        #expect(error?.code == .noSuchRevision)
        let mirror = try await SQLiteJournal(at: folder + "/bob.db", key: "lists/42", isReadOnly: true)
        let floor = try #require(try await mirror.floor()?.revision)
        #expect(floor > 1)
        #expect(try await mirror.head().revision == 103)
        await mirror.close()
        await store.close()
        #expect(journal.problem == nil)
      }
    }

    @Test("a device that compacts its copy offline, with a change in its outbox, pushes and pulls from its own floor")
    func compacted() async throws {
      try await withLongJournal { server, folder, _ in
        let address = SyncServer(server.url, principal: "bob") { "bob's token" }
        let path = folder + "/bob.db"
        var journal = try await SyncedJournal(at: path, key: "lists/42", on: address)
        var store = try await Store.open(Stock(), in: journal, options: Self.options)
        for await state in store.values(of: { $0 }) where state.slots == Set(101...200) { break }
        for slot in 500..<520 { _ = try await store.change(.claim(slot)).confirmed() }
        await journal.suspend()
        try await store.change(.claim(520)).durable()
        let shown = store.state
        let plan = try await store.compact(keeping: .last(10))
        #expect(plan.entries > 0 && store.state == shown && store.unconfirmed.count == 1)
        await store.close()

        journal = try await SyncedJournal(at: path, key: "lists/42", on: address)
        store = try await Store.open(Stock(), in: journal, options: Self.options)
        #expect(store.state == shown)
        _ = try await store.change(.claim(521)).confirmed()
        _ = try await store.undo().commit.confirmed()
        #expect(store.state == shown && store.unconfirmed.isEmpty)
        #expect(journal.problem == nil)
        await store.close()
        let mirror = try await SQLiteJournal(at: path, key: "lists/42", isReadOnly: true)
        #expect(try await mirror.floor() == plan.base)
        let head: Head = try await server.head()
        #expect(try await mirror.verify() == head)
        try await mirror.verifyStorage()
        await mirror.close()
      }
    }
  }
#endif
