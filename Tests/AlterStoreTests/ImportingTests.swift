import Alter
import AlterCore
import AlterTesting
import Testing

@Suite("Opening a store with what an app kept elsewhere")
struct ImportingTests {
  private struct Torn: Error, Equatable {}

  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal

  private func records() async throws -> [Record<Board>] {
    var records: [Record<Board>] = []
    try await Store<Board>.entries(in: journal) { records.append($0) }
    return records
  }

  @Test("begins an empty journal with it, and says in the first entry where it came from")
  func imports() async throws {
    let store = try await Store.open(importing: "old.json", in: journal, options: shared) { try Board().alter(.put("a", 1)) }
    #expect(store.state.values == ["a": 1] && store.revision == 1)
    try await store.change(.add("a", 1)).durable()
    await store.close()
    let records = try await records()
    guard case .initial(let state)? = records.first?.kind else {
      Issue.record("\(records)")
      return
    }
    #expect(state.values == ["a": 1])
    #expect(records.map(\.cause) == [Cause(metadata: ["imported": "old.json"]), nil])
  }

  @Test("doesn't look at the old data when the journal has begun")
  func ignored() async throws {
    await (try await Store.open(Board().alter(.put("new", 1)), in: journal, options: shared)).close()
    let store = try await Store.open(importing: "old.json", in: journal, options: shared) { () throws(Torn) -> Board in
      Issue.record("the old data was read")
      throw Torn()
    }
    #expect(store.state.values == ["new": 1] && store.revision == 1)
    await store.close()
  }

  @Test("throws what the reading threw, and leaves the journal as empty as it was, for the next to try")
  func unreadable() async throws {
    let error = await #expect(throws: ImportError<Torn>.self) {
      try await Store.open(importing: "old.json", in: journal, options: shared) { () throws(Torn) -> Board in throw Torn() }
    }
    #expect(error == .unreadable(source: "old.json", Torn()))
    #expect(error?.description.hasPrefix("The import from old.json failed, and nothing was written: Torn()") == true)
    #expect(try await journal.head().revision == .zero)
    let store = try await Store.open(importing: "old.json", in: journal, options: shared) { try Board().alter(.put("a", 1)) }
    #expect(store.state.values == ["a": 1])
    await store.close()
  }

  @Test("by several at once is one import: the others open what was imported, and read nothing")
  func race() async throws {
    let calls = Lock(0)
    let revisions = try await withThrowingTaskGroup(of: [String: Int].self) { [journal, shared] group in
      for number in 0..<8 {
        group.addTask {
          let store = try await Store.open(importing: "\(number)", in: journal, options: shared) {
            calls.withLock { $0 += 1 }
            // Gives the other stores every chance to interfere.
            for _ in 0..<20 { await Task.yield() }
            return try Board().alter(.put("by", number))
          }
          defer { Task { await store.close() } }
          return store.state.values
        }
      }
      return try await group.reduce(into: Set<[String: Int]>()) { $0.insert($1) }
    }
    #expect(calls.withLock { $0 } == 1)
    #expect(revisions.count == 1)
    #expect(try await records().count == 1)
  }

  @Test("throws the journal's error when that can't take it; nothing is acknowledged")
  func journalFails() async throws {
    let full = JournalError(.full, journal: "memory", message: "is full.")
    let simulated = SimulatedJournal(journal, appends: [.fail(full)])
    await #expect(throws: ImportError<Never>.journal(full)) {
      try await Store.open(importing: "old.json", in: simulated, options: shared) { () -> Board in Board() }
    }
    #expect(try await journal.head().revision == .zero)
  }

  @Test("when the answer was lost is there at the next opening, and isn't imported twice")
  func answerLost() async throws {
    let simulated = SimulatedJournal(journal, appends: [.loseAnswer])
    await #expect(throws: ImportError<Refusal>.self) {
      try await Store.open(importing: "old.json", in: simulated, options: shared) { () throws(Refusal) in try Board().alter(.put("a", 1)) }
    }
    let store = try await Store.open(importing: "old.json", in: simulated, options: shared) { () -> Board in
      Issue.record("the old data was read again")
      return Board()
    }
    #expect(store.state.values == ["a": 1])
    await store.close()
  }
}
