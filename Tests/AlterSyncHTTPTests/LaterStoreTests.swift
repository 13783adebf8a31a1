#if SyncServer
  import Alter
  import AlterStore
  import AlterSync
  @testable import AlterSyncServer
  import Foundation
  import StockModel
  import Testing

  @Suite("The link of a journal whose stores come and go", .timeLimit(.minutes(5)))
  struct LaterStoreTests {
    private var shared: StoreOptions {
      var options = StoreOptions()
      options.keepsJournalOpen = true
      return options
    }

    @Test("a closed store that is still referred to does not delay the status")
    func closed() async throws {
      try await ListServer.with { server, folder in
        let address = SyncServer(server.url, principal: "bob") { "bob's token" }
        let ann = try await Device(folder + "/ann.db", on: server.url)
        let journal = try await SyncedJournal(at: folder + "/bob.db", key: "lists/42", on: address, options: Device.impatient)
        let first = try await Store.open(Stock(), in: journal, options: shared)
        for await link in journal.links where link == .live { break }
        await first.close()
        let second = try await Store.open(Stock(), in: journal, options: shared)
        await journal.suspend()
        _ = try await ann.store.change(.claim(1)).confirmed()
        let start = ContinuousClock.now
        await journal.resume()
        for await link in journal.links where link == .live { break }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(second.state.slots == [1])
        withExtendedLifetime(first) {}
        await second.close()
        await journal.close()
        await ann.close()
      }
    }

    @Test("the status waits for each open store of the journal")
    func second() async throws {
      try await ListServer.with { server, folder in
        let address = SyncServer(server.url, principal: "bob") { "bob's token" }
        let ann = try await Device(folder + "/ann.db", on: server.url)
        let journal = try await SyncedJournal(at: folder + "/bob.db", key: "lists/42", on: address, options: Device.impatient)
        do {
          let first = try await Store.open(Stock(), in: journal, options: shared)
          for await link in journal.links where link == .live { break }
          await first.close()
        }
        let second = try await Store.open(Stock(), in: journal, options: shared)
        var (old, slots): (Int, Set<Int>) = (0, [])
        for slot in 0..<40 where slot != 9 {
          await journal.suspend()
          _ = try await ann.store.change(.claim(slot)).confirmed()
          slots.insert(slot)
          await journal.resume()
          for await link in journal.links where link == .live { break }
          if Set(second.state.slots) != slots { old += 1 }
        }
        #expect(old == 0)
        await second.close()
        await journal.close()
        await ann.close()
      }
    }
  }
#endif
