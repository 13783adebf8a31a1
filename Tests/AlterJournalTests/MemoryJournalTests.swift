import AlterJournal
import AlterTesting
import Testing

@Suite("A journal in memory", .timeLimit(.minutes(20)))
struct MemoryJournalTests {
  @Test("keeps every promise of a journal", arguments: JournalConformance.checks)
  func conforms(_ check: JournalConformance.Check) async throws {
    let journal = MemoryJournal()
    try await JournalConformance { journal }.run(check)
  }

  @Test("keeps every promise of a journal that a server writes", arguments: ServerConformance.checks + ServerConformance.compaction)
  func serves(_ check: ServerConformance.Check) async throws {
    let journal = MemoryJournal()
    try await ServerConformance { journal }.run(check)
  }
}
