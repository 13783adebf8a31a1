import Alter
import AlterCore
import AlterTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("A passing snapshot", .timeLimit(.minutes(20)))
struct PassingSnapshotTests {
  private var options: StoreOptions {
    var options = StoreOptions.notFollowing
    options.undoWindow = 6
    options.snapshotSpacing = 20
    // Stores without their window spare two further ones: UndoWindowTests.
    options.undoWindowLoading = .atOpening
    return options
  }

  /// A command: it opens the journal, makes one change and ends.
  private func command(_ number: Int, in journal: any Journal) async throws {
    let store = try await Store.open(Board(), in: journal, options: options)
    try await store.change(.note("\(number) \(String(repeating: "x", count: 50))")).durable()
    await store.close()
  }

  @Test("bounds what commands read, although the state grows with each of them")
  func bounded() async throws {
    let journal = ScriptedJournal()
    for number in 0..<300 { try await command(number, in: journal) }
    var most = 0
    for number in 300..<400 {
      let before = journal.entriesRead
      try await command(number, in: journal)
      most = max(most, journal.entriesRead - before)
    }
    // The last lasting snapshot lies more than a hundred entries before the end.
    #expect(most < 70)
    try await Store<Board>.verify(journal)
    #expect(try await Store<Board>.state(at: 401, in: journal).notes.count == 400)
  }

  @Test("is removed when a newer one is kept: without the newest, all together take no more than the entries")
  func replaced() async throws {
    let journal = MemoryJournal()
    var made: Set<Revision> = []
    for number in 0..<400 {
      try await command(number, in: journal)
      made.formUnion(try await journal.snapshots(upTo: Revision(.max), limit: 100).map(\.revision))
    }
    let places = try await journal.snapshots(upTo: Revision(.max), limit: 100)
    #expect(places.count > 2 && places.count + 8 < made.count)
    let entries = try await journal.entries(after: .zero, limit: 1_000).reduce(0) { $0 + $1.size }
    #expect(places.dropFirst().reduce(0) { $0 + Int64($1.size) } <= entries)
    for (newer, older) in zip(places.dropFirst(), places.dropFirst(2)) { #expect(newer.written - older.written >= Int64(newer.size)) }
  }

  /// A journal that loses one of its newest snapshots when they have been listed, and the revision of the lost one.
  private func removing(_ place: Int, in memory: MemoryJournal) -> (ScriptedJournal, Lock<Revision?>) {
    let removed = Lock<Revision?>(nil)
    let journal = ScriptedJournal(memory) { answers in
      answers.snapshots = { revision, limit in
        let places = try await memory.snapshots(upTo: revision, limit: limit)
        if removed.withLock({ $0 }) == nil, places.count > place {
          removed.withLock { $0 = places[place].revision }
          try await memory.removeSnapshot(at: places[place].revision)
        }
        return places
      }
    }
    return (journal, removed)
  }

  @Test("that is removed while a store opens is no problem: the newer one is read instead")
  func removed() async throws {
    let memory = MemoryJournal()
    for number in 0..<100 { try await command(number, in: memory) }
    let newest = try #require(try await memory.snapshots(upTo: Revision(.max), limit: 1).first)
    let (journal, removed) = removing(0, in: memory)
    let store = try await Store.open(Board(), in: journal, options: options)
    #expect(removed.withLock { $0 } == newest.revision)
    #expect(store.state.notes.count == 100)
    await store.close()
    for await problem in store.problems { Issue.record("\(problem)") }
  }

  @Test("that is removed while a store opens does not make it report a damaged one twice")
  func removedBehindDamage() async throws {
    let memory = MemoryJournal()
    for number in 0..<100 { try await command(number, in: memory) }
    let newest = try #require(try await memory.snapshots(upTo: Revision(.max), limit: 1).first)
    let snapshot = try #require(try await memory.snapshot(at: newest.revision))
    let head = Head(journal: snapshot.head.journal, revision: snapshot.head.revision.next, checksum: snapshot.head.checksum)
    try await memory.keep(
      Snapshot(
        head: head, base: snapshot.base, schema: snapshot.schema, written: snapshot.written, payload: snapshot.payload,
        checksum: snapshot.checksum))
    var options = options
    options.snapshotSpacing = .max
    let writer = try await Store.open(Board(), in: memory, options: options)
    try await writer.change(.note("after it")).durable()
    await writer.close()
    let (journal, removed) = removing(1, in: memory)
    let store = try await Store.open(Board(), in: journal, options: options)
    #expect(removed.withLock { $0 } == newest.revision)
    await store.close()
    var problems: [StoreProblem] = []
    for await problem in store.problems { problems.append(problem) }
    #expect(problems.count == 1)
  }

  @Test("is never due for a single writer, nor for several that do not read again")
  func writers() {
    var rule = SnapshotRule(spacing: 5)
    // Three stores, in turn: the first entry of each has sequence 2.
    for number in 1...200 { rule.count(Revision(Int64(number)), 100, as: .test(number % 3, 2 + (number - 1) / 3)) }
    // Each of the writers is counted once.
    #expect(rule.reread == 300)
    rule.start(from: Snapshot.Place(revision: 200, base: 190, schema: 1, written: 20_000, size: 1_000))
    // Many stores stay open, and none of them reads an entry again.
    for number in 201...400 { rule.count(Revision(Int64(number)), 100, as: .test(number % 100, number)) }
    #expect(rule.reread == 0)
  }

  @Test("is decided without a trap, whatever numbers a damaged row holds", arguments: [Int64.min, -1, 0, .max])
  func damagedRow(number: Int64) {
    let place = Snapshot.Place(revision: 5, base: 4, schema: 1, written: number, size: Int(number))
    var rule = SnapshotRule(spacing: 2)
    rule.start(from: Snapshot.Place(revision: 3, base: 2, schema: 1, written: 1_000, size: 100))
    rule.see(place)
    for revision in 6...9 { rule.count(Revision(Int64(revision)), 100, as: .test(revision, 2)) }
    _ = (rule.isDue, rule.permits(size: number))
    rule.postpone(size: number)
    let next = Snapshot.Place(revision: 9, base: 8, schema: 1, written: number == 0 ? 1 : ~number, size: 100)
    #expect(SnapshotRule.passing(among: [next, place], isAll: false).allSatisfy { $0 == next })
    // Those after it remain, if they are lasting.
    let lasting = (6...9).reversed().map {
      Snapshot.Place(revision: Revision($0), base: 5, schema: 1, written: $0 * 1_000, size: 1_000)
    }
    #expect(SnapshotRule.passing(among: lasting + [place], isAll: true).allSatisfy { $0 == place })
  }

  @Test("is due when the stores have read more than it takes")
  func due() {
    var rule = SnapshotRule(spacing: 100)
    rule.start(from: Snapshot.Place(revision: 200, base: 190, schema: 1, written: 20_000, size: 1_000))
    var commands = 0
    while !rule.isDue {
      commands += 1
      rule.count(Revision(Int64(200 + commands)), 1_000, as: .test(commands, 2))
    }
    // The snapshot's 1 kB, 64 entries of 200 bytes, and the growth of 7 kB: 0 + 1 + … + 6 kB is the first sum that reaches them.
    #expect(commands == 7)
    #expect(rule.permits(size: 7_000) && rule.permits(size: 8_200) && !rule.permits(size: 8_201))
  }
}

extension EntryID {
  fileprivate static func test(_ origin: Int, _ sequence: Int) -> EntryID {
    EntryID(origin: .test(UInt8(origin)), sequence: Int64(sequence))
  }
}
