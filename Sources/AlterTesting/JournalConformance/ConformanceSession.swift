import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What one check works with: handles on a journal, drafts, and ways to say what was expected.
final class ConformanceSession: Sendable {
  let check: String
  private let makeHandle: @Sendable () async throws -> any Journal
  private let handles = Lock<[any Journal]>([])

  init(check: String, open: @escaping @Sendable () async throws -> any Journal) {
    self.check = check
    makeHandle = open
  }

  /// Another handle on the journal.
  func open() async throws -> any Journal {
    let handle = try await makeHandle()
    handles.withLock { $0.append(handle) }
    return handle
  }

  func closeAll() async {
    for handle in handles.withLock({ $0 }) { await handle.close() }
  }

  /// A writer with an origin of its own.
  func writer() -> ConformanceWriter { ConformanceWriter(origin: .random()) }

  /// Fails unless the condition holds.
  func expect(_ condition: Bool, _ expected: String, found: @autoclosure () -> String = "otherwise") throws {
    if !condition { throw ConformanceFailure(check: check, expected: expected, found: found()) }
  }

  /// Fails unless both are equal.
  func expect<Value: Equatable>(_ found: Value, equals expected: Value, _ what: String) throws {
    // Not the values themselves when they are long, such as payloads.
    func text(_ value: Value) -> String { String("\(value)".prefix(200)) }
    if found != expected { throw ConformanceFailure(check: check, expected: "\(what) to be \(text(expected))", found: text(found)) }
  }

  /// Fails unless the work throws an error of the code, and returns that error.
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

  /// Every entry of a journal, read in pages.
  func all(_ journal: any Journal, page: Int = 1_000) async throws -> [Entry] {
    var entries: [Entry] = []
    while true {
      let next = try await journal.entries(after: entries.last?.revision ?? .zero, limit: page)
      if next.isEmpty { return entries }
      entries += next
    }
  }

  /// Fails unless the journal holds these drafts, numbered 1, 2, 3 …, with a chain that leads to its head.
  func expect(_ journal: any Journal, holds drafts: [Entry.Draft]) async throws {
    let entries = try await all(journal)
    try expect(entries.map(\.revision.number), equals: Array(1..<Int64(drafts.count + 1)), "the revisions")
    try expect(entries.map(\.id), equals: drafts.map(\.id), "the entries' ids")
    try expect(entries.map(\.draft) == drafts, "what was appended to come back unchanged")
    let head = try await journal.head()
    var chain = Head(empty: head.journal)
    for entry in entries { try chain.verify(entry, in: journal.name) }
    try expect(chain, equals: head, "the chain's end")
  }

  /// Lets other tasks go on, so that one that was just started has most likely reached what it waits for. Nothing depends on it but how sharp a check is.
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

  /// The next draft.
  mutating func draft(
    _ payload: String = #"["x"]"#, kind: Entry.Kind = .changes, scope: UndoScope = .journal, schema: Int = 1, cause: Data? = nil
  ) -> Entry.Draft {
    draft(Data(payload.utf8), kind: kind, scope: scope, schema: schema, cause: cause)
  }

  /// The next draft, of bytes.
  mutating func draft(
    _ payload: Data, kind: Entry.Kind = .changes, scope: UndoScope = .journal, schema: Int = 1, cause: Data? = nil
  ) -> Entry.Draft {
    sequence += 1
    return Entry.Draft(
      kind: kind, id: EntryID(origin: origin, sequence: sequence), time: 1_700_000_000_000_000 + sequence, scope: scope, schema: schema,
      payload: payload, cause: cause)
  }

  /// The next drafts.
  mutating func drafts(_ count: Int) -> [Entry.Draft] {
    var drafts: [Entry.Draft] = []
    for number in 0..<count { drafts.append(draft("[\(number)]")) }
    return drafts
  }
}
