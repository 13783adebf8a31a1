#if SQLite && Macros
  import Alter
  import AlterRows
  import AlterSQLite
  import AlterTesting
  import Foundation
  import GRDB
  import ProcessTesting
  import RowsModel
  import Testing

  @Suite("The laws of rows", .timeLimit(.minutes(20)))
  struct RowsLawTests {
    @Test(
      "Laws 1 and 2: each reader sees the rows of the state at their place, and later places", arguments: Effort.seeds(short: 3, full: 60))
    func exact(seed: UInt64) async throws {
      try await withRows { store, pool, _ in
        let rows = try await Rows(store, pool)
        // Reads as often as it can, by SQL alone.
        let reader = Task {
          var seen: [Seen] = []
          while !Task.isCancelled {
            guard let now = try? await pool.read({ try Seen($0) }) else { break }
            if now != seen.last { seen.append(now) }
            await Task.yield()
          }
          return seen
        }
        var random = SeededGenerator(seed: seed)
        for number in 0..<Effort.count(short: 150, full: 1_000) {
          switch Int.random(in: 0..<12, using: &random) {
          case 0: _ = try? await store.undo()
          case 1: _ = try? await store.redo()
          case 2 where number % 10 == 0: try store.reset(to: Board((0..<20).map { Card($0, "reset") }))
          default: try store.change(store.state.randomChange(using: &random))
          }
          guard number % 7 == 0 else { continue }
          let confirmed = store.confirmed
          let seen = try await rows.seen()
          #expect(seen.revision >= confirmed.revision.number)
        }
        try await rows.verify()
        reader.cancel()
        let seen = await reader.value
        #expect(seen.map(\.revision) == seen.map(\.revision).sorted())
        for one in seen {
          let revision = Revision(one.revision)
          #expect(one == (try Seen(await store.state(at: revision), at: revision)), "at \(revision)")
        }
        await rows.close()
      }
    }

    @Test("Law 3: a read sees all that was confirmed before it, from eight tasks")
    func ownWrites() async throws {
      try await withRows { store, pool, _ in
        let rows = try await Rows(store, pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for task in 0..<8 {
            group.addTask {
              for number in 0..<20 {
                let id = task * 1_000 + number
                try await store.change(.insert(Card(id), at: 0)).durable()
                let found = try await rows.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM card WHERE id = ?", arguments: [id]) }
                #expect(found == 1)
              }
            }
          }
          try await group.waitForAll()
        }
        await rows.close()
      }
    }

    @Test("Law 4: two processes write the rows of one journal, and observations in each see the rows that the other one wrote")
    func processes() async throws {
      try await withRows { store, pool, folder in
        let rows = try await Rows(store, pool)
        let schema = try pool.schemaVersion
        let other = try LineProcess([Product.path("rows-writer"), folder.path, "1", "60"])
        let observation = ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT count(*) FROM card") }
        var counts = observation.values(in: pool).makeAsyncIterator()
        #expect(try await counts.next() == 0)
        var random = SeededGenerator(seed: 2)
        for _ in 0..<40 { _ = try? await store.change(store.state.randomChange(using: &random)).durable() }
        #expect(await other.line { $0 == "done" } != nil)
        try await store.change(.insert(Card(1_000), at: 0)).durable()
        while let count = try await counts.next(), count == 0 {}
        // The other process removes all, and this one makes no change.
        other.say("")
        while let count = try await counts.next(), count != 0 {}
        #expect(other.readLines().last == "closed")
        try await rows.verify()
        #expect(try await rows.seen() == Seen(store.state, at: store.revision))
        #expect(try pool.schemaVersion == schema)
        await rows.close()
      }
    }

    @Test("Law 5: after a kill at any moment the next opening has the rows of its state, without making them again")
    func kills() async throws {
      try await Folder.use { folder in
        var random = SeededGenerator(seed: 5)
        var schema: Int64?
        for round in 0..<Effort.count(short: 4, full: 100) {
          let process = try LineProcess([Product.path("rows-writer"), folder.path, "\(round)", "10000"])
          for _ in 0..<Int.random(in: 1..<30, using: &random) { #expect(process.readLine() != nil) }
          process.child.end()
          let (store, pool) = (try await folder.store(), try folder.pool())
          let version = try pool.schemaVersion
          if let schema { #expect(version == schema) }
          schema = version
          let rows = try await Rows(store, pool)
          try await rows.verify()
          #expect(try await rows.seen() == Seen(store.state, at: store.revision))
          #expect(try pool.schemaVersion == schema, "the rows were made again in round \(round)")
          await rows.close()
          await store.close()
          try pool.close()
        }
      }
    }

    @Test("Law 6: a restored and a forked journal keep no rows of the other history")
    func forks() async throws {
      try await Folder.use { folder in
        func session(_ changes: [Board.Change], backup: Bool = false) async throws {
          let (store, pool) = (try await folder.store(), try folder.pool())
          let rows = try await Rows(store, pool)
          for change in changes { try await store.change(change).durable() }
          #expect(try await rows.seen() == Seen(store.state, at: store.revision))
          try await rows.verify()
          await rows.close()
          await store.close()
          try pool.close()
        }
        func copy(_ name: String, to other: String) throws {
          for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: folder.path(other + suffix))
            if folder.contents.contains(name + suffix) { try folder.write(folder.bytes(name + suffix), to: other + suffix) }
          }
        }
        try await session((1...5).map { .insert(Card($0, "first"), at: 0) })
        try copy("board.alter", to: "copy")
        try await session((6...9).map { .insert(Card($0, "lost"), at: 0) })
        // Restored: the rows are ahead.
        try copy("copy", to: "board.alter")
        try await session([])
        // Forked: the rows are of another history of the same length.
        try await session((6...9).map { .insert(Card($0, "lost"), at: 0) })
        try copy("copy", to: "board.alter")
        let (store, pool) = (try await folder.store(), try folder.pool())
        for id in 6...9 { try await store.change(.insert(Card(id, "kept"), at: 0)).durable() }
        let rows = try await Rows(store, pool)
        #expect(try await rows.seen() == Seen(store.state, at: store.revision))
        // Replaced by another journal.
        await rows.close()
        await store.close()
        try pool.close()
        for name in folder.contents where name.hasPrefix("board") { try FileManager.default.removeItem(atPath: folder.path(name)) }
        try await session([.insert(Card(1, "new"), at: 0)])
      }
    }

    @Test("Law 8: ORDER BY position is the order of the collection, also where rows are always inserted at one place")
    func positions() async throws {
      let store = Store(Board())
      let rows = try await Rows(store, try DatabaseQueue())
      var random = SeededGenerator(seed: 8)
      func check() async throws {
        let ids = try await rows.read { try Int.fetchAll($0, sql: "SELECT id FROM card ORDER BY position") }
        #expect(ids == store.state.cards.map(\.id))
      }
      for place in [1, 0, Int.max, 40] {
        for number in 0..<Effort.count(short: 150, full: 10_000) {
          try store.change(.insert(Card(place % 1_000 * 100_000 + number), at: place))
          if number % 3 == 0 { try await check() }
        }
        try await check()
      }
      for number in 0..<Effort.count(short: 300, full: 1_000_000) {
        let id = store.state.cards.randomElement(using: &random)!.id
        // Half of the moves go to one place.
        try store.change(.move(id, to: number % 2 == 0 ? 17 : Int.random(in: 0..<store.state.cards.count, using: &random)))
        if number % 11 == 0 { try await check() }
      }
      try await rows.verify()
      await rows.close()
    }

    @Test("a change of one element of many writes its row alone, wherever it is")
    func fewWrites() async throws {
      let store = Store(Board((0..<3_000).map { Card($0) }))
      let queue = try DatabaseQueue()
      let rows = try await Rows(of: store, in: queue, version: 1) { RowTable("card", each: \.cards) }
      func written(_ change: Board.Change) async throws -> Int {
        let before = try await rows.read { try Int.fetchOne($0, sql: "SELECT total_changes()")! }
        try store.change(change)
        return try await rows.read { try Int.fetchOne($0, sql: "SELECT total_changes()")! } - before
      }
      // The row and the place.
      #expect(try await written(.update(Card(1_000, "new"))) == 2)
      #expect(try await written(.insert(Card(5_000), at: 1)) == 2)
      #expect(try await written(.move(2_000, to: 7)) == 2)
      #expect(try await written(.remove(3)) == 2)
      var sum = 0
      for id in 6_000..<6_200 { sum += try await written(.insert(Card(id), at: 1_500)) }
      #expect(sum < 200 * 12)
      try await rows.verify()
      await rows.close()
    }

    @Test("Law 9: a build with a lower version writes nothing, and says so")
    func versions() async throws {
      try await withRows { store, pool, _ in
        let newer = try await Rows(store, pool, version: 2)
        try await store.change(.insert(Card(1), at: 0)).durable()
        let before = try await newer.seen()
        await newer.close()
        let older = try await Rows(store, pool, version: 1)
        try await store.change(.insert(Card(2), at: 0)).durable()
        await #expect(throws: RowsError.outdated(found: 2, own: 1)) { try await older.seen() }
        guard case .outdated = older.status else { return #expect(Bool(false), "\(older.status)") }
        #expect(try await pool.read { try Seen($0) } == before)
        await older.close()
        let newest = try await Rows(store, pool, version: 3)
        #expect(try await newest.seen() == Seen(store.state, at: store.revision))
        await newest.close()
      }
    }

    @Test("Law 10: after a removal and vacuum() no byte of a person is in the database, its log or its search index")
    func erasure() async throws {
      try await withRows { store, pool, folder in
        let rows = try await Rows(store, pool)
        for id in 0..<50 { try store.change(.insert(Card(id, "Zyxomma petiolatum \(id)", notes: "quetzalcoatlus"), at: 0)) }
        func files() throws -> [String] {
          _ = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM card") }
          return try folder.contents.filter { $0.hasPrefix("rows.db") }.filter { name in
            let bytes = try folder.bytes(name)
            return ["yxomma", "uetzal"].contains { bytes.range(of: Data($0.utf8)) != nil }
          }
        }
        try await store.change(.move(1, to: 3)).durable()
        _ = try await rows.seen()
        #expect(try !files().isEmpty)
        for id in 0..<50 { try await store.change(id % 2 == 0 ? .remove(id) : .update(Card(id, "erased"))).durable() }
        try await rows.vacuum()
        #expect(try files() == [])
        try await rows.verify()
        await rows.close()
      }
    }
  }
#endif
