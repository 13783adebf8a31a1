import AlterJournal
import AlterTesting
import Foundation
import Testing

@Suite("A faulty journal", .timeLimit(.minutes(20)))
struct SimulatedJournalTests {
  private func draft(_ sequence: Int64) -> Entry.Draft {
    Entry.Draft(kind: .changes, id: EntryID(origin: .none, sequence: sequence), time: 0, payload: Data("[]".utf8))
  }

  @Test("without faults keeps every promise of a journal", arguments: JournalConformance.checks)
  func conforms(_ check: JournalConformance.Check) async throws {
    let journal = SimulatedJournal(MemoryJournal())
    try await JournalConformance { journal }.run(check)
  }

  @Test("writes nothing when an append fails, and everything when only its answer is lost")
  func failsAndLoses() async throws {
    let full = JournalError(.full, journal: "memory", message: "is full.")
    let journal = SimulatedJournal(MemoryJournal(), appends: [.fail(full), .loseAnswer])
    let empty = try await journal.head()
    await #expect(throws: full) { try await journal.append([draft(1)], after: empty) }
    #expect(try await journal.head() == empty)
    let lost = await #expect(throws: JournalError.self) { try await journal.append([draft(1)], after: empty) }
    #expect(lost?.code == .unknownOutcome)
    #expect(try await journal.entries(after: .zero, limit: 9).map(\.draft) == [draft(1)])
    // Appending the same drafts again finds the stored ones.
    #expect(try await journal.append([draft(1)], after: empty).first == 1)
    #expect(journal.appendCount == 3)
  }

  @Test("holds a call until it is released")
  func holds() async throws {
    let base = MemoryJournal()
    let journal = SimulatedJournal(base, onAppend: { $0 == 1 ? .hold : .pass }, onRead: { $0 == 2 ? .hold : .pass })
    let empty = try await journal.head()
    let append = Task { try await journal.append([draft(1)], after: empty) }
    let read = Task { try await journal.head() }
    await journal.waitUntilHeld(2)
    #expect(journal.heldCount == 2)
    #expect(try await base.head() == empty)
    journal.release()
    #expect(try await append.value.head.revision == 1)
    #expect(try await read.value.journal == empty.journal)
    #expect((journal.appendCount, journal.readCount) == (1, 2))
  }
}
