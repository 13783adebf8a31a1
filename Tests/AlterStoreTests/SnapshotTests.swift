import Alter
import AlterCore
import AlterTesting
import Foundation
import ProcessTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("A snapshot", .timeLimit(.minutes(20)))
struct SnapshotTests {
  @Test("gives a history that equals the definition, whatever is undone and redone later", arguments: 0..<6 as Range<UInt64>)
  func historyEqualsDefinition(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let window = Int.random(in: 0...12, using: &generator)
    var records = [Record<Board>(revision: 1, id: EntryID(origin: .test(1), sequence: 1), time: 0, kind: .initial(Board()))]
    var whole = History(Board(), at: 1, window: .max)
    var started: [(base: Int, history: History<Board>)] = []
    var compared = 0
    for _ in 0..<50 {
      let record = Record.random(after: records, using: &generator)
      records.append(record)
      _ = whole.append(record)
      for index in started.indices.reversed() {
        if case .reachesBeyond = started[index].history.append(record) { started.remove(at: index) }
      }
      let defined = definedState(of: records)
      for (base, history) in started {
        compared += 1
        try #require(history.state == defined.state, "seed \(seed), base \(base), revision \(record.revision)")
        try #require(history.suppressed == defined.suppressed.filter { $0 > Revision(Int64(base)) }, "seed \(seed), base \(base)")
      }
      // A snapshot at any revision: the stored state, and the records that are read again.
      let base = records.count - window
      guard base > 1, Bool.random(using: &generator) else { continue }
      let kept = try #require(whole.base(at: Revision(Int64(base))))
      let history = History(base: kept.state(), at: kept.revision, records: Array(records[base...]), window: window)
      try #require(history.state == defined.state, "seed \(seed), snapshot at \(record.revision)")
      started.append((base, history))
    }
    #expect(compared > 30, "most snapshots serve")
  }

