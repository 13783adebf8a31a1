import Alter
import AlterSQLite
import CMemory
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Long journals: opening, reading the past, and the cost of snapshots during writing.

/// A state with many elements. Each change alters one of them.
struct Library: Journaled {
  struct Book: Identifiable, Codable, Hashable, Sendable {
    let id: Int
    var title: String
  }

  enum Change: Codable, Hashable { case title(Int, String) }

  private(set) var books: IdentityArray<Book>

  init(count: Int) {
    books = IdentityArray((0..<count).map { Book(id: $0, title: "A book that nobody has given a title yet, number \($0)") })
  }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .title(let id, let title): books.add(Book(id: id, title: title))
    }
  }
}

// The compiler's stored form, read and written without Foundation's coders.

extension Library: StoredForm {
  init(from reader: inout StoredReader) throws(StoredFormError) {
    var object = try reader.beginObject()
    books = try reader.required("books", in: &object)
    try reader.endObject(&object)
  }

  func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginObject()
    try writer.field(books, "books")
    writer.endObject()
  }
}

extension Library.Book: StoredForm {
  init(from reader: inout StoredReader) throws(StoredFormError) {
    var object = try reader.beginObject()
    id = try reader.required("id", in: &object)
    title = try reader.required("title", in: &object)
    try reader.endObject(&object)
  }

  func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginObject()
    try writer.field(id, "id")
    try writer.field(title, "title")
    writer.endObject()
  }
}

extension Library.Change: StoredForm {
  init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    guard reader.isCase("title") else { throw StoredFormError() }
    var object = try reader.beginObject()
    let id: Int = try reader.required("_0", in: &object)
    let title: String = try reader.required("_1", in: &object)
    try reader.endObject(&object)
    try reader.endCase()
    self = .title(id, title)
  }

  func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .title(let id, let title):
      try writer.beginCase("title")
      try writer.beginObject()
      try writer.field(id, "_0")
      try writer.field(title, "_1")
      writer.endObject()
    }
    writer.endObject()
  }
}

/// A change of realistic size: about 100 bytes.
private func change(_ number: Int, of count: Int) -> Library.Change {
  .title(
    number &* 7_919 % count, "A title that is about as long as titles are in an app, so that the change has a hundred bytes: \(number)")
}

func historyWorks(_ options: Options) -> [Work] {
  let lives = options.isQuick ? [(20_000, 100)] : [(1_000_000, 1_000), (1_000_000, 10_000)]
  // Memory is measured first. Otherwise the memory that other works free later would be counted.
  return [retained(10_000)]
    + lives.flatMap { entries, books in
      let life = Life(entries: entries, books: books)
      return [opening(life), replay(life), past(life), bisect(life)]
    } + [100, 10_000].map(writing)
}

/// A journal of many entries with snapshots, and the same journal without. Both are created on first use.
private final class Life: @unchecked Sendable {
  let entries: Int
  let books: Int
  let folder: URL
  private var isMade = false

