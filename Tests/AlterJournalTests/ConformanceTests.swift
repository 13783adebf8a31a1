import AlterCore
import AlterJournal
import AlterTesting
import Foundation
import Testing

@Suite("The conformance suite", .timeLimit(.minutes(20)))
struct ConformanceTests {
  @Test("finds every way in which a journal breaks its promises", arguments: FlawedJournal.Flaw.allCases)
  func finds(_ flaw: FlawedJournal.Flaw) async throws {
    var failures: [ConformanceFailure] = []
    for check in JournalConformance.checks where failures.isEmpty {
      let journal = FlawedJournal(flaw: flaw)
      do {
        try await JournalConformance { journal }.run(check)
      } catch let failure as ConformanceFailure {
        failures.append(failure)
      } catch is JournalError {
        // A flaw may also cause an error where none is expected.
        failures.append(ConformanceFailure(check: check.name, expected: "no error", found: "one"))
      }
    }
    #expect(!failures.isEmpty)
  }

  @Test("says what was expected and what was found")
  func message() async throws {
    let journal = FlawedJournal(flaw: .ignoresLimits)
    let check = try #require(JournalConformance.checks.first { $0.name.hasPrefix("Pages are consecutive") })
    let failure = await #expect(throws: ConformanceFailure.self) { try await JournalConformance { journal }.run(check) }
    #expect(failure?.description == "\(check.name): expected at most 1 entries, found 10.")
  }
}

/// A journal that breaks one guarantee.
final class FlawedJournal: ForwardingJournal {
  enum Flaw: CaseIterable {
    case ignoresHeads, comparesHeadsFirst, takesForksForConflicts, takesCollisionsForSuccess, splitsBatches, ignoresTurns, wakesEarly,
      staysOpen
    case skipsEntries, ignoresLimits, losesCauses, roundsTimes, findsNothing, findsTooMuch, hidesTheHead
    case ignoresLeases, sharesLeases
    case losesSnapshots, changesSnapshots, keepsRemovedSnapshots, listsSnapshotsOldestFirst
  }

  private let flaw: Flaw
  let base: any Journal = MemoryJournal()

  init(flaw: Flaw) { self.flaw = flaw }

  func head() async throws(JournalError) -> Head {
    let head = try await base.head()
    return flaw == .hidesTheHead && head.revision > 1 ? Head(empty: head.journal) : head
  }

  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    let entries = try await base.entries(after: revision, limit: flaw == .ignoresLimits ? 1_000 : limit)
    switch flaw {
    case .skipsEntries: return entries.filter { $0.revision != 4 }
    case .losesCauses, .roundsTimes: return entries.map(changed)
    default: return entries
    }
  }

  private func changed(_ entry: Entry) -> Entry {
    let draft = Entry.Draft(
      kind: entry.kind, id: entry.id, time: flaw == .roundsTimes ? entry.time & ~1 : entry.time, scope: entry.scope, schema: entry.schema,
      payload: entry.payload, cause: flaw == .losesCauses && entry.draft.cause?.isEmpty == true ? nil : entry.draft.cause)
    return Entry(revision: entry.revision, draft: draft, checksum: entry.checksum)
  }

  func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
    switch flaw {
    case .findsNothing: nil
    case .findsTooMuch: try await base.entries(after: .zero, limit: 1).first
    default: try await base.entry(id)
    }
  }

  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
    switch flaw {
    case .ignoresHeads: return try await base.append(drafts, after: try await base.head(), in: turn)
    case .comparesHeadsFirst:
      let now = try await base.head()
      guard now == head else { throw .conflict(name, at: now.revision, expected: head.revision) }
    case .splitsBatches:
      var first: Revision?
      var head = head
      for draft in drafts {
        let answer = try await base.append([draft], after: head, in: turn, under: leases)
        first = first ?? answer.first
        head = answer.head
      }
      return Appended(first: first ?? .zero, head: head)
    case .ignoresTurns: return try await base.append(drafts, after: head, in: nil)
    case .ignoresLeases: return try await base.append(drafts, after: head, in: turn)
    case .takesForksForConflicts, .takesCollisionsForSuccess:
      do {
        return try await base.append(drafts, after: head, in: turn, under: leases)
      } catch {
        if flaw == .takesForksForConflicts, error.code == .diverged { throw .conflict(name, at: 1, expected: head.revision) }
        if flaw == .takesCollisionsForSuccess, error.code == .originCollision { return Appended(first: 1, head: head) }
        throw error
      }
    default: break
    }
    return try await base.append(drafts, after: head, in: turn, under: leases)
  }

  func takeTurn() async throws(JournalError) -> Turn { flaw == .ignoresTurns ? Turn {} : try await base.takeTurn() }

  func waitForEntry(after revision: Revision) async throws(JournalError) {
    if flaw != .wakesEarly { try await base.waitForEntry(after: revision) }
  }

  func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    try await base.lease(flaw == .sharesLeases ? "\(name) of \(holder)" : name, for: holder, lasting: duration)
  }

  func keep(_ snapshot: Snapshot) async throws(JournalError) {
    switch flaw {
    case .losesSnapshots: break
    case .changesSnapshots:
      try await base.keep(
        Snapshot(
          head: snapshot.head, base: snapshot.base, schema: snapshot.schema, written: snapshot.written,
          payload: Data(snapshot.payload.filter { $0 < 0x80 }), checksum: snapshot.checksum))
    default: try await base.keep(snapshot)
    }
  }

  func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
    let places = try await base.snapshots(upTo: revision, limit: limit)
    return flaw == .listsSnapshotsOldestFirst ? places.reversed() : places
  }

  func removeSnapshot(at revision: Revision) async throws(JournalError) {
    if flaw != .keepsRemovedSnapshots { try await base.removeSnapshot(at: revision) }
  }

  func close() async {
    if flaw != .staysOpen { await base.close() }
  }
}
