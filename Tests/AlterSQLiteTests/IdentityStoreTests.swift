#if SQLite
  import Alter
  import AlterCore
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("An identity store in a file", .timeLimit(.minutes(20)))
  struct IdentityStoreTests {
    private let jack = Person(id: .init(country: "CH", number: 1), name: "Jack", salary: 100)
    private let jill = Person(id: .init(country: "CH", number: 2), name: "Jill", salary: 120)

    private func open(_ path: String, key: String = "people") async throws -> Store<IdentityArray<Person>> {
      try await Store.open([], in: SQLiteJournal(at: path, key: key))
    }

    @Test("keeps one value per identity: the latest")
    func latest() async throws {
      try await Folder.use { folder in
        let people = try await open(folder.path("people.alter"))
        try people.put(jack)
        try people.put(jill)
        var raised = jack
        raised.salary += 10
        try people.put(raised)
        #expect(people.all() == [raised, jill])
        #expect(people.latest(jack)?.salary == 110 && isTheSameIdentity(jack, raised) && jack != raised)
        try people.remove(jill.id)
        #expect(throws: ChangeError<Refusal>.self) { try people.remove(jill.id) }
        #expect(people.latest(jill) == nil)
        await people.close()
        let again = try await open(folder.path("people.alter"))
        #expect(again.all() == [raised])
        await again.close()
      }
    }

    @Test("shares its file with others, by key, and itself with other handles")
    func shared() async throws {
      try await Folder.use { folder in
        let path = folder.path("people.alter")
        let first = try await open(path)
        let second = try await open(path)
        let others = try await open(path, key: "others")
        try await first.put(jack).durable()
        try await others.put(jill).durable()
        for await people in second.values(of: { Array($0) }) where people == [jack] { break }
        // Both stores give Jack a raise at once. The last one counts, and no entry is lost.
        var (a, b) = (jack, jack)
        a.salary = 200
        b.salary = 300
        async let one = first.put(a).confirmed()
        async let two = second.put(b).confirmed()
        let revisions = try await [one, two]
        let last = revisions[0] > revisions[1] ? a : b
        for store in [first, second] { for await people in store.values(of: { Array($0) }) where people == [last] { break } }
        #expect(others.all() == [jill] && others.revision == 2)
        for store in [first, second, others] { await store.close() }
      }
    }

    /// A value that knows nothing of Alter.
    struct Plain: Identifiable, Codable, Equatable {
      let id: Int
      let salary: Int
    }

    @Test("of plain values is shared by two stores: the second one sees a value once it is durable")
    func plain() async throws {
      try await Folder.use { folder in
        let place = JournalPlace.file(folder.path("company.alter"), key: "people")
        let first = try await IdentityStore<Plain>.open([], in: place)
        let second = try await IdentityStore<Plain>.open([], in: place)
        let jack = Plain(id: 1, salary: 1)
        try await first.put(jack).durable()
        try await first.put(Plain(id: 1, salary: 2)).durable()
        for await people in second.values(of: { Array($0.values) }) where people.map(\.salary) == [2] { break }
        #expect(second.latest(jack)?.salary == 2)
        let third = try await IdentityStore<Plain>.open([], in: place)
        #expect(third.latest(jack)?.salary == 2)
        let others = try await IdentityStore<Plain>.open([], in: .file(folder.path("company.alter"), key: "others"))
        #expect(others.all().isEmpty)
        for store in [first, second, third, others] { await store.close() }
      }
    }

    #if os(Linux)
      @Test("twelve changes of 8 MiB, a hundred in the full run, take a bounded amount of memory, pending, written, read and undone")
      func heavy() async throws {
        let count = Effort.count(short: 12, full: 100)
        try await Folder.use { folder in
          let process = try LineProcess([Product.path("people-writer"), "heavy", folder.path("people.alter"), "\(count)"])
          let line = try #require(await process.line { !$0.isEmpty })
          let words = line.split(separator: " ")
          // 'a' is name 0. Of 100 names, 'v', 'u' and 't' are the last three; of 12, 'l', 'k' and 'j'.
          #expect(words.count == 3 && words[0] == "\(count + 3)" && words[1] == (Effort.isFull ? "t" : "j"), "\(words)")
          // A hundred changes alone take 800 MiB, and twelve 96. Twelve were measured with 324 MiB in a debug build, which decodes each change again
          // before it is kept: one more copy of each would exceed the limit.
          let peak = try #require(words.last.flatMap { Int($0) })
          #expect(peak < (Effort.isFull ? 1_500 : 400) << 10, "\(peak) KiB")
        }
      }
    #endif

    @Test("is shared with other processes: everything they add is there, once, and is seen as it comes")
    func processes() async throws {
      try await Folder.use { folder in
        let path = folder.path("people.alter")
        let people = try await open(path)
        let seen = Lock<[Revision]>([])
        let token = people.observe { record, _ in if let record { seen.withLock { $0.append(record.revision) } } }
        let (countries, count) = (["AT", "CH", "DE", "FR"], 20)
        try await withThrowingTaskGroup { group in
          for country in countries {
            group.addTask {
              let writer = try ChildProcess([Product.path("people-writer"), path, country, "\(count)"], streams: [nil, nil, nil])
              #expect(await writer.ended() == 0)
            }
          }
          try await group.waitForAll()
        }
        let entries = countries.count * count * 2
        // The state shows an entry before the observers are notified of it.
        while seen.withLock({ $0.count }) < entries, !Task.isCancelled { await Task.yield() }
        #expect(people.all().count == countries.count * count + 1)
        for country in countries {
          for number in 1...count { #expect(people.state[id: .init(country: country, number: number)] != nil) }
        }
        #expect(people.state[id: .init(country: "CH", number: 0)]?.salary == count)
        #expect(seen.withLock { $0 } == (2...entries + 1).map { Revision(Int64($0)) })
        withExtendedLifetime(token) {}
        await people.close()
      }
    }
  }
#endif
