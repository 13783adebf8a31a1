import AlterCore
import AlterJournal
import AlterTesting
import Foundation
import Testing

@Suite("Verification", .timeLimit(.minutes(20)))
struct VerificationTests {
  /// A journal of `count` entries. The closure falsifies the entries of each read.
  private func journal(_ count: Int, _ falsify: @escaping @Sendable (inout [Entry]) -> Void) async throws -> FalsifiedJournal {
    let base = MemoryJournal()
    let origin = Origin.random()
    let drafts = (1...count).map { number in
      Entry.Draft(kind: .changes, id: EntryID(origin: origin, sequence: Int64(number)), time: 0, payload: Data("[\(number)]".utf8))
    }
    let head = try await base.append(drafts, after: try await base.head()).head
    var entries = try await base.entries(after: .zero, limit: count)
    falsify(&entries)
    return FalsifiedJournal(entries: entries, end: head)
  }

  private func expectDamage(at revision: Revision, in journal: FalsifiedJournal) async throws {
    var read: [Revision] = []
    let error = try await #require(throws: JournalError.self) {
      try await journal.readVerified { (entry: Entry) throws(JournalError) in read.append(entry.revision) }
    }
    #expect(error.code == .damaged)
    #expect(error.revision == revision)
    // All entries before the damage were delivered.
    #expect(read.map(\.number) == Array(1..<revision.number))
  }

  @Test("passes a journal of several pages")
  func passes() async throws {
    let journal = try await journal(2_500) { _ in }
    #expect(try await journal.verify() == journal.end)
  }

  @Test("finds a changed byte", arguments: [1, 2, 1_001, 2_500])
  func changedByte(_ revision: Int) async throws {
    let journal = try await journal(2_500) { entries in
      let entry = entries[revision - 1]
      let draft = Entry.Draft(
        kind: entry.kind, id: entry.id, time: entry.time, payload: Data(entry.payload.dropLast() + [UInt8(ascii: "}")]))
      entries[revision - 1] = Entry(revision: entry.revision, draft: draft, checksum: entry.checksum)
    }
    try await expectDamage(at: Revision(Int64(revision)), in: journal)
  }

  @Test("finds a missing entry", arguments: [1, 2, 1_000, 1_001, 1_500])
  func missing(_ revision: Int) async throws {
    let journal = try await journal(1_500) { $0.remove(at: revision - 1) }
    try await expectDamage(at: Revision(Int64(revision)), in: journal)
  }

  @Test("finds two entries that changed places, and one that was copied from elsewhere")
  func swapped() async throws {
    let swapped = try await journal(5) { entries in
      let (second, fourth) = (entries[1], entries[3])
      entries[1] = Entry(revision: 2, draft: fourth.draft, checksum: fourth.checksum)
      entries[3] = Entry(revision: 4, draft: second.draft, checksum: second.checksum)
    }
    try await expectDamage(at: 2, in: swapped)
    let copied = try await journal(5) { $0[2] = Entry(revision: 3, draft: $0[1].draft, checksum: $0[1].checksum) }
    try await expectDamage(at: 3, in: copied)
  }

  @Test("finds a head that its last entry does not lead to")
  func wrongHead() async throws {
    let whole = try await journal(5) { _ in }
    let wrong = Head(journal: whole.end.journal, revision: 5, checksum: Checksum(high: 0, low: 0))
    let error = await #expect(throws: JournalError.self) { try await FalsifiedJournal(entries: whole.stored, end: wrong).verify() }
    #expect(error?.code == .damaged)
    #expect(error?.revision == 5)
  }

  @Test("names the journal, the revision and what to do")
  func message() async throws {
    let error = try await #require(throws: JournalError.self) { try await journal(3) { $0.remove(at: 1) }.verify() }
    for words in ["Journal 'falsified' is damaged at revision 2", "the entry is missing", "restore a backup, or continue from revision 1"] {
      #expect(error.description.contains(words))
    }
  }

  @Test("of a part begins after a known head and ends where it is told to")
  func part() async throws {
    let journal = try await journal(10) { _ in }
    let third = Head(empty: journal.end.journal).advanced(by: journal.stored[2])
    var read: [Int64] = []
    let end = try await journal.readVerified(after: third, through: 6) { (entry: Entry) throws(JournalError) in
      read.append(entry.revision.number)
    }.head
    #expect(read == [4, 5, 6])
    #expect(end == Head(empty: journal.end.journal).advanced(by: journal.stored[5]))
  }

  @Test("is not needed by a tail to notice that entries are gone")
  func tail() async throws {
    let journal = try await journal(3) { $0.removeLast(2) }
    var tail = journal.tail().makeAsyncIterator()
    #expect(try await tail.next()?.revision == 1)
    let error = await #expect(throws: JournalError.self) { _ = try await tail.next() }
    #expect(error?.code == .damaged)
    #expect(error?.revision == 2)
  }
}

/// A journal whose reads return falsified entries.
private struct FalsifiedJournal: ForwardingJournal {
  let stored: [Entry]
  let end: Head
  let base: any Journal = MemoryJournal(name: "falsified")

  init(entries: [Entry], end: Head) { (stored, self.end) = (entries, end) }

  func head() async throws(JournalError) -> Head { end }
  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    Array(stored.filter { $0.revision > revision }.prefix(limit))
  }
  func entry(_ id: EntryID) async throws(JournalError) -> Entry? { stored.first { $0.id == id } }
  func waitForEntry(after revision: Revision) async throws(JournalError) {}
}
