#if SyncServer
  import Alter
  import AlterStore
  import AlterSyncServer
  import ProcessTesting
  import StockModel
  import Testing

  @Suite("Undo on a server", .timeLimit(.minutes(10)))
  struct UndoTests {
    private struct Plain: SyncPolicy {
      typealias State = Stock
      func mayRead(_ key: String, _ principal: String) async throws -> Bool { true }
    }

    @Test(
      "by default a principal has its own scope alone; one without a name has none",
      arguments: [("ann", true), ("bob", false), ("", false)])
    func defaultScope(scope: String, isGranted: Bool) async throws {
      #expect(try await Plain().grants(UndoScope(rawValue: scope), in: "lists/42", to: "ann") == isGranted)
      #expect(try await !Plain().grants(.journal, in: "lists/42", to: scope))
    }

    @Test("each user of a synced journal undoes the own changes alone")
    func ownScope() async throws {
      try await ListServer.with { server, folder in
        let ann = try await Device(folder + "/ann.db", on: server.url)
        let bob = try await Device(folder + "/bob.db", on: server.url, as: "bob")
        _ = try await ann.store.change(.claim(1)).confirmed()
        await bob.shows { $0.slots == [1] }
        await #expect(throws: UndoError.nothingToUndo) { try await bob.store.undo() }
        _ = try await bob.store.change(.claim(2)).confirmed()
        await ann.shows { $0.slots == [1, 2] }
        _ = try await ann.store.undo().commit.confirmed()
        await bob.shows { $0.slots == [2] }
        await ann.close()
        await bob.close()
      }
    }

    @Test("a principal that may not make a change can neither undo nor redo it, also in a scope of both")
    func sharedScope() async throws {
      try await ListServer.with { server, folder in
        server.policy.owners.withLock { $0 = ["ann"] }
        let ann = try await Device(folder + "/ann.db", on: server.url, scope: .journal)
        let bob = try await Device(folder + "/bob.db", on: server.url, as: "bob", scope: .journal)
        _ = try await ann.store.change(.claim(9)).confirmed()
        await bob.shows { $0.slots == [9] }
        let undo = try await bob.store.undo().commit
        await #expect(throws: CommitError<Refusal>.refused(code: "denied")) { try await undo.confirmed() }
        _ = try await ann.store.undo().commit.confirmed()
        await bob.shows { $0.slots.isEmpty }
        let redo = try await bob.store.redo().commit
        await #expect(throws: CommitError<Refusal>.refused(code: "denied")) { try await redo.confirmed() }
        _ = try await ann.store.redo().commit.confirmed()
        #expect(ann.store.confirmed.state.slots == [9])
        await ann.close()
        await bob.close()
      }
    }
  }
#endif
