#if SyncServer
  import Alter
  import AlterStore
  import AlterSync
  @testable import AlterSyncServer
  import Foundation
  import StockModel
  import Testing

  @Suite("A synced journal over HTTP", .timeLimit(.minutes(30)))
  struct SyncedJournalTests {
    @Test("a change is confirmed by the server, and another device shows it")
    func two() async throws {
      try await ListServer.with { server, folder in
        let ann = try await Device(folder + "/ann.db", on: server.url)
        let bob = try await Device(folder + "/bob.db", on: server.url, as: "bob")
        let commit = try ann.store.change(.claim(1))
        try await commit.durable()
        let revision = try await commit.confirmed()
        #expect(revision == 2)
        await bob.shows { $0.slots == [1] }
        #expect(ann.store.unconfirmed.isEmpty)
        await bob.reaches { $0 == .live }
        for device in [ann, bob] { await device.close() }
        #expect(ann.journal.problem == nil)
      }
    }

    @Test("the state has what the server had as soon as the link is live, on a new device and on one that was away")
    func live() async throws {
      try await ListServer.with { server, folder in
        let ann = try await Device(folder + "/ann.db", on: server.url)
        var slots: Set<Int> = []
        for slot in (0..<16).filter({ $0 != 9 }) {
          _ = try await ann.store.change(.claim(slot)).confirmed()
          slots.insert(slot)
          for name in ["new \(slot)", "away"] {
            let bob = try await Device(folder + "/\(name).db", on: server.url, as: "bob")
            await bob.reaches { $0 == .live }
            #expect(Set(bob.store.state.slots) == slots)
            await bob.close()
          }
        }
        await ann.close()
      }
    }

    @Test("a refused change disappears, and is listed with its reason, for its author alone, until it is dismissed")
    func refused() async throws {
      try await ListServer.with { server, folder in
        let ann = try await Device(folder + "/ann.db", on: server.url)
        let denied = try ann.store.change(.claim(9))
        #expect(ann.store.state.slots == [9])
        await #expect { try await denied.confirmed() } throws: { error in
          if case .refused("denied")? = error as? CommitError<Refusal> { true } else { false }
        }
        #expect(ann.store.state.slots.isEmpty)
        let refusal = try #require(ann.store.refusals.first)
        #expect(refusal.code == "denied")
        #expect(refusal.reason == "the slot is reserved")
        try await ann.store.dismiss(refusal)
        #expect(ann.store.refusals.isEmpty)
        await ann.close()
      }
    }

    @Test("entries and states before the undo window are read from the device's file, as on the server, and refusals have none")
    func past() async throws {
      try await ListServer.with { _, folder in
        var options = StoreOptions()
        options.undoWindow = 20
        let server = try await ListServer(Stores(in: .folder(folder + "/server"), options: options) { _ in Stock() })
        let ann = try await Device(folder + "/ann.db", on: server.url, window: 20)
        for slot in 0..<400 { try ann.store.change(.claim(slot)) }
        _ = try await ann.store.change(.add).confirmed()
        // The slot 9 is reserved: the revision of the refusal has no entry.
        let head = ann.store.revision
        #expect(head == 402)
        let known = try await server.stores["lists/42"]
        let records = try await ann.store.entries(in: 1...head)
        let expected = try await known.entries(in: 1...head)
        #expect(records.count == 401)
        #expect(records.dropFirst().map(\.id) == expected.dropFirst().map(\.id))
        #expect(records.map(\.revision) == expected.map(\.revision))
        var read: [Revision] = []
        for try await record in ann.store.entries() {
          read.append(record.revision)
          if record.revision == head { break }
        }
        #expect(read == records.map(\.revision))
        for revision in [1, 2, 10, 11, 300, 401] as [Revision] {
          #expect(try await ann.store.state(at: revision) == known.state(at: revision), "\(revision)")
        }
        await #expect { try await ann.store.entries(in: 1...(head + 1)) } throws: { ($0 as? JournalError)?.code == .noSuchRevision }
        await ann.close()
        await server.stop()
      }
    }

    @Test("a token that no header field can hold is no token, and is not sent")
    func brokenToken() async throws {
      try await ListServer.with { server, folder in
        let ann = try await Device(folder + "/ann.db", on: server.url, token: { "ann's token\n" })
        await ann.reaches { $0 == .unauthorised }
        await ann.close()
      }
    }

    @Test("the journals of a process share streams, as few as the server permits, and each learns of its changes")
    func shared() async throws {
      try await ListServer.with {
        $0.limits.journalsPerStream = 3
      } _: { server, folder in
        let address = SyncServer(server.url, principal: "ann") { "ann's token" }
        var journals: [(SyncedJournal, Store<Stock>)] = []
        for number in 0..<7 {
          let journal = try await SyncedJournal(at: folder + "/ann.db", key: "lists/\(number)", on: address)
          journals.append((journal, try await Store.open(Stock(), in: journal)))
        }
        for (journal, _) in journals { for await link in journal.links where link == .live { break } }
        let bob = SyncServer(server.url, principal: "bob") { "bob's token" }
        for number in 0..<7 {
          let journal = try await SyncedJournal(at: folder + "/bob.db", key: "lists/\(number)", on: bob)
          let store = try await Store.open(Stock(), in: journal)
          _ = try await store.change(.claim(number)).confirmed()
          await store.close()
          for await state in journals[number].1.values(of: { $0 }) where state.slots == [number] { break }
        }
        #expect(server.service.streams.count <= 4)
        for (_, store) in journals { await store.close() }
      }
    }

    @Test("offline, changes are durable, survive a restart of the app, and are sent when the server is back at the same address")
    func offline() async throws {
      try await ListServer.with { server, folder in
        let port = server.port
        await server.stop()
        let first = try await Device(folder + "/ann.db", on: server.url)
        for slot in 1...3 { try await first.store.change(.claim(slot)).durable() }
        await first.reaches { if case .offline = $0 { true } else { false } }
        #expect(first.store.unconfirmed.count == 3)
        await first.close()
        let second = try await Device(folder + "/ann.db", on: server.url)
        #expect(second.store.state.slots == [1, 2, 3])
        let late = try second.store.change(.claim(4))
        let again = try await ListServer(folder + "/server", port: port)
        _ = try await late.confirmed()
        #expect(second.store.unconfirmed.isEmpty)
        await second.close()
        let store = try await again.stores["lists/42"]
        #expect(store.state.slots == [1, 2, 3, 4])
        await again.stop()
      }
    }
  }
#endif
