#if SyncServer
  import Alter
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterSync
  import AlterSyncServer
  import Foundation
  import ProcessTesting
  import Testing
  import TillModel

  @Suite("An effect that a server or a device performs while", .timeLimit(.minutes(10)))
  struct ServerEffectCrossingTests {
    @Test(
      "the server is restored from a backup before the request: the charge is repeated under the same key, if the request comes back",
      arguments: ["recovered", "discarded"])
    func restored(decision: String) async throws {
      let folder = try Folder()
      let path = folder.path("server")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let first = try await TillServer(path)
      let port = try #require(first.url.port)
      let ann = try await TillDevice(folder.path("ann.db"), on: first.url)
      _ = try await ann.store.change(.note("before")).confirmed()
      await first.stop()
      try FileManager.default.copyItem(atPath: path, toPath: folder.path("backup"))

      let second = try await TillServer(path, port: port)
      let before = Bank()
      before.shut()
      try second.stores.run([.charge], in: before)
      _ = try await ann.store.change(.pay(500)).confirmed()
      await ann.shows { $0.charging != nil }
      await before.waitForCalls(1)
      // The device does not hear of the answer.
      await ann.store.close()
      before.open()
      await second.stop()
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: folder.path("backup"), toPath: path)

      let third = try await TillServer(path, port: port)
      let device = try await TillDevice(folder.path("ann.db"), on: third.url)
      for await link in device.journal.links where link == .restarted { break }
      await third.stop()
      let server = try await SQLiteJournal(at: JournalFolder(path).file(of: "till"))
      if decision == "recovered" {
        let mirror = try await SQLiteJournal(at: folder.path("ann.db"), key: "till")
        #expect(try await server.recover(from: mirror) == 2)
        await mirror.close()
      } else {
        try await server.discardLostEntries()
      }
      await server.close()

      let fourth = try await TillServer(path, port: port)
      let after = Bank()
      let run = try fourth.stores.run([.charge], in: after)
      #expect(await run.sweep(["till"]).isEmpty)
      device.journal.nudge()
      if decision == "discarded" {
        // The user makes the change again: it keeps its stamp, and so the request its id.
        for await outbox in device.store.outbox where outbox.refusals.count == 1 { break }
        for commit in device.store.retry(device.store.refusals).values { _ = try await commit.get().confirmed() }
      }
      await device.shows { $0.paid.count == 1 }
      #expect(before.calls.count == 1 && after.calls == before.calls)
      await device.store.close()
      await fourth.stop()
    }

    private func with(
      _ permits: @escaping @Sendable (Till.Change) -> Bool, _ body: (TillServer, TillDevice) async throws -> Void
    ) async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("server"), withIntermediateDirectories: false)
      let server = try await TillServer(folder.path("server"), permits: permits)
      let ann = try await TillDevice(folder.path("ann.db"), on: server.url)
      try await body(server, ann)
      await ann.store.close()
      await server.stop()
    }

    @Test("the policy comes to deny such changes is answered all the same: the policy is for devices")
    func deniedToDevices() async throws {
      let isLocked = Lock(false)
      try await with({ _ in !isLocked.withLock { $0 } }) { server, ann in
        let bank = Bank()
        bank.shut()
        try server.stores.run([.charge], in: bank)
        _ = try await ann.store.change(.pay(500)).confirmed()
        await bank.waitForCalls(1)
        isLocked.withLock { $0 = true }
        bank.open()
        await ann.shows { $0.paid.count == 1 }
        #expect(bank.calls.count == 1)
        await #expect(throws: (any Error).self) { try await ann.store.change(.pay(1)).confirmed() }
      }
    }

    @Test("the policy comes to deny a device's answer is stuck after some rounds, and that is reported")
    func deniedAnswer() async throws {
      try await with({ if case .stored = $0 { false } else { true } }) { server, ann in
        let calls = Lock(0)
        let store = Feedback<Till, Void>("store", of: \.document, when: { $0.document != $0.stored }) { document, _ in
          calls.withLock { $0 += 1 }
          return .stored(document)
        }.local
        var problems = ann.store.problems.makeAsyncIterator()
        try ann.store.run([store])
        _ = try await ann.store.change(.write(7)).confirmed()
        var problem = ""
        while !problem.contains("is stuck"), calls.withLock({ $0 }) < 100, let next = await problems.next() { problem = "\(next)" }
        #expect(problem.contains("feedbacks have answered each other"), "\(problem) after \(calls.withLock { $0 }) calls")
        #expect(calls.withLock { $0 } == 5)
      }
    }
  }
#endif
