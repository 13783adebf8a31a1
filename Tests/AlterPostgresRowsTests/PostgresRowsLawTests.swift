#if Postgres && Macros
  import Alter
  import AlterPostgres
  import AlterPostgresRows
  import AlterRows
  import AlterTesting
  import Foundation
  import ProcessTesting
  import RowsModel
  import Testing

  @Suite("The laws of rows in PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct PostgresRowsLawTests {
    @Test("Law 12: an entry and its rows are visible together, through undo, redo and reset", arguments: Effort.seeds(short: 2, full: 40))
    func together(seed: UInt64) async throws {
      let fixture = try await RowsFixture()
      let store = try await fixture.store()
      let rows = try await PostgresRows(store, fixture)
      let reader = Task<[Seen], any Error> {
        var seen: [Seen] = []
        while !Task.isCancelled { seen.append(try await fixture.seen()) }
        return seen
      }
      var random = SeededGenerator(seed: seed)
      for number in 0..<Effort.count(short: 150, full: 1_000) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: _ = try? await store.undo()
        case 1: _ = try? await store.redo()
        case 2 where number % 10 == 0: try store.reset(to: Board((0..<20).map { Card($0, "reset") }))
        default:
          let commit = try store.change(store.state.randomChange(using: &random))
          if number % 3 == 0 { try await commit.durable() }
        }
      }
      try await store.change(.insert(Card(-1), at: 0)).durable()
      reader.cancel()
      let seen = try await reader.value + [fixture.seen()]
      #expect(seen.map(\.revision) == seen.map(\.revision).sorted())
      for one in seen {
        #expect(one.revision == one.head, "no append has left the rows behind")
        let revision = Revision(one.revision)
        #expect(one == (try Seen(await store.state(at: revision), at: revision)), "at \(revision)")
      }
      try await rows.verify()
      if case .current = rows.status {} else { Issue.record("\(rows.status)") }
      await rows.close()
      await store.close()
    }

    @Test("Law 12: after a kill at any moment the entries and their rows are there, or neither")
    func kills() async throws {
      let fixture = try await RowsFixture()
      var random = SeededGenerator(seed: 12)
      for round in 0..<Effort.count(short: 4, full: 100) {
        let process = try LineProcess(
          [Product.path("postgres-rows-writer"), fixture.address, fixture.key, fixture.schema, "\(round)", "10000"])
        for _ in 0..<Int.random(in: 1..<30, using: &random) { #expect(process.readLine() != nil) }
        process.child.end()
        let store = try await fixture.store()
        // The server may still work on the last request of the process. It ends before another one can append.
        try await store.change(.move(store.state.cards.first?.id ?? 0, to: 0)).durable()
        let seen = try await fixture.seen()
        #expect(seen.revision < seen.head, "this store has no rows")
        let place = Revision(seen.revision)
        let expected = try Seen(await store.state(at: place), at: place)
        #expect(seen.rows == expected.rows)
        #expect(place == store.confirmed.revision.previous, "the last entry of the process had its rows")
        await store.close()
      }
    }

    @Test("Law 12: processes that append at once move rows with their entries, and a conflict moves nothing")
    func processes() async throws {
      let fixture = try await RowsFixture()
      let store = try await fixture.store()
      let rows = try await PostgresRows(store, fixture)
      let others = try (0..<3).map {
        try LineProcess([Product.path("postgres-rows-writer"), fixture.address, fixture.key, fixture.schema, "\($0)", "60"])
      }
      var random = SeededGenerator(seed: 7)
      for _ in 0..<60 {
        _ = try? await store.change(store.state.randomChange(using: &random)).durable()
        let seen = try await fixture.seen()
        #expect(seen.rows == (try Seen(await stateAt(seen.revision, store), at: Revision(seen.revision)).rows))
      }
      for other in others { #expect(await other.line { $0 == "done" } != nil) }
      // The others look for late rows as they close.
      for other in others { _ = other.readLines() }
      try await store.change(.insert(Card(10_000), at: 0)).durable()
      try await rows.current()
      let seen = try await fixture.seen()
      #expect(seen.revision == seen.head)
      try await store.change(.insert(Card(10_001), at: 0)).durable()
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      try await rows.verify()
      await rows.close()
      await store.close()
    }

    private func stateAt(_ revision: Int64, _ store: Store<Board>) async throws -> Board {
      // The store may not have read so far.
      while true {
        do throws(JournalError) { return try await store.state(at: Revision(revision)) } catch {
          guard error.code == .noSuchRevision else { throw error }
          await Task.yield()
        }
      }
    }

    @Test("Each kind of step moves its rows with the entry: those of one row, and of several", arguments: [1, 3])
    func kinds(count: Int) async throws {
      let fixture = try await RowsFixture()
      let store = try await fixture.store()
      let rows = try await PostgresRows(store, fixture)
      func check(_ step: String, _ cards: [Card]) async throws {
        try await store.change(.replace(cards)).durable()
        #expect(try await fixture.seen() == Seen(store.state, at: store.revision), "\(step)")
      }
      var cards = (0..<10).map { Card($0) }
      try await check("into an empty table", cards)
      for id in 0..<count { cards[id + 4] = Card(id + 4, "other", labels: [Tag("a")]) }
      try await check("an update, and the first rows of a table", cards)
      for id in 0..<count { cards[id + 4] = Card(id + 4, "again", labels: [Tag("a"), Tag("b")]) }
      try await check("an update, and rows behind others", cards)
      cards.insert(contentsOf: (0..<count).map { Card($0 + 100) }, at: 5)
      try await check("an insertion between others", cards)
      cards.insert(contentsOf: (0..<count).map { Card($0 + 200) }, at: 0)
      try await check("an insertion in front", cards)
      let moved = Array(cards.prefix(count))
      cards = cards.dropFirst(count) + moved
      try await check("a move to the end", cards)
      cards.removeLast(count)
      cards.insert(contentsOf: moved, at: 3)
      try await check("a move between others", cards)
      cards.removeSubrange(6..<6 + count)
      try await check("a removal", cards)
      try await rows.verify()
      await rows.close()
      await store.close()
    }

    @Test("Rows are in the order of the collection, however often something is inserted or moved at one place")
    func order() async throws {
      let fixture = try await RowsFixture()
      let store = try await fixture.store()
      let rows = try await PostgresRows(store, fixture)
      try store.change(.replace([Card(1), Card(2)]))
      for id in 3..<110 { try await store.change(.insert(Card(id, labels: [Tag("a"), Tag("b")]), at: 1)).durable() }
      try await rows.verify()
      for _ in 0..<80 {
        try await store.change(.move(1, to: 50)).durable()
        try await store.change(.move(50, to: 51)).durable()
      }
      try await rows.verify()
      try await store.change(.replace(store.state.cards.reversed())).durable()
      try await rows.verify()
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      await rows.close()
      await store.close()
    }

    @Test(
      "Writers that insert at one place at once have the rows with their entries again after there was no room: on machines, and in one process",
      arguments: [false, true])
    func crowded(areTogether: Bool) async throws {
      let fixture = try await RowsFixture()
      var replicas: [(store: Store<Board>, rows: PostgresRows<Board>)] = []
      for number in 0..<4 {
        // With connections of its own, as on another machine. In one process they append in groups.
        let name = "crowded \(fixture.schema) \(areTogether ? 0 : number)"
        let journal = try await PostgresJournal(at: fixture.address + " application_name='\(name)'", key: fixture.key)
        let store = try await Store.open(Board(), in: journal)
        replicas.append((store, try await PostgresRows(store, fixture)))
      }
      try await replicas[0].store.change(.replace([Card(0), Card(1)])).durable()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (machine, replica) in replicas.enumerated() {
          group.addTask {
            for number in 0..<40 {
              let id = (machine + 1) * 1_000 + number
              // At first the store may not have the two cards.
              try await replica.store.change(.insert(Card(id), at: min(1, replica.store.state.cards.count))).durable()
            }
          }
        }
        try await group.waitForAll()
      }
      for replica in replicas { try await replica.rows.current() }
      let isWhole = {
        let seen = try await fixture.seen(); return seen.revision == seen.head
      }
      #expect(try await isWhole())
      for (machine, replica) in replicas.enumerated() {
        try await replica.store.change(.insert(Card(-1 - machine), at: 0)).durable()
        #expect(try await isWhole(), "machine \(machine)")
      }
      for replica in replicas {
        try await replica.rows.verify()
        await replica.rows.close()
        await replica.store.close()
      }
    }

    @Test("A program without rows makes them late, the view lists them, and the next store moves them to its state")
    func late() async throws {
      let fixture = try await RowsFixture()
      let store = try await fixture.store()
      let rows = try await PostgresRows(store, fixture)
      try await store.change(.insert(Card(1, "one"), at: 0)).durable()
      await rows.close()
      let late = "SELECT key, missing FROM \"\(fixture.schema)\".alter_rows_late"
      #expect(try await fixture.run(late) == "")
      try await store.change(.insert(Card(2, "two"), at: 0)).durable()
      try await store.change(.insert(Card(3, "three"), at: 0)).durable()
      #expect(try await fixture.run(late) == "\(fixture.key)|2")
      let again = try await PostgresRows(store, fixture)
      #expect(try await fixture.run(late) == "")
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      // Another program appends beside this one, which notices.
      let other = try await fixture.store()
      try await other.change(.insert(Card(4, "four"), at: 0)).durable()
      try await store.change(.insert(Card(5, "five"), at: 0)).durable()
      try await again.current()
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      await other.close()
      await again.close()
      await store.close()
    }

    @Test("After a compaction beyond the place of late rows, all rows are made again")
    func compacted() async throws {
      let fixture = try await RowsFixture()
      var options = StoreOptions()
      options.undoWindow = 5
      let store = try await fixture.store(options)
      let rows = try await PostgresRows(store, fixture)
      for id in 0..<10 { try await store.change(.insert(Card(id), at: 0)).durable() }
      await rows.close()
      for id in 10..<40 { try await store.change(.insert(Card(id), at: 0)).durable() }
      try await store.compact(keeping: .last(0))
      let again = try await PostgresRows(store, fixture)
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      // An append to a compacted journal, too.
      try await store.change(.insert(Card(100), at: 3)).durable()
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      try await again.verify()
      await again.close()
      await store.close()
    }

    @Test("An import, and a store that opens after it, have the rows of the imported state")
    func imported() async throws {
      let fixture = try await RowsFixture()
      let store = try await Store.open(importing: "old", in: try await fixture.journal()) { Board((0..<50).map { Card($0, "old \($0)") }) }
      let rows = try await PostgresRows(store, fixture)
      #expect(try await fixture.seen() == Seen(store.state, at: 1))
      await rows.close()
      await store.close()
    }
  }
#endif
