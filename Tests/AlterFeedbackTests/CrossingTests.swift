#if SQLite
  import Alter
  import AlterCore
  import AlterSQLite
  import AlterTesting
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("An effect that is running while")
  struct CrossingTests {
    private let service = Service()
    /// Without the death of a process, a store that has not released its lease keeps it for so long.
    private var options: FeedbackOptions {
      var options = FeedbackOptions()
      options.lease = .seconds(1)
      return options
    }

    private func open(_ path: String) async throws -> Store<Desk> { try await Store.open(Desk(), in: SQLiteJournal(at: path)) }

    /// Ends a run and its store as the death of the process does. A later answer of the service changes nothing.
    private func kill(_ run: FeedbackRun, _ store: Store<Desk>, answering call: Int) async {
      run.abandon()
      _ = await store.close(deadline: .zero)
      service.answer(call)
      // Its files are closed then.
      _ = await store.close()
    }

    // MARK: - Restore

    @Test("the journal is restored from a backup: a request in it keeps its key, and one that is made again has another")
    func restored() async throws {
      let folder = try Folder()
      let (file, empty, asking) = (folder.path("desk.db"), folder.path("empty"), folder.path("asking"))
      let first = try await open(file)
      try await first.change(.count(1)).durable()
      await first.close()
      try FileManager.default.copyItem(atPath: file, toPath: empty)
      let second = try await open(file)
      try await second.change(.pay(5)).durable()
      await second.close()
      try FileManager.default.copyItem(atPath: file, toPath: asking)
      let third = try await open(file)
      await kill(try await running(on: third, call: 1), third, answering: 0)
      // The backup of the request, in which it is open, and then the older one, in which it is not there.
      for (call, backup) in [(2, asking), (3, empty)] {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("desk.db") {
          try FileManager.default.removeItem(atPath: folder.path(name))
        }
        try FileManager.default.copyItem(atPath: backup, toPath: file)
        let store = try await open(file)
        if call == 3 {
          #expect(store.state.payment == nil)
          try await store.change(.pay(5)).durable()
        }
        let run = try await running(on: store, call: call)
        service.answer(call - 1)
        await store.rest()
        #expect(store.state.paid == ["answer"])
        await run.stop()
        await store.close()
      }
      let keys = service.calls.map(\.key)
      #expect(keys[0] == keys[1] && keys[1] != keys[2])
    }

    private func running(on store: Store<Desk>, call: Int) async throws -> FeedbackRun {
      let run = try store.run([.charge], in: service, options: options)
      await service.waitForCalls(call)
      return run
    }

    // MARK: - Close

    /// Begins a charge, as a run of the store or of all stores.
    private func charging(in folder: Folder, _ isOneOfMany: Bool) async throws -> (Stores<Desk>, Store<Desk>) {
      let stores = Stores(in: .folder(folder.path)) { _ in Desk() }
      let store = try await stores["a"]
      try await store.change(.pay(5)).durable()
      if isOneOfMany {
        try stores.run([.carefulCharge], in: service, options: options)
      } else {
        try store.run([.carefulCharge], in: service, options: options)
      }
      await service.waitForCalls(1)
      return (stores, store)
    }

    @Test("its store is closed ends first, and its answer is in the journal", arguments: [false, true])
    func closed(isOneOfMany: Bool) async throws {
      let folder = try Folder()
      let (stores, store) = try await charging(in: folder, isOneOfMany)
      async let isClosed: Void = {
        if isOneOfMany { #expect(await stores.close().isEmpty) } else { await store.close() }
      }()
      await service.waitForCancellations(1)
      service.answer(0)
      await isClosed
      await stores.close()
      let again = Stores(in: .folder(folder.path)) { _ in Desk() }
      #expect(try await again["a"].state.paid == ["answer"])
      await again.close()
    }

    @Test(
      "its store is closed with a deadline that it misses begins again at the next opening, under the same key", arguments: [false, true])
    func closedAtOnce(isOneOfMany: Bool) async throws {
      let folder = try Folder()
      let (stores, store) = try await charging(in: folder, isOneOfMany)
      if isOneOfMany { _ = await stores.close(deadline: .zero) } else { _ = await store.close(deadline: .zero) }
      service.answer(0, "late")
      let again = Stores(in: .folder(folder.path)) { _ in Desk() }
      let run = try again.run([.carefulCharge], in: service, options: options)
      #expect(await run.sweep(["a"]).isEmpty)
      let opened = try await again["a"]
      // The late answer may have been written before the end.
      await opened.waitForEffects { $0.isEmpty || service.calls.count == 2 }
      if service.calls.count == 2 {
        #expect(service.calls[0].key == service.calls[1].key)
        service.answer(1, "again")
      }
      await opened.rest()
      #expect(opened.state.paid.count == 1)
      await again.close()
      await stores.close()
    }

    // MARK: - Migration

    private struct Old: Journaled, Hashable {
      enum Change: Hashable, Codable { case pay(Int), paid(RequestID) }

      private(set) var payment: Requested<Int>?
      private(set) var paid: [RequestID] = []

      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .pay(let amount): payment = Requested(amount, stamp)
        case .paid(let id): (payment, paid) = (nil, paid + [id])
        }
      }
    }

    /// The next release. It calls a payment an order.
    private struct New: Journaled, Hashable {
      enum Change: Hashable, Codable { case order(Int), paid(RequestID), note(String) }

      static let schema = StateSchema(
        version: 2,
        migrations: [
          Migration(from: 1, to: 2, change: { change in [change["pay"].map { ["order": $0] } ?? change] })
        ])

      private(set) var payment: Requested<Int>?
      private(set) var paid: [RequestID] = []
      private(set) var notes: [String]?

      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .order(let amount): payment = Requested(amount, stamp)
        case .paid(let id): (payment, paid) = (nil, paid + [id])
        case .note(let text): notes = (notes ?? []) + [text]
        }
      }
    }

    private static let old = Feedback<Old, Service>("charge", request: \.payment) { payment, service in
      _ = try await service.ask("old", key: payment.id.key("charge"))
      return .paid(payment.id)
    }
    private static let new = Feedback<New, Service>("charge", request: \.payment) { payment, service in
      _ = try await service.ask("new", key: payment.id.key("charge"))
      return .paid(payment.id)
    }

    @Test("a newer release opens the journal is not begun again there while it lives, and under the same key when it has died")
    func migrated() async throws {
      for isKilled in [false, true] {
        let service = Service()
        let folder = try Folder()
        let old = try await Store.open(Old(), in: SQLiteJournal(at: folder.path("till.db")))
        try await old.change(.pay(5)).durable()
        let oldRun = try old.run([Self.old], in: service, options: options)
        await service.waitForCalls(1)
        if isKilled {
          oldRun.abandon()
          _ = await old.close(deadline: .zero)
        }
        let new = try await Store.open(New(), in: SQLiteJournal(at: folder.path("till.db")))
        try new.run([Self.new], in: service, options: options)
        if isKilled { await service.waitForCalls(2) }
        for call in service.calls.indices { service.answer(call) }
        for await isPaid in new.values(of: { $0.paid.count == 1 }) where isPaid { break }
        #expect(service.requests == (isKilled ? ["old", "new"] : ["old"]) && Set(service.calls.map(\.key)).count == 1)
        await new.close()
        await old.close()
      }
    }

    @Test("a newer release writes to the journal is done by that release under the same key, and the older one says why it has ended")
    func written() async throws {
      let folder = try Folder()
      let old = try await Store.open(Old(), in: SQLiteJournal(at: folder.path("till.db")))
      try await old.change(.pay(5)).durable()
      try old.run([Self.old], in: service, options: options)
      await service.waitForCalls(1)
      let new = try await Store.open(New(), in: SQLiteJournal(at: folder.path("till.db")))
      try await new.change(.note("new")).durable()
      service.answer(0)
      // The older release cannot read that entry, so it cannot append its answer.
      for await case .failed(let error) in old.statuses {
        #expect("\(error)".contains("schema"))
        break
      }
      await old.close()
      try new.run([Self.new], in: service, options: options)
      await service.waitForCalls(2)
      service.answer(1)
      for await isPaid in new.values(of: { $0.paid.count == 1 }) where isPaid { break }
      #expect(service.calls[0].key == service.calls[1].key)
      await new.close()
    }
  }
#endif
