#if SyncServer
  import Alter
  import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterSync
  import AlterSyncCore
  import Foundation
  import StockModel
  import ProcessTesting
  import Testing

  @Suite("A service whose journal another process compacts", .timeLimit(.minutes(30)))
  struct CompactedServiceTests {
    private static var options: StoreOptions {
      var options = StoreOptions()
      (options.undoWindow, options.snapshotSpacing) = (5, 10)
      return options
    }

    private func revision(_ server: ListServer) async throws -> Revision {
      let head: Head = try await server.head()
      return head.revision
    }

    private func fill(_ server: ListServer, _ range: Range<Int64>) async throws {
      var position: Head = try await server.head()
      for first in stride(from: range.lowerBound, to: range.upperBound, by: 10) {
        let drafts = (first..<min(first + 10, range.upperBound)).map { SyncDraft(8, $0, .claim(100 + Int($0))) }
        position = try #require(try await server.ask(RawRequest(.push(Submission.all(drafts)), as: "bob", at: position)).page().head)
      }
    }

    /// Compacts the journal as a command does: by a handle of its own, and until entries go.
    private func compact(_ path: String, beyond revision: Revision) async throws {
      let journal = try await SQLiteJournal(at: path, durability: .relaxed, lockTimeout: .seconds(86_400))
      var floor = Revision.zero
      // The server makes its snapshots in the background.
      while floor <= revision {
        let plan = try await journal.compactionPlan(keeping: .last(0))
        try await journal.compact(plan)
        floor = plan.floor
        if floor <= revision { try await Task.sleep(for: .milliseconds(2)) }
      }
      _ = try await journal.verify()
      try await journal.verifyStorage()
      await journal.close()
    }

    @Test(
      "a device below the floor begins at the server's state, keeps its outbox, and learns the verdicts of drafts whose entries are gone")
    func device() async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("server"), withIntermediateDirectories: false)
      let server = try await ListServer(Stores(in: .folder(folder.path("server")), options: Self.options) { _ in Stock() })
      do {
        try await use(server, folder.path)
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }

    @Test("a key that was adopted, and whose journal was compacted since, is adopted once, and exists for others")
    func adopted() async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("server"), withIntermediateDirectories: false)
      let server = try await ListServer(Stores(in: .folder(folder.path("server")), options: Self.options) { _ in Stock() })
      do {
        let address = SyncServer(server.url, principal: "ann") { "ann's token" }
        for name in ["one", "other"] {
          let local = try await SQLiteJournal(at: folder.path("\(name).db"))
          await (try Store.open(Stock(), in: local)).close()
        }
        func adopt(_ name: String, at file: String) async throws {
          let local = try await SQLiteJournal(at: folder.path("\(name).db"))
          let journal = try await SyncedJournal.adopt(local, of: Stock.self, at: folder.path + file, key: "lists/42", on: address)
          await journal.close()
          await local.close()
        }
        try await adopt("one", at: "/ann.db")
        try await fill(server, 1..<101)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("server")).filter { $0.hasSuffix(".alter") }
        try await compact(folder.path("server/") + (try #require(files.first)), beyond: 50)
        // The answer to the first attempt may have been lost.
        try await adopt("one", at: "/again.db")
        await #expect(throws: AdoptionError.exists) { try await adopt("other", at: "/x.db") }
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }

    private func use(_ server: ListServer, _ folder: String) async throws {
      let first = try await Device(folder + "/ann.db", on: server.url)
      _ = try await first.store.change(.claim(1)).confirmed()
      await first.close()
      let confirmed = try await revision(server)

      // The server decides two drafts, one of which it refuses, and each answer is lost. The last change is made while there is no server.
      let proxy = try await CuttingProxy(to: server.url, forwarding: 0)
      let cut = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/sync"))
      let away = try await Device(folder + "/ann.db", on: cut)
      try await away.store.change(.claim(2)).durable()
      try await away.store.change(.claim(9)).durable()
      try await server.until { try await revision(server) == confirmed + 2 }
      await proxy.stop()
      try await away.store.change(.claim(3)).durable()
      #expect(away.store.unconfirmed.count == 3)
      await away.close()

      try await fill(server, 1..<101)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/server").filter { $0.hasSuffix(".alter") }
      let path = folder + "/server/" + (try #require(files.first))
      try await compact(path, beyond: confirmed + 2)
      // The server has the journal open, and continues.
      try await fill(server, 101..<111)

      let back = try await Device(folder + "/ann.db", on: server.url)
      _ = try await back.store.change(.claim(4)).confirmed()
      #expect(back.store.unconfirmed.isEmpty)
      #expect(back.store.state.slots == Set([1, 2, 3, 4] + (101...210)))
      #expect(back.store.refusals.map(\.code) == ["denied"])
      // Each draft once: the initial state, four claims, one refusal, and the other device's.
      #expect(try await revision(server) == Revision(1 + 4 + 1 + 110))
      #expect(back.journal.problem == nil)
      await back.close()
      let mirror = try await SQLiteJournal(at: folder + "/ann.db", key: "lists/42", isReadOnly: true)
      let journal = try await SQLiteJournal(at: path, isReadOnly: true)
      let (begin, end) = (try #require(try await mirror.floor()), try #require(try await journal.floor()))
      #expect(begin.revision >= end.revision)
      #expect(try await mirror.verify() == journal.verify())
      try await mirror.verifyStorage()
      try await journal.verifyStorage()
      await mirror.close()
      await journal.close()
    }
  }
#endif
