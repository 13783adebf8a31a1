#if SyncServer
  import Alter
  import AlterCore
  import AlterJournal
  import AlterStore
  import AlterSyncServer
  import Foundation
  import ProcessTesting
  import Testing
  import TillModel

  @Suite("The server as the performer", .timeLimit(.minutes(10)))
  struct ServerEffectsTests {
    private func with(_ body: (TillServer, _ folder: String) async throws -> Void) async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("server"), withIntermediateDirectories: false)
      let server = try await TillServer(folder.path("server"))
      do { try await body(server, folder.path) } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }

    @Test("performs what a device asks for, and every device sees its answers as confirmed changes of the server")
    func twoDevices() async throws {
      try await with { server, folder in
        let bank = Bank()
        let run = try server.stores.run([.charge, .store], in: bank)
        let ann = try await TillDevice(folder + "/ann.db", on: server.url)
        let bob = try await TillDevice(folder + "/bob.db", on: server.url, as: "bob")
        _ = try await ann.store.change([.pay(500), .write(7)]).confirmed()
        await ann.shows { $0.paid.count == 1 && $0.stored == 7 }
        await bob.shows { $0.paid.count == 1 && $0.stored == 7 }
        #expect(bank.calls.count == 1)
        // The devices and the server have the same state of the same entries.
        let there = try await server.stores["till"]
        #expect(ann.store.confirmed == there.confirmed && bob.store.confirmed == there.confirmed)
        let authors = try await there.journal?.entries(after: 1, limit: 100).map { $0.receipt?.author } ?? []
        // The request, `charging`, `paid` and `stored`.
        #expect(authors.count == 4 && Set(authors[1...]).count == 1 && authors[0] != authors[1])
        await run.stop()
        await ann.store.close()
        await bob.store.close()
      }
    }

    @Test("begins a request that was made while no server ran it, also one that was made long ago offline")
    func later() async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("server"), withIntermediateDirectories: false)
      let first = try await TillServer(folder.path("server"))
      let ann = try await TillDevice(folder.path("ann.db"), on: first.url)
      _ = try await ann.store.change(.pay(500)).confirmed()
      await ann.store.close()
      await first.stop()
      // Thirty hours later the request is too old by its own time and by that of its arrival; an hour later it is not.
      for (hours, calls) in [(30, 0), (1, 1)] as [(Int64, Int)] {
        var options = StoreOptions()
        options.environment.now = { WallClock.now + hours * 3_600_000_000 }
        let server = try await TillServer(folder.path("server"), options: options)
        let bank = Bank()
        let run = try server.stores.run([.charge], in: bank)
        #expect(await run.sweep(["till"]).isEmpty)
        let store = try await server.stores["till"]
        if calls == 0 {
          while !store.effects.contains(where: { if case .stuck = $0.phase { true } else { false } }) { await Task.yield() }
        } else {
          for await isPaid in store.values(of: { $0.paid.count == 1 }) where isPaid { break }
        }
        #expect(bank.calls.count == calls)
        await server.stop()
      }
    }

    @Test("counts the time of a request from its arrival: a device that was offline for three days is served")
    func offline() async throws {
      try await with { server, folder in
        let bank = Bank()
        try server.stores.run([.charge], in: bank)
        let ann = try await TillDevice(folder + "/ann.db", on: server.url, now: { WallClock.now - 3 * 86_400_000_000 })
        _ = try await ann.store.change(.pay(500)).confirmed()
        await ann.shows { $0.paid.count == 1 }
        #expect(bank.calls.count == 1)
        await ann.store.close()
      }
    }

    @Test("counts the time of a request from its arrival, also if the device's clock is ahead and the server starts again")
    func clockAhead() async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("server"), withIntermediateDirectories: false)
      let first = try await TillServer(folder.path("server"))
      let ann = try await TillDevice(folder.path("ann.db"), on: first.url, now: { WallClock.now + 3 * 86_400_000_000 })
      _ = try await ann.store.change(.pay(500)).confirmed()
      await ann.store.close()
      await first.stop()
      var options = StoreOptions()
      options.environment.now = { WallClock.now + 30 * 3_600_000_000 }
      let server = try await TillServer(folder.path("server"), options: options)
      let bank = Bank()
      let run = try server.stores.run([.charge], in: bank)
      #expect(await run.sweep(["till"]).isEmpty)
      let store = try await server.stores["till"]
      while bank.calls.isEmpty, !store.effects.contains(where: { if case .stuck = $0.phase { true } else { false } }) { await Task.yield() }
      #expect(bank.calls.isEmpty)
      await server.stop()
    }

    @Test("bears any number of answers that a device claims: a retry of the stuck request does not trap")
    func claimedDepth() async throws {
      try await with { server, folder in
        let bob = try await TillDevice(folder + "/bob.db", on: server.url, as: "bob")
        try server.stores.run([.store], in: Bank())
        let there = try await server.stores["till"]
        for depth in [Int.max, Int.min] {
          _ = try await bob.store.change([.write(depth)], cause: Cause(feedback: "store", depth: depth), under: nil, if: nil).confirmed()
          while there.state.stored != depth {
            for case let run as FeedbackRun in there.runs { run.retry("store") }
            await Task.yield()
          }
        }
        await bob.store.close()
      }
    }

    @Test("keeps a device from undoing what it has begun, and performs nothing that was undone before")
    func undo() async throws {
      try await with { server, folder in
        let bank = Bank()
        bank.shut()
        let ann = try await TillDevice(folder + "/ann.db", on: server.url)
        // Undone before a performer is there.
        _ = try await ann.store.change(.pay(100)).confirmed()
        _ = try await ann.store.undo().commit.confirmed()
        try server.stores.run([.charge], in: bank)
        _ = try await ann.store.change(.pay(500)).confirmed()
        await ann.shows { $0.charging != nil }
        await #expect(throws: UndoError.self) { try await ann.store.undo().commit.confirmed() }
        await bank.waitForCalls(1)
        bank.open()
        await ann.shows { $0.paid.count == 1 }
        #expect(bank.calls.map(\.amount) == [500])
        await ann.store.close()
      }
    }

    @Test("changes a served journal itself beside a device, and both have every change")
    func changes() async throws {
      try await with { server, folder in
        let ann = try await TillDevice(folder + "/ann.db", on: server.url)
        _ = try await ann.store.change(.note("ann")).confirmed()
        let store = try await server.stores["till"]
        try await store.change(.note("server")).durable()
        await ann.shows { $0.notes == ["ann", "server"] }
        // Both at once, again and again.
        async let mine: Void = {
          for number in 0..<30 { try await store.change(.note("s\(number)")).durable() }
        }()
        for number in 0..<30 { _ = try await ann.store.change(.note("a\(number)")).confirmed() }
        try await mine
        await ann.shows { $0.notes.count == 62 }
        #expect(ann.store.state == store.state && store.state.notes.filter { $0.hasPrefix("s") }.count == 31)
        await ann.store.close()
      }
    }

    @Test("needs the service in the process: without it, a run reports a served journal and begins nothing")
    func withoutService() async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("server"), withIntermediateDirectories: false)
      let server = try await TillServer(folder.path("server"))
      let ann = try await TillDevice(folder.path("ann.db"), on: server.url)
      _ = try await ann.store.change(.pay(500)).confirmed()
      #expect(throws: FeedbackError.decidedByServer(["charge"])) { try ann.store.run([.charge], in: Bank()) }
      await ann.store.close()
      await server.stop()
      let stores = Stores(in: .folder(folder.path("server"))) { _ in Till() }
      let bank = Bank()
      try stores.run([.charge], in: bank)
      let store = try await stores["till"]
      for await problem in store.problems {
        #expect("\(problem)".contains("the journal's server decides"))
        break
      }
      #expect(bank.calls.isEmpty)
      await stores.close()
    }
  }
#endif
