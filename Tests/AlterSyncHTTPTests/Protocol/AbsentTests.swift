#if SyncServer
  import Alter
  import AlterCore
  import AlterStore
  import AlterSync
  @testable import AlterSyncServer
  import AlterSyncCore
  import Foundation
  import StockModel
  import Testing

  @Suite("A journal that does not exist", .timeLimit(.minutes(20)))
  struct AbsentTests {
    @Test("requests that read it create nothing, and are told that it is absent; a push creates it")
    func reading() async throws {
      try await ListServer.with { server, folder in
        func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder + "/server") }
        for request in [RawRequest.pull(), RawRequest(.fetch([EntryID(1, 1)]))] {
          let answer = try await server.ask(request)
          #expect(answer.status == 404 && answer.kind == "absent")
        }
        let stream = try StreamTests.Stream(server)
        await stream.read { $0.beats >= 1 }
        #expect(try files() == [])
        #expect(try await server.ask(.push([SyncDraft(1, 1, .claim(1))])).verdicts() == [.accepted(2)])
        #expect(try files().contains("lists%2f42.alter"))
        // The stream was waiting for it.
        await stream.read { $0.revisions().last == 2 }
        #expect(try await server.ask(.pull()).status == 200)
      }
    }

    @Test("a principal that may create and not write creates nothing")
    func writers() async throws {
      try await ListServer.with { server, folder in
        server.policy.writers.withLock { $0 = [] }
        let push = try await server.ask(.push([SyncDraft(1, 1, .claim(1))]))
        #expect(push.status == 403 && push.kind == "forbidden")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/server") == [])
      }
    }

    @Test("devices are live on it without a file on the server, and the first change of one reaches the other by its stream")
    func devices() async throws {
      try await ListServer.with {
        // No second look at the journal: only the news of its creation arrives.
        $0.heartbeat = .seconds(3_600)
      } _: { server, folder in
        let ann = try await Device(folder + "/ann.db", on: server.url)
        let bob = try await Device(folder + "/bob.db", on: server.url, as: "bob")
        for device in [ann, bob] { await device.reaches { $0 == .live } }
        try await server.until { server.service.streams.count == 2 }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/server") == [])
        #expect(bob.store.state == Stock() && bob.journal.problem == nil)
        _ = try await ann.store.change(.claim(1)).confirmed()
        await bob.shows { $0.slots == [1] }
        for device in [ann, bob] { await device.close() }
      }
    }

    @Test("a device that has a copy stops when the journal is gone, keeps its changes, and creates nothing")
    func removed() async throws {
      try await ListServer.with { server, folder in
        let port = server.port
        let ann = try await Device(folder + "/ann.db", on: server.url)
        _ = try await ann.store.change(.claim(1)).confirmed()
        await server.stop()
        for file in try FileManager.default.contentsOfDirectory(atPath: folder + "/server") {
          try FileManager.default.removeItem(atPath: folder + "/server/" + file)
        }
        let again = try await ListServer(folder + "/server", port: port)
        await ann.reaches { $0 == .restarted }
        #expect(ann.store.state.slots == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/server") == [])
        await ann.close()
        await again.stop()
      }
    }
  }
#endif
