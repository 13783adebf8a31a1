import Alter
import AlterSQLite
import CMemory
import Foundation
import GRDBSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Long journals: opening, reading the past, and the cost of snapshots during writing.

/// A change of realistic size: about 100 bytes.
private func change(_ number: Int, of count: Int) -> Document.Change {
  .line(
    number &* 7_919 % count, .text("A text that is about as long as texts are in an app, so that the change has a hundred bytes: \(number)")
  )
}

func historyWorks(_ options: Options) -> [Work] {
  let lives = options.isQuick ? [(20_000, 100)] : [(1_000_000, 1_000), (1_000_000, 10_000)]
  // Memory is measured first. Otherwise the memory that other works free later would be counted.
  return [retained(10_000)]
    + lives.flatMap { entries, lines in
      let life = Life(entries: entries, lines: lines)
      return [opening(life), replay(life), checking(life), past(life), bisect(life)]
    } + [1_000, 10_000, 100_000].map(openingAfterClose) + [10, 100, 1_000].map(coldStore) + [100, 10_000].map(writing)
}

/// A journal of many entries with snapshots, and the same journal without. Both are created on first use.
private final class Life: @unchecked Sendable {
  let entries: Int
  let lines: Int
  let folder: URL
  private var isMade = false

  init(entries: Int, lines: Int) {
    self.entries = entries
    self.lines = lines
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("alter-life-\(getpid())-\(entries)-\(lines)")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(snapshots: Bool) -> String {
    if !isMade { make() }
    return folder.appendingPathComponent(snapshots ? "with.alter" : "without.alter").path
  }

  private func make() {
    isMade = true
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (entries, lines) = (entries, lines)
    let (with, without) = (path(snapshots: true), path(snapshots: false))
    waiting {
      let store = try await Store.open(Document(lineCount: lines), in: SQLiteJournal(at: with, durability: .relaxed))
      for number in 1..<entries {
        try await store.ready()
        try store.change(change(number, of: lines))
      }
      let target = try await SQLiteJournal(at: without, durability: .relaxed)
      while store.revision.number < Int64(entries) { try await store.change([]).durable() }
      try await store.copy(to: target, squashing: false)
      await target.close()
      await store.close()
    }
  }

  func nanoseconds(_ work: @escaping @Sendable () async throws -> Void) -> Double {
    let start = ContinuousClock.now
    waiting(work)
    return Double((ContinuousClock.now - start).nanoseconds)
  }

  /// The time until the store is open, and the processor time of all threads until then. Closing is not counted.
  func open(snapshots: Bool, follows: Bool = true) -> (wall: Double, processor: Double) {
    let path = path(snapshots: snapshots)
    let lines = lines
    return waiting {
      var options = StoreOptions()
      // With its undo window, no store makes a snapshot that another one has not made due.
      if follows { options.snapshotSpacing = .max }
      options.followsOthers = follows
      let initial = Document(lineCount: lines)
      let (wall, processor) = (BenchmarkClock.wall.nanoseconds, BenchmarkClock.allProcessors.nanoseconds)
      let store = try await Store.open(initial, in: SQLiteJournal(at: path), options: options)
      let time = (Double(BenchmarkClock.wall.nanoseconds - wall), Double(BenchmarkClock.allProcessors.nanoseconds - processor))
      consume(store.state.lines.count)
      await store.close()
      return time
    }
  }
}

private func opening(_ life: Life) -> Work {
  Work("opening, \(life.lines) elements", life.entries, unit: .nanoseconds, goals: ["decoding alone": .figure(atMost: 20e6)]) {
    _ = life.path(snapshots: true)
    // The contenders take turns, as in all other works.
    let pairs = (0..<7).map { _ in (life.open(snapshots: true).wall, decoding(life)) }
    return [
      ("Alter", median(pairs.map(\.0))), ("decoding alone", median(pairs.map(\.1))),
      ("without snapshots", life.open(snapshots: false).wall),
    ]
  }
}

/// A journal whose store was closed in order after its last changes.
private func openingAfterClose(_ lines: Int) -> Work {
  let goals: [Int: Goal] = [1_000: .figure(atMost: 5e6), 10_000: .figure(atMost: 12e6)]
  return Work("opening after a close", lines, unit: .nanoseconds, goals: goals[lines].map { ["decoding alone": $0] } ?? [:]) {
    let life = Life(entries: 22_000, lines: lines)
    let times = (0..<15).map { _ in (life.open(snapshots: true).wall, life.open(snapshots: true, follows: false).wall, decoding(life)) }
    return [
      ("Alter", median(times.map(\.0))), ("decoding alone", median(times.map(\.2))),
      ("without following others", median(times.map(\.1))),
    ]
  }
}

/// The first access of a store of `Stores` whose journal has items that were added one by one, and was closed in order.
private func coldStore(_ items: Int) -> Work {
  let goals: [Int: Goal] = [100: .figure(atMost: 1.5e6)]
  let rounds = 15
  return Work("Stores, cold", items, unit: .nanoseconds, goals: goals[items].map { ["SQLite, opened and read": $0] } ?? [:]) {
    let folder = runFolder.appendingPathComponent("cold-\(items)").path
    let path = runFolder.appendingPathComponent("cold-\(items).sqlite").path
    makeRows(items, at: path)
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return waiting {
      func stores() -> Stores<Document> { Stores(in: .folder(folder)) { _ in Document(lineCount: 0) } }
      let first = stores()
      for number in 0..<rounds {
        let store = try await first["\(number)"]
        for item in 0..<items {
          try store.change(.add(.line(Line(id: item, text: text(item), isDone: false))))
        }
      }
      await first.close()
      let second = stores()
      var pairs: [(Double, Double)] = []
      for number in 0..<rounds {
        let start = BenchmarkClock.wall.nanoseconds
        let store = try await second["\(number)"]
        guard store.state.lines.count == items else { fatalError("The store has \(store.state.lines.count) items.") }
        let middle = BenchmarkClock.wall.nanoseconds
        guard readRows(at: path).lines.count == items else { fatalError("The rows can't be read.") }
        pairs.append((Double(middle - start), Double(BenchmarkClock.wall.nanoseconds - middle)))
      }
      await second.close()
      return [("Alter", median(pairs.map(\.0))), ("SQLite, opened and read", median(pairs.map(\.1)))]
    }
  }
}

private func text(_ item: Int) -> String { "A line of some words, number \(item), with the length of an item" }

private func makeRows(_ items: Int, at path: String) {
  var database: OpaquePointer?
  sqlite3_open(path, &database)
  let table = "CREATE TABLE lines (id INTEGER PRIMARY KEY, text TEXT, done INTEGER)"
  sqlite3_exec(database, "PRAGMA journal_mode = WAL; \(table); BEGIN", nil, nil, nil)
  for item in 0..<items {
    sqlite3_exec(database, "INSERT INTO lines VALUES (\(item), '\(text(item))', 0)", nil, nil, nil)
  }
  sqlite3_exec(database, "COMMIT", nil, nil, nil)
  sqlite3_close(database)
}

private func readRows(at path: String) -> Document {
  var database: OpaquePointer?
  var statement: OpaquePointer?
  sqlite3_open(path, &database)
  sqlite3_prepare_v2(database, "SELECT id, text, done FROM lines ORDER BY id", -1, &statement, nil)
  var document = Document(lineCount: 0)
  while sqlite3_step(statement) == SQLITE_ROW {
    let line = Line(
      id: Int(sqlite3_column_int64(statement, 0)), text: sqlite3_column_text(statement, 1).map { String(cString: $0) } ?? "",
      isDone: sqlite3_column_int64(statement, 2) != 0)
    try? document.apply(.add(.line(line)), at: .none)
  }
  sqlite3_finalize(statement)
  sqlite3_close(database)
  return document
}

/// The unavoidable part of opening: decoding the newest snapshot and decoding and applying the entries after its base, all from memory.
private func decoding(_ life: Life) -> Double {
  let path = life.path(snapshots: true)
  let (snapshot, entries) = waiting { () -> (Snapshot, [Entry]) in
    let journal = try await SQLiteJournal(at: path, isReadOnly: true)
    let head = try await journal.head()
    guard let place = try await journal.snapshots(upTo: head.revision, limit: 1).first,
      let snapshot = try await journal.snapshot(at: place.revision)
    else { fatalError("There is no snapshot.") }
    let entries = try await journal.entries(after: place.base, limit: .max)
    await journal.close()
    return (snapshot, entries)
  }
  let start = BenchmarkClock.wall.nanoseconds
  guard var document = try? JournalCoding.decode(Document.self, from: snapshot.payload) else { fatalError("The snapshot can't be read.") }
  for entry in entries {
    for change in (try? JournalCoding.decode([Document.Change].self, from: entry.payload)) ?? [] { try? document.apply(change, at: .none) }
  }
  consume(document.lines.count)
  return Double(BenchmarkClock.wall.nanoseconds - start)
}

/// The processor time for each entry of a replay, which is its time on one processor.
private func replay(_ life: Life) -> Work {
  Work("replay, each entry", life.entries, unit: .nanoseconds, goals: ["decoding it alone": .figure(atMost: 2_000)]) {
    let times = (0..<3).map { _ in life.open(snapshots: false) }
    let payload = (try? JournalCoding.encode([change(1, of: 100)])) ?? Data()
    let start = BenchmarkClock.processor.nanoseconds
    for _ in 0..<100_000 { consume((try? JournalCoding.decode([Document.Change].self, from: payload))?.count ?? 0) }
    let decoding = Double(BenchmarkClock.processor.nanoseconds - start) / 100_000
    let entries = Double(life.entries)
    return [
      ("Alter", median(times.map(\.processor)) / entries), ("decoding it alone", decoding),
      ("its wall clock time", median(times.map(\.wall)) / entries),
    ]
  }
}

/// The processor time for each entry of a search of the whole journal, and of its verification.
private func checking(_ life: Life) -> Work {
  Work("scan, each entry", life.entries, unit: .nanoseconds, goals: ["verify": .figure(atMost: 2_000)]) {
    func processor(_ work: @escaping @Sendable (SQLiteJournal, Revision) async throws -> Void) -> Double {
      let path = life.path(snapshots: true)
      return waiting {
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        let end = try await journal.head().revision
        let start = BenchmarkClock.allProcessors.nanoseconds
        try await work(journal, end)
        let time = Double(BenchmarkClock.allProcessors.nanoseconds - start)
        await journal.close()
        return time / Double(end.number)
      }
    }
    let times = (0..<3).map { _ in
      (
        processor { consume(Int(try await Store<Document>.scan(in: 1...$1, of: $0) { $0.count < 0 }?.number ?? 0)) },
        processor { journal, _ in consume(Int(try await Store<Document>.verify(journal).revision.number)) }
      )
    }
    return [("Alter", median(times.map(\.0))), ("verify", median(times.map(\.1)))]
  }
}

/// Reading the state at revisions throughout the journal.
private func past(_ life: Life) -> Work {
  Work("state(at:), \(life.lines) elements", life.entries, unit: .nanoseconds, goals: ["without snapshots": .figure(atMost: 100e6)]) {
    func look(snapshots: Bool, times: Int) -> Double {
      let path = life.path(snapshots: snapshots)
      let entries = life.entries
      let all = life.nanoseconds {
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        for number in 0..<times {
          let revision = Revision(Int64(entries / (times + 1) * (number + 1)))
          consume(try await Store<Document>.state(at: revision, in: journal).lines.count)
        }
        await journal.close()
      }
      return all / Double(times)
    }
    return [("Alter", look(snapshots: true, times: 21)), ("without snapshots", look(snapshots: false, times: 1))]
  }
}

private func bisect(_ life: Life) -> Work {
  Work("bisect, \(life.lines) elements", life.entries, unit: .nanoseconds) {
    func find(_ work: @escaping @Sendable (SQLiteJournal, Revision) async throws -> Revision?) -> Double {
      let path = life.path(snapshots: true)
      return life.nanoseconds {
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        let end = try await journal.head().revision
        consume(Int(try await work(journal, end)?.number ?? 0))
        await journal.close()
      }
    }
    // The first text of this element is replaced early in the journal.
    let condition: @Sendable (Document) -> Bool = { $0.lines[id: 1]?.text.hasPrefix("A line") == false }
    return [
      ("Alter", find { try await Store<Document>.bisect(in: 1...$1, of: $0, where: condition) }),
      ("a scan", find { try await Store<Document>.scan(in: 1...$1, of: $0) { _ in true } }),
    ]
  }
}

/// Writing at full speed, with snapshots and without.
private func writing(_ lines: Int) -> Work {
  let batch = 20_000
  return Work("writing, \(lines) elements", batch) {
    func contender(_ name: String, spacing: Int) -> Contender {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("alter-writing-\(getpid())-\(lines)-\(spacing).alter").path
      var options = StoreOptions()
      options.snapshotSpacing = spacing
      let opened = options
      let store = waiting { try await Store.open(Document(lineCount: lines), in: SQLiteJournal(at: path), options: opened) }
      removeAtExit(path)
      return Contender(name, operations: batch, state: (store, 0)) { state in
        state.1 &+= batch
        let (store, start) = state
        return waiting {
          var last: Commit<Document>?
          for number in 0..<batch { last = try store.change(change(start + number, of: lines)) }
          return Int(try await last?.confirmed().number ?? 0)
        }
      }
    }
    return [contender("Alter", spacing: 5_000), contender("without snapshots", spacing: .max)]
  }
}

/// The memory of each retained state, as an undo, a reader, or a snapshot in progress retains one.
private func retained(_ lines: Int) -> Work {
  Work("retained state, memory", lines, unit: .bytes) {
    func measure(_ count: Int, _ next: (Document, Int) -> Document) -> Double {
      var document = Document(lineCount: lines)
      var kept: [Document] = []
      kept.reserveCapacity(count)
      let before = Int(allocatedBytes())
      for number in 0..<count {
        document = next(document, number)
        kept.append(document)
      }
      return withExtendedLifetime(kept) { Double(Int(allocatedBytes()) - before) / Double(count) }
    }
    return [
      ("Alter", measure(1_000) { (try? $0.alter(change($1, of: lines))) ?? $0 }),
      ("a copy by coding", measure(10) { document, _ in (try? JournalCoding.decode(from: JournalCoding.encode(document))) ?? document }),
    ]
  }
}

private nonisolated(unsafe) var leftovers: [String] = []

/// Removes the files of a journal when the process exits.
private func removeAtExit(_ path: String) {
  if leftovers.isEmpty {
    atexit {
      for path in leftovers {
        for suffix in ["", "-wal", "-shm", "-lock", "-bell"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      }
    }
  }
  leftovers.append(path)
}