  init(entries: Int, books: Int) {
    self.entries = entries
    self.books = books
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("alter-life-\(getpid())-\(entries)-\(books)")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(snapshots: Bool) -> String {
    if !isMade { make() }
    return folder.appendingPathComponent(snapshots ? "with.alter" : "without.alter").path
  }

  private func make() {
    isMade = true
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (entries, books) = (entries, books)
    let (with, without) = (path(snapshots: true), path(snapshots: false))
    waiting {
      let store = try await Store.open(Library(count: books), in: SQLiteJournal(at: with, durability: .relaxed))
      for number in 1..<entries {
        try await store.ready()
        try store.change(change(number, of: books))
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

  /// The nanoseconds until the store is open. Closing is not counted.
  func open(snapshots: Bool) -> Double {
    let path = path(snapshots: snapshots)
    let books = books
    return waiting {
      var options = StoreOptions()
      options.snapshotSpacing = .max
      let initial = Library(count: books)
      let start = ContinuousClock.now
      let store = try await Store.open(initial, in: SQLiteJournal(at: path), options: options)
      let time = ContinuousClock.now - start
      consume(store.state.books.count)
      await store.close()
      return Double(time.nanoseconds)
    }
  }
}

private func opening(_ life: Life) -> Work {
  let goals: [String: Goal] = life.books == 1_000 ? ["decoding alone": .ratio(atMost: 1.2)] : [:]
  return Work("opening, \(life.books) elements", life.entries, unit: .nanoseconds, goals: goals) {
    _ = life.path(snapshots: true)
    // The contenders take turns, as in all other works.
    let pairs = (0..<7).map { _ in (life.open(snapshots: true), decoding(life)) }
    return [
      ("Alter", median(pairs.map(\.0))), ("decoding alone", median(pairs.map(\.1))), ("without snapshots", life.open(snapshots: false)),
    ]
  }
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
  guard var library = try? JournalCoding.decode(Library.self, from: snapshot.payload) else { fatalError("The snapshot can't be read.") }
  for entry in entries {
    for change in (try? JournalCoding.decode([Library.Change].self, from: entry.payload)) ?? [] { library.apply(change, at: .none) }
  }
  consume(library.books.count)
  return Double(BenchmarkClock.wall.nanoseconds - start)
}

private func replay(_ life: Life) -> Work {
  Work("replay, each entry", life.entries, unit: .nanoseconds) {
    let entries = life.entries
    let all = life.open(snapshots: false) / Double(entries)
    let payload = (try? JournalCoding.encode([change(1, of: 100)])) ?? Data()
    let start = ContinuousClock.now
    for _ in 0..<100_000 { consume((try? JournalCoding.decode([Library.Change].self, from: payload))?.count ?? 0) }
    return [("Alter", all), ("decoding it alone", Double((ContinuousClock.now - start).nanoseconds) / 100_000)]
  }
}

/// Reading the state at revisions throughout the journal.
private func past(_ life: Life) -> Work {
  Work("state(at:), \(life.books) elements", life.entries, unit: .nanoseconds, goals: ["without snapshots": .figure(atMost: 100e6)]) {
    func look(snapshots: Bool, times: Int) -> Double {
      let path = life.path(snapshots: snapshots)
      let entries = life.entries
      let all = life.nanoseconds {
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        for number in 0..<times {
          let revision = Revision(Int64(entries / (times + 1) * (number + 1)))
          consume(try await Store<Library>.state(at: revision, in: journal).books.count)
        }
        await journal.close()
      }
      return all / Double(times)
    }
    return [("Alter", look(snapshots: true, times: 21)), ("without snapshots", look(snapshots: false, times: 1))]
  }
}

private func bisect(_ life: Life) -> Work {
  Work("bisect, \(life.books) elements", life.entries, unit: .nanoseconds) {
    func find(_ work: @escaping @Sendable (SQLiteJournal, Revision) async throws -> Revision?) -> Double {
      let path = life.path(snapshots: true)
      return life.nanoseconds {
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        let end = try await journal.head().revision
        consume(Int(try await work(journal, end)?.number ?? 0))
        await journal.close()
      }
    }
    // The first title of this element is replaced early in the journal.
    let condition: @Sendable (Library) -> Bool = { $0.books[id: 1]?.title.hasPrefix("A book") == false }
    return [
      ("Alter", find { try await Store<Library>.bisect(in: 1...$1, of: $0, where: condition) }),
      ("a scan", find { try await Store<Library>.scan(in: 1...$1, of: $0) { _ in true } }),
    ]
  }
}

/// Writing at full speed, with snapshots and without.
private func writing(_ books: Int) -> Work {
  let batch = 20_000
  return Work("writing, \(books) elements", batch) {
    func contender(_ name: String, spacing: Int) -> Contender {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("alter-writing-\(getpid())-\(books)-\(spacing).alter").path
      var options = StoreOptions()
      options.snapshotSpacing = spacing
      let opened = options
      let store = waiting { try await Store.open(Library(count: books), in: SQLiteJournal(at: path), options: opened) }
      removeAtExit(path)
      return Contender(name, operations: batch, state: (store, 0)) { state in
        state.1 &+= batch
        let (store, start) = state
        return waiting {
          var last: Commit<Library>?
          for number in 0..<batch { last = try store.change(change(start + number, of: books)) }
          return Int(try await last?.confirmed().number ?? 0)
        }
      }
    }
    return [contender("Alter", spacing: 5_000), contender("without snapshots", spacing: .max)]
  }
}

/// The memory of each retained state, as an undo, a reader, or a snapshot in progress retains one.
private func retained(_ books: Int) -> Work {
  Work("retained state, memory", books, unit: .bytes) {
    func measure(_ count: Int, _ next: (Library, Int) -> Library) -> Double {
      var library = Library(count: books)
      var kept: [Library] = []
      kept.reserveCapacity(count)
      let before = Int(allocatedBytes())
      for number in 0..<count {
        library = next(library, number)
        kept.append(library)
      }
      return withExtendedLifetime(kept) { Double(Int(allocatedBytes()) - before) / Double(count) }
    }
    return [
      ("Alter", measure(1_000) { $0.alter(change($1, of: books)) }),
      ("a copy by coding", measure(10) { library, _ in (try? JournalCoding.decode(from: JournalCoding.encode(library))) ?? library }),
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
