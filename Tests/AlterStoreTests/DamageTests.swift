import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

/// A journal that consists of refusals, as a damaged or hostile one may.
private struct RefusedJournal: ForwardingJournal {
  let base: any Journal
  private var all: [Entry] = []
  private var end: Head

  init(base: any Journal, end: Head, count: Int) {
    (self.base, self.end) = (base, end)
    for number in 1...count {
      let id = EntryID(origin: .test(1), sequence: Int64(number))
      let entry = Entry(Entry.Draft(kind: .refused, id: id, time: 0, payload: Data(#"{"reason":"no"}"#.utf8)), after: self.end)
      all.append(entry)
      self.end = self.end.advanced(by: entry)
    }
  }

  func head() async throws(JournalError) -> Head { end }

  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    Array(all.dropFirst(Int(revision.number)).prefix(limit))
  }
}

@Suite("A store whose journal is damaged, exchanged or newer")
struct DamageTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal

  private func open(_ journal: any Journal, options: StoreOptions? = nil) async throws -> Store<Board> {
    try await Store.open(Board(), in: journal, options: options ?? shared)
  }

  @Test("stops when the journal is no longer the one it knew")
  func diverged() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    let other = MemoryJournal(id: JournalID(Origin.test(5).uuid))
    _ = try await open(other)
    let head = try await other.head()
    await #expect(throws: JournalError.self) {
      _ = try await journal.append(
        [Entry.Draft(kind: .changes, id: EntryID(origin: .test(1), sequence: 1), time: 0, payload: Data("[]".utf8))], after: head)
    }
    simulated.nextAppends(.fail(JournalError(.diverged, journal: "memory", message: "is another one.")))
    let commit = try store.change(.note("x"))
    await #expect(throws: CommitError<Refusal>.self) { try await commit.durable() }
    guard case .failed(let error) = store.status else {
      Issue.record("the store goes on")
      return
    }
    #expect(error.code == .diverged)
  }

  @Test("a journal without its initial state is damaged, however many refusals it consists of", arguments: [1, 64, 65, 600])
  func onlyRefusals(count: Int) async throws {
    let refused = RefusedJournal(base: journal, end: try await journal.head(), count: count)
    let error = await #expect(throws: JournalError.self) { try await open(refused) }
    #expect(error?.code == .damaged && error?.message.contains("all its entries are refusals") == true, "\(error as Any)")
  }

  @Test("a damaged entry is named when the journal is opened, and everything before it can be read")
  func damaged() async throws {
    let store = try await open(journal)
    for number in 0..<10 { try store.change(.note("\(number)")) }
    await store.close()
    let damaged = ScriptedJournal(journal) { [journal] answers in
      answers.entries = { revision, limit in
        try await journal.entries(after: revision, limit: limit).map { entry in
          guard entry.revision == 7 else { return entry }
          let draft = Entry.Draft(kind: entry.kind, id: entry.id, time: entry.time + 1, payload: entry.payload)
          return Entry(revision: 7, draft: draft, checksum: entry.checksum)
        }
      }
    }
    let error = await #expect(throws: JournalError.self) { try await open(damaged) }
    #expect(error?.code == .damaged && error?.revision == 7)
    #expect(try await Store<Board>.state(at: 6, in: damaged).notes == ["0", "1", "2", "3", "4"])
    var seen: [Revision] = []
    await #expect(throws: JournalError.self) { try await Store<Board>.entries(in: damaged) { seen.append($0.revision) } }
    #expect(seen == [1, 2, 3, 4, 5, 6])
  }

  @Test("a journal with a newer schema is refused, and a running store that meets one goes read-only")
  func newerSchema() async throws {
    let store = try await open(journal)
    let newer = Entry.Draft(
      kind: .changes, id: EntryID(origin: .test(8), sequence: 1), time: 0, schema: 2, payload: Data(#"[{"fly":{}}]"#.utf8))
    _ = try await journal.append([newer], after: journal.head())
    for await problem in store.problems { if case .failed(let error) = problem { #expect(error.code == .newerSchema); break } }
    #expect(throws: ChangeError<Refusal>.self) { try store.change(.note("x")) }
    let error = await #expect(throws: JournalError.self) { try await open(journal) }
    #expect(error?.code == .newerSchema && error?.revision == 2)
    #expect(try await journal.head().revision == 2)
  }

  @Test("an unreadable change is an error that names the type and the place, not a trap")
  func undecodable() async throws {
    _ = try await open(journal)
    let strange = Entry.Draft(kind: .changes, id: EntryID(origin: .test(8), sequence: 1), time: 0, payload: Data(#"[{"fly":{}}]"#.utf8))
    _ = try await journal.append([strange], after: journal.head())
    let error = await #expect(throws: JournalError.self) { try await open(journal) }
    #expect(error?.code == .undecodable && error?.revision == 2)
    #expect(error?.description.contains("Board") == true)
    #expect(error?.description.contains("A new property needs a default, and another form a migration.") == true)
  }
}
