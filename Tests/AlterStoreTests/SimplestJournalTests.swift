import AlterCore
import AlterJournal
import AlterStore
import AlterTesting
import StoreTesting
import Testing

@Suite("The simplest journal: seven members", .timeLimit(.minutes(20)))
struct SimplestJournalTests {
  @Test("keeps the promises that every journal must keep", arguments: JournalConformance.required)
  func conforms(_ check: JournalConformance.Check) async throws {
    let journal = ListJournal()
    try await JournalConformance { journal }.run(check)
  }

  @Test("serves stores: changes, undo, conflicts of two stores, and a later opening")
  func stores() async throws {
    let journal = ListJournal()
    let one = try await Store.open(Counter(), in: journal, options: .sharedJournal)
    let other = try await Store.open(Counter(), in: journal, options: .sharedJournal)
    for number in 1...20 {
      async let first = one.change(.add(number)).durable()
      async let second = other.change(.add(100 * number)).durable()
      _ = try await (first, second)
    }
    try await one.change(.add(7)).durable()
    try await one.undo().commit.durable()
    await one.close()
    await other.close()
    let later = try await Store.open(Counter(), in: journal, options: .sharedJournal)
    #expect(later.state.count == 210 + 21_000)
    #expect(try await journal.verify().revision == 1 + 40 + 2)
    await later.close()
  }

  @Test("refuses a lease by a reason that says what to do")
  func lease() async throws {
    let error = await #expect(throws: JournalError.self) {
      try await ListJournal().lease("payment", for: .random(), lasting: .seconds(1))
    }
    #expect(error?.code == .failed)
    #expect(error?.description.contains("grants no leases, so it can't hold 'payment'") == true, "\(String(describing: error))")
  }
}

/// A journal in an array, with the seven members that have no default.
private final class ListJournal: Journal {
  let name = "list"
  private let id = JournalID.random()
  private let entries = Lock<[Entry]?>([])
  private let count = RevisionCount(journal: "list")

  private func read<Result>(_ body: (inout [Entry]) throws(JournalError) -> Result) throws(JournalError) -> Result {
    try entries.withLock { entries throws(JournalError) in
      guard entries != nil else { throw .closed(name) }
      return try body(&entries!)
    }
  }

  private func head(_ entries: some BidirectionalCollection<Entry>) -> Head {
    entries.last.map { Head(journal: id, revision: $0.revision, checksum: $0.checksum) } ?? Head(empty: id)
  }

  func head() async throws(JournalError) -> Head { try read { head($0) } }

  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    try read { Array($0.lazy.filter { $0.revision > revision }.prefix(max(limit, 0))) }
  }

  func entry(_ id: EntryID) async throws(JournalError) -> Entry? { try read { $0.first { $0.id == id } } }

  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
    try Entry.Draft.checkAppendable(drafts, in: name)
    let appended: Appended = try read { entries throws(JournalError) in
      for draft in drafts {
        guard let place = entries.firstIndex(where: { $0.id == draft.id }) else { continue }
        let there = entries[place...].prefix(drafts.count)
        guard there.map(\.draft) == drafts else { throw .originCollision(name, draft.id, at: entries[place].revision) }
        return Appended(first: entries[place].revision, head: self.head(there))
      }
      let end = self.head(entries)
      guard head == end else {
        let known = [Head(empty: id)] + entries.map { Head(journal: id, revision: $0.revision, checksum: $0.checksum) }
        guard known.contains(head) else { throw .diverged(name, at: head.revision, head: end.revision) }
        throw .conflict(name, at: end.revision, expected: head.revision)
      }
      for draft in drafts { entries.append(Entry(draft, after: self.head(entries))) }
      return Appended(first: end.revision.next, head: self.head(entries))
    }
    count.advance(to: appended.head.revision)
    return appended
  }

  func waitForEntry(after revision: Revision) async throws(JournalError) { try await count.wait(past: revision) }

  func close() async {
    entries.withLock { $0 = nil }
    count.finish(.closed(name))
  }
}
