#if SQLite
  import Alter
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterSQLite

  @Suite("Stores over SQLite files", .timeLimit(.minutes(20)))
  struct SQLiteStoresTests {

    private enum Place: CaseIterable { case folder, file }

    private func places(_ place: Place, in folder: Folder) -> JournalPlaces {
      place == .folder ? .folder(folder.path) : .file(folder.path("all.alter"), lockTimeout: .patient)
    }

    @Test("many keys share a small budget, and every change is there after all are closed", arguments: Place.allCases)
    private func manyKeys(place: Place) async throws {
      try await Folder.use { folder in
        let stores = Stores(in: places(place, in: folder), budget: StoresBudget(stores: 6)) { _ in Counter() }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for caller in 0..<4 {
            group.addTask {
              for number in 0..<30 {
                try await stores["list \((number * 7 + caller) % 20)"].change(.add(1)).durable()
                // One report: two would be of two moments.
                let report = stores.report
                #expect(report.open + report.opening + report.closing <= 6)
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(await stores.close().isEmpty)
        var sum = 0
        for number in 0..<20 {
          let journal = try await places(place, in: folder).open("list \(number)")
          let store = try await Store.open(Counter(), in: journal)
          sum += store.state.count
          await store.close()
        }
        #expect(sum == 120)
      }
    }

    @Test(
      "whether a key has a journal is answered without a file or a journal, beside other handles and without", arguments: Place.allCases)
    private func contains(place: Place) async throws {
      try await Folder.use { folder in
        let stores = Stores(in: places(place, in: folder)) { _ in Counter() }
        for key in ["a", "b/../c", String(repeating: "k", count: 600)] {
          #expect(try await !stores.contains(key))
          #expect(try await stores.existing(key) == nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        try await stores["a"].change(.add(1)).durable()
        #expect(try await stores.contains("a"))
        #expect(try await !stores.contains("b"))
        await stores.close()
        let names = try Set(FileManager.default.contentsOfDirectory(atPath: folder.path))
        let again = Stores(in: places(place, in: folder)) { _ in Counter() }
        #expect(try await again.existing("b") == nil)
        #expect(try await again.contains("a"))
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == names)
        #expect(try await again.existing("a")?.state.count == 1)
        await again.close()
        let file = place == .folder ? JournalFolder(folder.path).file(of: "a") : folder.path("all.alter")
        try Data("something else, which is no journal".utf8).write(to: URL(fileURLWithPath: file))
        let damaged = Stores(in: places(place, in: folder)) { _ in Counter() }
        await #expect { try await damaged.existing("a") } throws: { ($0 as? JournalError)?.code == .notAJournal }
        await damaged.close()
      }
    }

    @Test("hundreds of one file are closed at once, after changes: none waits for the timeout of the lock", .timeLimit(.minutes(20)))
    func closedAtOnce() async throws {
      try await Folder.use { folder in
        let path = folder.path("all.db")
        // The timeout is longer than the limit of this test.
        let places = JournalPlaces { key throws(JournalError) in
          try await SQLiteJournal(at: path, key: key, durability: .relaxed, lockTimeout: .seconds(3_600))
        }
        // More than the threads that libdispatch gives to blocked queues.
        let count = 300
        let stores = Stores(in: places) { _ in Counter() }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<count { group.addTask { try await stores["\(number)"].change(.add(1)).durable() } }
          try await group.waitForAll()
        }
        #expect(stores.report.open == count)
        #expect(await stores.close().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "the last handle checkpoints and removes the log")
      }
    }

    @Test("in a process that may open few files, a failed opening names the reason, and open stores continue without a free descriptor")
    func fewDescriptors() async throws {
      try await Folder.use { folder in
        let process = try LineProcess(
          ["/bin/sh", "-c", #"ulimit -n 64 && exec "$0" few "$1""#, try Product.path("people-writer"), folder.path], mergesErrors: true)
        var lines: [String] = []
        while let line = await process.line() { lines.append(line) }
        try #require(lines.count == 9, "\(lines)")
        #expect(lines[0] == "within 0" && lines[3] == "timers" && lines[8] == "again")
        for line in [lines[1]] + lines[4...7] {
          #expect(line.hasPrefix("unavailable ") && line.contains("may not open more files"), "\(line)")
        }
        // Five to seven descriptors each, and some of the process itself.
        let written = Int(lines[2].dropFirst("written ".count)) ?? 0
        #expect((4...10).contains(written), "\(lines)")
        #expect(process.child.wait() == 0)
      }
    }

    @Test("the changes of one process's stores reach another's, in one file and in several", arguments: Place.allCases)
    private func others(place: Place) async throws {
      try await Folder.use { folder in
        let here = Stores(in: places(place, in: folder)) { _ in Counter() }
        let there = Stores(in: places(place, in: folder)) { _ in Counter() }
        let keys = (0..<10).map { "list \($0)" }
        for key in keys { _ = (try await here[key], try await there[key]) }
        for key in keys { try await here[key].change(.add(1)).durable() }
        for key in keys {
          for await count in try await there[key].values(of: \.count) where count == 1 { break }
        }
        await here.close()
        await there.close()
      }
    }
  }
#endif
