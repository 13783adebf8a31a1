#if SQLite
  import Alter
  import AlterCore
  import AlterSQLite
  import AlterTesting
  import ProcessTesting
  import Foundation
  import Testing

  @Suite("Feedbacks of all stores")
  struct StoresRunTests {
    private let service = Service()

    private func stores(_ folder: Folder, places: Int = 8) -> Stores<Desk> {
      Stores(in: .folder(folder.url.path), budget: StoresBudget(stores: places)) { _ in Desk() }
    }

    @Test("run on the stores that are open, and on those that are opened later, until they are stopped")
    func attached() async throws {
      let folder = try Folder()
      let stores = stores(folder)
      let first = try await stores["a"]
      try first.change(.search("a"))
      let run = try stores.run([.search], in: service)
      await service.waitForCalls(1)
      let second = try await stores["b"]
      try second.change(.search("b"))
      await service.waitForCalls(2)
      #expect(service.requests == ["a", "b"])
      service.answer(0)
      service.answer(1)
      await first.rest()
      await second.rest()
      #expect(first.state.found == ["answer"] && second.state.found == ["answer"])
      await run.stop()
      try second.change(.search("c"))
      let third = try await stores["c"]
      #expect(first.runs.isEmpty && third.runs.isEmpty && service.requests.count == 2)
      await stores.close()
    }

    @Test("finish what other processes have left open, on more stores than may be open at once")
    func sweep() async throws {
      let folder = try Folder()
      let before = stores(folder)
      for number in 0..<40 {
        let store = try await before["\(number)"]
        if number % 10 == 0 { try await store.change(.pay(number)).durable() }
      }
      await before.close()
      let stores = stores(folder)
      let run = try stores.run([.charge], in: service)
      #expect(await run.sweep((0..<40).map(String.init)).isEmpty)
      await service.waitForCalls(4)
      #expect(Set(service.requests) == ["0", "10", "20", "30"])
      for call in 0..<4 { service.answer(call) }
      for number in [0, 10, 20, 30] {
        let store = try await stores["\(number)"]
        await store.rest()
        #expect(store.state.paid == ["answer"])
      }
      await run.stop()
      await stores.close()
    }

    /// Makes journals, a hundredth of which have a payment to make, and dates their files back: a file that has just been changed says nothing.
    private func make(_ count: Int, in folder: Folder) async throws {
      let before = stores(folder)
      _ = try await before["0"]
      try await before["3"].change(.pay(3)).durable()
      await before.close()
      let places = JournalFolder(folder.url.path)
      for number in 0..<count {
        let file = places.file(of: "\(number)")
        // Copies are made faster than journals.
        if number != 0, number != 3 {
          try FileManager.default.copyItem(atPath: places.file(of: number % 100 == 3 ? "3" : "0"), toPath: file)
        }
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: file)
      }
    }

    @Test("open no journal again that has not changed since there was nothing to do, and each one that has")
    func unchanged() async throws {
      let count = Effort.count(short: 200, full: 10_000)
      let open = (count + 96) / 100
      let folder = try Folder()
      try await make(count, in: folder)
      let stores = stores(folder, places: 200)
      let keys = (0..<count).map(String.init)
      let run = try stores.run([.charge], in: service)
      let start = ContinuousClock.now
      #expect(await run.sweep(keys).isEmpty)
      let first = ContinuousClock.now - start
      await service.waitForCalls(open)
      #expect(stores.report.opened == count)
      #expect(await run.sweep(keys).isEmpty)
      print("A sweep of \(count) journals took \(first), and the next one \(ContinuousClock.now - start - first).")
      // Those with open requests are kept.
      #expect(stores.report.opened == count && service.calls.count == open)
      let other = self.stores(folder)
      try await other["5"].change(.pay(5)).durable()
      await other.close()
      #expect(await run.sweep(keys).isEmpty)
      await service.waitForCalls(open + 1)
      // The store may have been open.
      #expect(stores.report.opened <= count + 1)
      for call in 0...open { service.answer(call) }
      await run.stop()
      await stores.close()
    }

    @Test("see an entry that another process appends while they look, at the latest in the next sweep")
    func racing() async throws {
      let journal = MemoryJournal()
      var options = StoreOptions()
      options.keepsJournalOpen = true
      let other = try await Store.open(Desk(), in: journal, options: options)
      let marks = Lock(0)
      let places = JournalPlaces(
        objecting: { _ in nil },
        marking: { _ throws(JournalError) in
          let isSecond = marks.withLock { marks in
            marks += 1
            return marks == 2
          }
          if isSecond { _ = try? await other.change(.pay(5)).durable() }
          return .head(try await journal.head())
        }
      ) { _ in journal }
      let stores = Stores(in: places, options: options) { _ in Desk() }
      let run = try stores.run([.charge], in: service)
      for _ in 0..<2 { #expect(await run.sweep(["a"]).isEmpty) }
      #expect(stores.open.map { $0.confirmed.state.payment?.value } == [5] && stores.open[0].effects.count == 1)
      await service.waitForCalls(1)
      service.answer(0)
      await stores.close()
      await other.close()
    }

    @Test("keep no place for a store whose work is done, although its lease would be renewed only later")
    func places() async throws {
      let folder = try Folder()
      let stores = stores(folder, places: 1)
      var options = FeedbackOptions()
      options.lease = .seconds(600)
      try stores.run([.search], in: service, options: options)
      for (call, key) in ["a", "b", "c"].enumerated() {
        try await stores[key].change(.search(key))
        await service.waitForCalls(call + 1)
        service.answer(call)
      }
      // The leases were released.
      let (store, journal) = (try await stores["a"], try await JournalPlaces.folder(folder.url.path).open("b"))
      #expect(store.state.found == ["answer"])
      let lease = try await journal.lease("feedback/search", for: .random(), lasting: .seconds(1))
      #expect(lease.epoch > 1)
      await journal.close()
      await stores.close()
    }

    @Test("refuse before anything begins what no store can run")
    func refused() async throws {
      let stores = stores(try Folder())
      #expect(throws: FeedbackError.duplicate("save")) { try stores.run([.save, .save], in: service) }
      #expect(throws: FeedbackError.actingIsNotLocal("charge")) { try stores.run([Feedback.charge.local], in: service) }
      await stores.close()
    }
  }
#endif
