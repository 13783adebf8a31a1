#if SQLite && Macros && SyncServer
  import Alter
  import AlterCore
  import AlterJournal
  import AlterSyncCore
  import AlterSyncServer
  import AlterTesting
  import Foundation
  import ProcessTesting
  import Testing

  @testable import AlterStore
  @testable import OrderBook

  @Suite("A device whose app is updated", .timeLimit(.minutes(10)))
  struct DeviceMigrationTests {
    /// Waits until the server has decided everything, and the device has it all.
    private func settle<B: Build>(_ device: Device<B>, _ server: JournalServer<Build2>) async throws {
      await device.store.flush()
      while true {
        let standing = try await device.storage.standing()
        let head = try await server.hint().head
        if standing.head == head, !standing.hasUndecided, !standing.awaitsEntries { break }
        device.driver.nudge()
        try await device.storage.journal.waitForTransaction(after: standing.transactions)
      }
      try await device.store.readOthers()
    }

    @Test("sends the drafts of the older build, which a newer server migrates, judges and takes; the older entries are migrated, too")
    func drafts() async throws {
      let folder = try Folder()
      let journal = MemoryJournal()
      let initial = Entry.Draft(
        kind: .initial, id: EntryID(origin: .random(), sequence: 1), time: 0, schema: 1,
        payload: try JournalCoding.encode(Build1(Contents())))
      _ = try await journal.append([initial], after: journal.head())
      try await journal.serve(Lineage(Generation(1)), schema: 1)
      let server = JournalServer<Build2>(journal, policy: Policy<Build2>(), options: JournalServer<Build2>.Options(secret: (1, 2)))
      // The older build has an older server.
      let before = JournalServer<Build1>(journal, policy: Policy<Build1>(), options: JournalServer<Build1>.Options(secret: (1, 2)))
      let old = try await Device<Build1>(Principal("ann"), folder.path("ann.db"), before, window: 1_000)
      _ = try await old.store.change(Build1.wrap(.deposit(account: 1, amount: 5))).confirmed()
      old.line.isCut.withLock { $0 = true }
      let changes: [Contents.Change] = [.supply(item: 1, count: 1), .name(text: "forbidden"), .place(order: 1, account: 1, item: 1)]
      for change in changes { try await old.store.change(Build1.wrap(change)).durable() }
      await old.close()
      await before.close()
      let new = try await Device<Build2>(Principal("ann"), folder.path("ann.db"), server, window: 1_000)
      #expect(new.store.state.contents.orders.map(\.id) == [1] && new.store.state.contents.name == "forbidden")
      try await settle(new, server)
      #expect(new.store.state.contents.orders.map(\.id) == [1] && new.store.state.contents.accounts == [1: 5])
      #expect(new.store.state.contents.name.isEmpty && new.store.refusals.map(\.code) == ["denied"])
      let state = try await Store<Build2>.state(at: journal.head().revision, in: journal)
      #expect(state == new.store.confirmed.state)
      await new.close()
      await server.close()
    }
  }
#endif
