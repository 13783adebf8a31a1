#if SQLite
  import Alter
  import AlterSQLite
  import AlterTesting
  import Foundation
  import ProcessTesting
  import Testing
  import TillModel

  @Suite("Law 17: killed at any moment, the next process finishes what is open", .timeLimit(.minutes(60)))
  struct RecoveryTests {
    /// Makes journals, every n-th of which has a payment to make.
    private func make(_ keys: [String], every distance: Int, in folder: Folder) async throws {
      let stores = Stores(in: .folder(folder.path("tills")), budget: StoresBudget(stores: 16)) { _ in Till() }
      _ = try await stores[keys[1]]
      for number in stride(from: 0, to: keys.count, by: distance) {
        try await stores[keys[number]].change(.pay(number + 1)).durable()
      }
      await stores.close()
      let places = JournalFolder(folder.path("tills"))
      // Copies are made faster than journals.
      for number in keys.indices where number != 1 && number % distance != 0 {
        try FileManager.default.copyItem(atPath: places.file(of: keys[1]), toPath: places.file(of: keys[number]))
      }
    }

    @Test("a sweep that is killed again and again charges each payment once, and leaves none open")
    func killedSweep() async throws {
      let (count, distance) = (Effort.count(short: 120, full: 10_000), Effort.count(short: 2, full: 10))
      let keys = (0..<count).map(String.init)
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("tills"), withIntermediateDirectories: false)
      try await make(keys, every: distance, in: folder)
      let (requests, books) = ((count + distance - 1) / distance, Books(folder.path("bank")))
      var random = SeededGenerator(seed: 17)
      var kills = 0
      while true {
        let sweep = try LineProcess([Product.path("feedback-worker"), "sweep", folder.path("tills"), folder.path("bank")] + keys)
        // The first ones die in the middle of the work, each after another number of steps.
        let steps = kills < Effort.count(short: 8, full: 12) ? 1 + random.below(requests / 4) : .max
        var line: String? = ""
        for _ in 0..<steps {
          line = await sweep.line()
          if line == nil || line == "done" { break }
        }
        guard line != nil, line != "done" else {
          #expect(line == "done", "\(sweep.lines.suffix(3))")
          _ = sweep.readLines()
          break
        }
        sweep.child.end(SIGKILL)
        kills += 1
      }
      #expect(kills > 0 && books.lines("charged").count == requests && books.keys.count == requests)
      let stores = Stores(in: .folder(folder.path("tills")), budget: StoresBudget(stores: 16)) { _ in Till() }
      for (number, key) in keys.enumerated() {
        #expect(try await stores[key].state.paid.count == (number % distance == 0 ? 1 : 0), "\(key)")
      }
      await stores.close()
      print("\(kills) kills, \(requests) payments in \(count) journals, \(books.lines("again").count) repeated charges.")
    }
  }
#endif
