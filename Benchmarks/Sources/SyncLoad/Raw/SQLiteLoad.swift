import Foundation
import GRDBSQLite

/// Bare SQLite with the server's durability and files: each thread inserts groups of rows into its own files in turn. It tells `changes`, the
/// rows per second.
///
/// ```
/// sync-load sqlite --journals 1000 --drafts 10 --threads 8 --milliseconds 3000
/// ```
struct SQLiteLoad {
  private let (journals, drafts, threads, milliseconds): (Int, Int, Int, Int)

  init(_ arguments: Arguments) {
    journals = arguments.number("journals", default: 1_000)
    drafts = arguments.number("drafts", default: 10)
    threads = min(arguments.number("threads", default: 8), journals)
    milliseconds = arguments.number("milliseconds", default: 3_000)
    raiseDescriptorLimit()
  }

  func run() throws {
    let folder = try WorkFolder()
    let files = (0..<journals).map { BareFile(folder.path + "/\($0).db") }
    let total = DispatchQueue(label: "total")
    nonisolated(unsafe) var rows = 0
    let (start, end) = (nanoseconds, nanoseconds + Int64(milliseconds) * 1_000_000)
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var own = 0
      let places = Array(stride(from: thread, to: journals, by: threads))
      var turn = 0
      while nanoseconds < end {
        files[places[turn % places.count]].insert(drafts)
        own += drafts
        turn += 1
      }
      total.sync { rows += own }
    }
    tell("changes", Double(rows) / (Double(nanoseconds - start) / 1e9))
    for file in files { file.close() }
  }
}

/// A table of rows like entries. `@unchecked Sendable`: each file is used by one thread at a time.
private final class BareFile: @unchecked Sendable {
  private var database: OpaquePointer?
  private var insertion: OpaquePointer?
  private let payload = Array("[{\"line\":{\"change\":{\"text\":\"A line of some words, changed 123456\"},\"id\":17}}]".utf8)

  init(_ path: String) {
    sqlite3_open(path, &database)
    for sql in [
      "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE entry (revision INTEGER PRIMARY KEY, payload TEXT)",
    ] {
      guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { fatalError(String(cString: sqlite3_errmsg(database))) }
    }
    sqlite3_prepare_v2(database, "INSERT INTO entry (payload) VALUES (?)", -1, &insertion, nil)
  }

  func insert(_ count: Int) {
    sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
    for _ in 0..<count {
      payload.withUnsafeBytes {
        _ = sqlite3_bind_text(insertion, 1, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), nil)
      }
      guard sqlite3_step(insertion) == SQLITE_DONE else { fatalError(String(cString: sqlite3_errmsg(database))) }
      sqlite3_reset(insertion)
    }
    guard sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK else { fatalError(String(cString: sqlite3_errmsg(database))) }
  }

  func close() {
    sqlite3_finalize(insertion)
    sqlite3_close(database)
  }
}
