import Alter
import AlterStore
import AlterTesting
import ProcessTesting
import StoreTesting
import Testing

@Suite("A history of entries")
struct HistoryTests {
  @Test("equals the definition after every entry, whatever is undone and redone", arguments: Effort.seeds(short: 10, full: 40))
  func equalsDefinition(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let initial = Record<Board>(revision: 1, id: EntryID(origin: .test(1), sequence: 1), time: 0, kind: .initial(Board()))
    var records = [initial]
    var whole = History(Board(), at: 1, window: .max)
    for _ in 0..<150 {
      let record = Record.random(after: records, using: &generator)
      records.append(record)
      _ = whole.append(record)
      // The definition takes quadratic time, so the test checks only some revisions.
      guard records.count % 5 == 0 else { continue }
      let defined = definedState(of: records)
      try #require(whole.state == defined.state, "seed \(seed), revision \(record.revision)")
      try #require(whole.suppressed == defined.suppressed, "seed \(seed), revision \(record.revision)")
    }
    for revision in records.indices where revision % 11 == 0 {
      let past = whole.state(at: Revision(Int64(revision + 1)))
      #expect(past == definedState(of: Array(records[...revision])).state, "seed \(seed), state at \(revision + 1)")
    }
  }

  @Test("of a bounded window says when an undo reaches beyond it, and is right otherwise", arguments: Effort.seeds(short: 4, full: 12))
  func boundedWindow(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var records = [Record<Board>(revision: 1, id: EntryID(origin: .test(1), sequence: 1), time: 0, kind: .initial(Board()))]
    var bounded = History(Board(), at: 1, window: 20)
    var beyond = 0
    for _ in 0..<300 {
      let record = Record.random(after: records, using: &generator)
      let outcome = bounded.append(record)
      if case .reachesBeyond = outcome {
        beyond += 1
        continue
      }
      records.append(record)
      guard records.count % 10 == 0 else { continue }
      try #require(bounded.state == definedState(of: records).state, "seed \(seed), revision \(record.revision)")
      // The past that a bounded history still knows is correct, too.
      let wanted = Int.random(in: 0..<records.count, using: &generator)
      if let past = bounded.state(at: Revision(Int64(wanted + 1))) {
        try #require(past == definedState(of: Array(records[...wanted])).state, "seed \(seed), state at \(wanted + 1)")
      }
    }
    if seed < 8 { #expect(beyond > 0, "this test is about what lies beyond") }
    #expect(bounded.records.count <= 2 * 20 + 2 * History<Board>.spacing)
  }

  @Test("keeps fewer states where few undos are expected, and is the same history", arguments: Effort.seeds(short: 3, full: 12))
  func wideSpacing(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var records = [Record<Board>(revision: 1, id: EntryID(origin: .test(1), sequence: 1), time: 0, kind: .initial(Board()))]
    let (window, end) = (200, 3_700)
    var (plain, fast) = (History(Board(), at: 1, window: window), History(Board(), at: 1, window: window))
    fast.fast.end = Revision(Int64(end))
    var most = 0
    for number in 0..<4_000 {
      // Long runs of changes, and then undos, redos and refusals that reach back into them.
      var record = Record.random(after: records, using: &generator)
      if number % 2_000 < 1_800 {
        record = Record(revision: record.revision, id: record.id, time: record.time, kind: .changes([.note("\(number)")]))
      }
      // The histories need not release the same number of records before the window.
      let known = record.targets.isEmpty ? nil : (plain, fast)
      switch (plain.append(record), fast.append(record)) {
      case (.reachesBeyond, _), (_, .reachesBeyond): if let known { (plain, fast) = known }
      default: records.append(record)
      }
      most = max(most, fast.records.count)
      guard number % 2_000 >= 1_790 || number % 100 == 0 else { continue }
      try #require(fast.state == plain.state, "seed \(seed), revision \(record.revision)")
      try #require(fast.suppressed.filter { $0 > plain.base } == plain.suppressed.filter { $0 > fast.base }, "seed \(seed)")
    }
    #expect(most > 2 * window + 2 * History<Board>.spacing, "states were kept at wide intervals")
    #expect(fast.records.count <= 2 * window + 2 * History<Board>.spacing, "at the end they are not")
    let start = fast.windowStart
    #expect(fast.base(at: start)?.state() == plain.base(at: start)?.state())
  }

  @Test("keeps older versions as they were")
  func olderVersions() {
    var generator = SeededGenerator(seed: 7)
    var records = [Record<Board>(revision: 1, id: EntryID(origin: .test(1), sequence: 1), time: 0, kind: .initial(Board()))]
    var history = History(Board(), at: 1, window: .max)
    var versions: [(History<Board>, Int)] = []
    for _ in 0..<200 {
      let record = Record.random(after: records, using: &generator)
      records.append(record)
      _ = history.append(record)
      if records.count % 20 == 0 { versions.append((history, records.count)) }
    }
    for (version, count) in versions { #expect(version.state == definedState(of: Array(records[..<count])).state) }
  }
}