  @Test("does not change what may be undone and redone", arguments: Effort.seeds(short: 2, full: 6))
  func sameUndo(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let window = Int.random(in: 1...12, using: &generator)
    let scopes: [UndoScope] = ["a", "b"]
    var records = [Record<Board>(revision: 1, id: EntryID(origin: .test(1), sequence: 1), time: 0, kind: .initial(Board()))]
    var whole = History(Board(), at: 1, window: window)
    var started: [(base: Int, history: History<Board>)] = []
    var undos = 0
    for _ in 0..<110 {
      let number = Int64(records.count)
      let scope = scopes.randomElement(using: &generator)!
      // An entry that a store would write: an undo of an undoable entry, or a change.
      var kind = Record<Board>.Kind.changes([.random(using: &generator)])
      switch Int.random(in: 0..<5, using: &generator) {
      case 0, 1: if let targets = try? whole.undoable(in: scope).all { kind = .undo(targets) }
      case 2: if let targets = try? whole.redoable(in: scope).all { kind = .redo(targets) }
      default: break
      }
      let record = Record<Board>(
        revision: Revision(number + 1), id: EntryID(origin: .test(1), sequence: number + 1), time: number, scope: scope, kind: kind)
      if record.targets.isEmpty {
        guard (try? whole.attempt(record)) != nil else { continue }
      } else {
        guard (try? whole.take(record)) != nil else { continue }
        undos += 1
      }
      records.append(record)
      for index in started.indices {
        guard case .applied = started[index].history.append(record) else {
          Issue.record("seed \(seed), base \(started[index].base): revision \(record.revision) reaches beyond")
          return
        }
        let history = started[index].history
        try #require(history.state == whole.state)
        for scope in scopes {
          let what: Comment = "seed \(seed), window \(window), base \(started[index].base), revision \(record.revision), scope \(scope)"
          try #require(
            outcome { () throws(UndoError) in try history.undoable(in: scope).all }
              == outcome { () throws(UndoError) in try whole.undoable(in: scope).all }, what)
          try #require(
            outcome { () throws(UndoError) in try history.redoable(in: scope).all }
              == outcome { () throws(UndoError) in try whole.redoable(in: scope).all }, what)
        }
      }
      let base = records.count - window
      if base > 1, number % 3 == 0, let kept = whole.base(at: Revision(Int64(base))) {
        started.append((base, History(base: kept.state(), at: kept.revision, records: Array(records[base...]), window: window)))
      }
    }
    #expect(undos > 8 && started.count > 12)
  }

  private func outcome(_ work: () throws(UndoError) -> [EntryID]) -> Result<[EntryID], UndoError> { Result(catching: work) }

  /// Options that make a snapshot every few entries.
  private var often: StoreOptions {
    var options = StoreOptions.notFollowing
    options.undoWindow = 6
    options.snapshotSpacing = 5
    return options
  }

  @Test("is where a store starts from, and every state of the past equals the definition", arguments: 0..<6 as Range<UInt64>)
  func store(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let journal = MemoryJournal()
    for _ in 0..<12 {
      let store = try await Store.open(Board(), in: journal, options: often)
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: _ = try? await store.undo()
        case 1: _ = try? await store.redo()
        default: _ = try? await store.change(.random(using: &generator)).durable()
        }
      }
      await store.close()
    }
    #expect(try await journal.snapshots(upTo: Revision(.max), limit: 100).count > 3)
    var records: [Record<Board>] = []
    try await Store<Board>.entries(in: journal) { records.append($0) }
    for count in 1...records.count {
      let state = try await Store<Board>.state(at: Revision(Int64(count)), in: journal)
      #expect(state == definedState(of: Array(records[..<count])).state, "seed \(seed), revision \(count)")
    }
    let store = try await Store.open(Board(), in: journal, options: often)
    #expect(store.state == definedState(of: records).state)
    #expect(store.revision.number == Int64(records.count))
    await store.close()
  }

  /// A journal of many small entries, with snapshots.
  private func filled(_ count: Int, spacing: Int = 100) async throws -> MemoryJournal {
    let journal = MemoryJournal()
    var options = often
    options.snapshotSpacing = spacing
    let store = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<count {
      let commit = try store.change(.put("\(number % 7)", number), .take("\(number % 7)"))
      guard number % 10 == 0 else { continue }
      try await commit.durable()
      await store.rest()
    }
    await store.close()
    return journal
  }

  @Test("bounds what is read: opening and looking back read no more than a spacing and a window")
  func bounded() async throws {
    let journal = try await filled(2_000)
    let counting = ScriptedJournal(journal)
    var options = often
    options.snapshotSpacing = 100
    let store = try await Store.open(Board(), in: counting, options: options)
    #expect(store.revision == 2_001)
    // The two entries of a snapshot are read, too.
    let bound = 100 + 10 + 6 + 10
    #expect(counting.entriesRead < bound)
    for revision in [50, 700, 1_300, 1_999] as [Revision] {
      let before = counting.entriesRead
      _ = try await store.state(at: revision)
      #expect(counting.entriesRead - before < bound, "state at \(revision)")
    }
    await store.close()
  }

  @Test("that is damaged is ignored with a report, removed, and made again")
  func damaged() async throws {
    let journal = try await filled(500)
    let newest = try #require(try await journal.snapshots(upTo: Revision(.max), limit: 10).first { $0.base <= 495 })
    let snapshot = try #require(try await journal.snapshot(at: newest.revision))
    try await journal.keep(
      Snapshot(
        head: snapshot.head, base: snapshot.base, schema: snapshot.schema, written: snapshot.written,
        payload: Data(snapshot.payload.dropLast() + [UInt8(ascii: " ")]), checksum: snapshot.checksum))
    var options = often
    options.snapshotSpacing = 50
    let store = try await Store.open(Board(), in: journal, options: options)
    #expect(store.state == Board() && store.revision == 501)
    await store.close()
    var problems: [String] = []
    for await problem in store.problems { problems.append("\(problem)") }
    #expect(problems.count == 1)
    #expect(
      problems.first?.contains("The store ignored the snapshot at revision \(newest.revision) and will make a new one. Its checksum")
        == true)
    let places = try await journal.snapshots(upTo: Revision(.max), limit: 100)
    #expect(places.contains { $0.revision >= newest.revision })
    for place in places { #expect(try await journal.snapshot(at: place.revision)?.isSound == true) }
  }

  @Test("of another history is ignored: a journal that was restored from a backup")
  func otherHistory() async throws {
    let journal = try await filled(300)
    let other = try await filled(300)
    for place in try await other.snapshots(upTo: Revision(.max), limit: 100) {
      let foreign = try #require(try await other.snapshot(at: place.revision))
      // The snapshot is valid and even has the right journal id.
      let head = Head(journal: try await journal.head().journal, revision: foreign.head.revision, checksum: foreign.head.checksum)
      try await journal.keep(
        Snapshot(head: head, base: foreign.base, schema: 1, written: foreign.written, payload: Data(#"{"values":{"x":1},"notes":[]}"#.utf8))
      )
    }
    let store = try await Store.open(Board(), in: journal, options: often)
    #expect(store.state == Board())
    await store.close()
    for await problem in store.problems { #expect("\(problem)".contains("another history")) }
  }

  @Test("is not made before as many bytes of entries as it has itself: all together never take more than the entries")
  func amplification() async throws {
    let journal = MemoryJournal()
    let store = try await Store.open(Board(), in: journal, options: often)
    var states = 0
    for number in 0..<600 {
      // The state grows with every change, so that a snapshot is as large as all entries before it.
      try await store.change(.note("\(number) \(String(repeating: "x", count: 50))")).durable()
      states += 1
    }
    await store.close()
    let places = try await journal.snapshots(upTo: Revision(.max), limit: 1_000)
    var entries: Int64 = 0
    for entry in try await journal.entries(after: .zero, limit: 1_000) { entries += entry.size }
    // The newest one is that of the close: a quarter of its size suffices, and the next one replaces it.
    let lasting = places.dropFirst()
    #expect(lasting.reduce(0) { $0 + Int64($1.size) } <= entries)
    #expect(lasting.count > 2 && lasting.count < 40)
    for (newer, older) in zip(lasting, lasting.dropFirst()) {
      #expect(newer.written - older.written >= Int64(newer.size))
    }
  }

  @Test("is finished when the store is closed, and never makes a change wait")
  func finished() async throws {
    let journal = MemoryJournal()
    let slow = ScriptedJournal(journal)
    let gate = Gate()
    slow.onEach(.keep) { _ in await gate.wait() }
    let store = try await Store.open(Board(), in: slow, options: often)
    for number in 0..<60 { try await store.change(.note("\(number)")).durable() }
    #expect(try await journal.snapshots(upTo: Revision(.max), limit: 10).isEmpty)
    gate.open()
    await store.close()
    #expect(try await journal.snapshots(upTo: Revision(.max), limit: 10).isEmpty == false)
  }

  @Test("is made for a journal that has none after it is opened: one, of the end")
  func rebuilt() async throws {
    let journal = try await filled(3_500, spacing: .max)
    #expect(try await journal.snapshots(upTo: Revision(.max), limit: 10).isEmpty)
    var options = often
    options.snapshotSpacing = 1_000
    await (try await Store.open(Board(), in: journal, options: options)).close()
    #expect(try await journal.snapshots(upTo: Revision(.max), limit: 10).map(\.revision) == [3_501])
  }

  @Test("is never needed: a journal that can't keep any works as ever")
  func unwritable() async throws {
    let journal = ScriptedJournal()
    journal.fail(.keep, with: JournalError(.readOnly, journal: "memory", message: "keeps no snapshots."))
    let store = try await Store.open(Board(), in: journal, options: often)
    for number in 0..<100 { try await store.change(.note("\(number)")).durable() }
    #expect(await store.close().isEmpty)
    #expect(store.status == .closed)
    let again = try await Store.open(Board(), in: journal, options: often)
    #expect(again.state.notes.count == 100)
  }

  @Test("taken before an undo from farther back than the window is passed over for an earlier one")
  func widerWindow() async throws {
    let journal = MemoryJournal()
    var wide = often
    wide.undoWindow = 1_000
    wide.snapshotSpacing = .max
    let narrow = try await Store.open(Board(), in: journal, options: often)
    for number in 0..<100 { try await narrow.change(.note("\(number)")).durable() }
    await narrow.close()
    // Another replica with another window undoes entries before the base of the newest snapshots.
    let other = try await Store.open(Board(), in: journal, options: wide)
    for _ in 0..<40 { try await other.undo() }
    await other.close()
    let again = try await Store.open(Board(), in: journal, options: often)
    #expect(again.state.notes == (0..<60).map { "\($0)" })
    #expect(try await again.state(at: 101).notes.count == 100)
  }
}
