import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The tools of one check: handles on a journal, drafts, and expectations.
final class ConformanceSession: Sendable {
  let check: String
  private let makeHandle: @Sendable () async throws -> any Journal
  private let handles = Lock<[any Journal]>([])

  init(check: String, open: @escaping @Sendable () async throws -> any Journal) {
    self.check = check
    makeHandle = open
  }

  /// Opens another handle on the journal.
  func open() async throws -> any Journal {
    let handle = try await makeHandle()
    handles.withLock { $0.append(handle) }
    return handle
  }

  func closeAll() async {
    for handle in handles.withLock({ $0 }) { await handle.close() }
  }

  /// Creates a writer with a random origin.
  func writer() -> ConformanceWriter { ConformanceWriter(origin: .random()) }

  /// Fails unless the condition holds.
  func expect(_ condition: Bool, _ expected: String, found: @autoclosure () -> String = "otherwise") throws {
    if !condition { throw ConformanceFailure(check: check, expected: expected, found: found()) }
  }

  /// Fails unless both values are equal.
  func expect<Value: Equatable>(_ found: Value, equals expected: Value, _ what: String) throws {
    // Truncate long values, such as payloads.
    func text(_ value: Value) -> String { String("\(value)".prefix(200)) }
    if found != expected { throw ConformanceFailure(check: check, expected: "\(what) to be \(text(expected))", found: text(found)) }
  }

  /// Fails unless the work throws a `JournalError` with the code; returns that error.
  @discardableResult
  func expect(
    _ code: JournalError.Code, from what: String, _ work: () async throws -> some Any
  ) async throws -> JournalError {
    do {
      let answer = try await work()
      throw ConformanceFailure(check: check, expected: "\(what) to throw '\(code)'", found: "the answer \(String("\(answer)".prefix(200)))")
    } catch let error as JournalError {
      if error.code == code { return error }
      throw ConformanceFailure(check: check, expected: "\(what) to throw '\(code)'", found: "'\(error.code)': \(error)")
    }
  }

  /// Reads all entries of a journal, in pages.
  func all(_ journal: any Journal, page: Int = 1_000) async throws -> [Entry] {
    var entries: [Entry] = []
    while true {
      let next = try await journal.entries(after: entries.last?.revision ?? .zero, limit: page)
      if next.isEmpty { return entries }
      entries += next
    }
  }

  /// Fails unless the journal holds exactly these drafts, numbered 1, 2, 3 …, with a checksum chain that ends at its head.
  func expect(_ journal: any Journal, holds drafts: [Entry.Draft]) async throws {
    let entries = try await all(journal)
    try expect(entries.map(\.revision.number), equals: Array(1..<Int64(drafts.count + 1)), "the revisions")
    try expect(entries.map(\.id), equals: drafts.map(\.id), "the entries' ids")
    try expect(entries.map(\.draft) == drafts, "the drafts to be read back unchanged")
    let head = try await journal.head()
    var chain = Head(empty: head.journal)
    for entry in entries { try chain.verify(entry, in: journal.name) }
    try expect(chain, equals: head, "the chain's end")
  }

  /// Lets other tasks run, so that a task that was just started has most likely reached its waiting point. Correctness does not depend on
  /// it, only the sensitivity of a check.
  func letOthersRun(_ journal: any Journal) async throws {
    for _ in 0..<20 {
      for _ in 0..<20 { await Task.yield() }
      _ = try await journal.head()
    }
  }
}

/// Makes drafts of one origin, numbered 1, 2, 3 …
struct ConformanceWriter: Sendable {
  let origin: Origin
  private(set) var sequence: Int64 = 0

  init(origin: Origin) { self.origin = origin }

  /// Returns the next draft, with a text as payload.
  mutating func draft(
    _ payload: String = #"["x"]"#, kind: Entry.Kind = .changes, scope: UndoScope = .journal, schema: Int = 1, cause: Data? = nil
  ) -> Entry.Draft {
    draft(Data(payload.utf8), kind: kind, scope: scope, schema: schema, cause: cause)
  }

  /// Returns the next draft, with bytes as payload.
  mutating func draft(
    _ payload: Data, kind: Entry.Kind = .changes, scope: UndoScope = .journal, schema: Int = 1, cause: Data? = nil
  ) -> Entry.Draft {
    sequence += 1
    return Entry.Draft(
      kind: kind, id: EntryID(origin: origin, sequence: sequence), time: 1_700_000_000_000_000 + sequence, scope: scope, schema: schema,
      payload: payload, cause: cause)
  }

  /// Returns several drafts.
  mutating func drafts(_ count: Int) -> [Entry.Draft] {
    var drafts: [Entry.Draft] = []
    for number in 0..<count { drafts.append(draft("[\(number)]")) }
    return drafts
  }
}
