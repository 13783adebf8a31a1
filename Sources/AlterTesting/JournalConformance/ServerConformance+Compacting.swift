import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ServerConformance.Session {
  /// Keeps a snapshot at a revision, and plans that the journal begins there.
  func plan(_ journal: any Journal, at revision: Revision) async throws -> CompactionPlan {
    let id = try await journal.head().journal
    guard let head = try await journal.head(at: revision, of: id) else {
      throw ConformanceFailure(check: base.check, expected: "revision \(revision) to be in the journal", found: "none")
    }
    try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: Data("{}".utf8)))
    let plan = try await journal.compactionPlan(keeping: .last(try await journal.head().revision - revision))
    try base.expect(plan.floor, equals: revision, "the planned floor")
    return plan
  }

  /// Appends drafts of three devices: most are accepted, some refused, one is a retry.
  ///
  /// - Returns: The drafts, and the accepted ones among them.
  func fill(_ journal: any ServerJournal, _ count: Int) async throws -> (drafts: [Entry.Draft], accepted: [Entry.Draft]) {
    var devices = [base.writer(), base.writer(), base.writer()]
    var (drafts, accepted): ([Entry.Draft], [Entry.Draft]) = ([], [])
    var decided: [DecidedDraft] = []
    var lost: EntryID?
    for number in 0..<count {
      // Runs of one device, and of several that alternate.
      let device = number < count / 2 ? 0 : number % 3
      let draft = devices[device].draft(#"["\#(number)"]"#)
      let principal = ["ann", "bob", "cat"][device]
      drafts.append(draft)
      switch number % 50 {
      case 47, 48:
        decided.append(refused(draft, "refused", by: principal, reason: "no room for \(number)"))
        if device == 0 { lost = draft.id }
      default:
        accepted.append(draft)
        let first = device == 0 ? lost : nil
        if first != nil { lost = nil }
        decided.append(self.accepted(draft, by: principal, retries: first))
      }
    }
    _ = try await journal.append(decided, at: try await journal.position())
    return (drafts, accepted)
  }
}

extension ServerConformance {
  /// The checks of a journal that can be compacted.
  package static let compaction: [Check] = [
    Check("A compacted journal has every verdict, origin and attempt that it had, and none of the removed entries") { session in
      let journal = try await session.serve()
      let other = try await session.open()
      _ = try await other.position()
      let (drafts, _) = try await session.fill(journal, 600)
      let before = try await session.facts(of: drafts, in: journal)
      let (head, kept) = (try await journal.head(), try await journal.entries(after: 402, limit: 1_000))
      for floor in [202, 402] as [Revision] {
        try await journal.compact(try await session.plan(journal, at: floor))
        for handle in [journal, other] {
          let after = try await session.facts(of: drafts, in: handle)
          try session.base.expect(after.position.floor.revision, equals: floor, "the floor")
          try session.base.expect(after.position.head, equals: head, "the head")
          try session.base.expect(after.standings.count, equals: drafts.count, "the number of verdicts")
          try session.base.expect(after.standings == before.standings, "the verdicts and hashes not to change")
          try session.base.expect(after.origins, equals: before.origins, "the origins")
          try session.base.expect(after.attempts, equals: before.attempts, "the attempts")
          try await session.base.expect(.noSuchRevision, from: "an entry at the floor") {
            try await handle.entries(after: floor.previous, limit: 1)
          }
          try session.base.expect(try await handle.entry(drafts[0].id) == nil, "the first entry to be gone")
          _ = try await handle.verify()
          try await handle.verifyStorage()
        }
        try session.base.expect(try await journal.snapshot(at: floor)?.payload, equals: Data("{}".utf8), "the state at the floor")
      }
      try session.base.expect(try await journal.entries(after: 402, limit: 1_000), equals: kept, "the entries above the floor")
      try session.base.expect(try await journal.role(), equals: .server, "the role")
      let reasons = try await other.reasons(of: drafts.map(\.id))
      try session.base.expect(
        Set(reasons.keys), equals: Set(kept.filter { $0.kind == .refused }.map(\.id)), "the refusals with a reason")
    },
    Check("A draft whose entry was removed is never appended again, and other appends go on") { session in
      let journal = try await session.serve()
      let (drafts, _) = try await session.fill(journal, 120)
      try await journal.compact(try await session.plan(journal, at: 100))
      let position = try await journal.position()
      for draft in [drafts[0], drafts[47], drafts[97], drafts[98], drafts[119]] {
        try await session.base.expect(.originCollision, from: "an append of a decided draft") {
          try await journal.append([session.accepted(draft)], at: position)
        }
      }
      try session.base.expect(try await journal.position(), equals: position, "the position")
      var writer = session.base.writer()
      _ = try await session.open().append([session.accepted(writer.draft())], at: position)
      _ = try await journal.verify()
      try await journal.verifyStorage()
    },
    Check("An undo of a removed entry is not appended, and one of a kept entry is") { session in
      let journal = try await session.serve()
      let (drafts, _) = try await session.fill(journal, 40)
      try await journal.compact(try await session.plan(journal, at: 20))
      var writer = session.base.writer()
      let position = try await journal.position()
      let (gone, kept) = (drafts[5].id, drafts[30].id)
      let undo = writer.draft(try JournalCoding.encode(Entry.Targets(byRule: gone)), kind: .undo)
      try await session.base.expect(.noSuchRevision, from: "an undo of a removed entry") {
        try await journal.append([session.accepted(undo)], at: position)
      }
      try session.base.expect(try await journal.position(), equals: position, "the position")
      let allowed = writer.draft(try JournalCoding.encode(Entry.Targets(byRule: kept)), kind: .undo)
      _ = try await journal.append([session.accepted(allowed)], at: position)
      // No floor may lie between the two.
      let id = try await journal.head().journal
      if let head = try await journal.head(at: 35, of: id) {
        try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: Data("{}".utf8)))
      }
      let plan = try await journal.compactionPlan(keeping: .last(0))
      try session.base.expect(plan.entries, equals: 0, "the entries that could go")
    },
    Check("An append that was decided before the floor moved is a conflict, and is decided again") { session in
      let journal = try await session.serve()
      let other = try await session.open()
      _ = try await session.fill(journal, 40)
      let position = try await other.position()
      let plan = try await session.plan(journal, at: 20)
      var writer = session.base.writer()
      let draft = writer.draft()
      try await journal.compact(plan)
      try await session.base.expect(.conflict, from: "an append at the position before") {
        try await other.append([session.accepted(draft)], at: position)
      }
      let facts = try await session.facts(of: [draft], in: other)
      try session.base.expect(facts.standings.isEmpty, "nothing of the failed append to be known")
      _ = try await other.append([session.accepted(draft)], at: facts.position)
      // The same plan again, and one that an undo has outdated.
      try await journal.compact(plan)
      let second = try await session.plan(journal, at: 30)
      let entries = try await journal.entries(after: 21, limit: 1)
      let undo = writer.draft(try JournalCoding.encode(Entry.Targets(byRule: entries[0].id)), kind: .undo)
      _ = try await journal.append([session.accepted(undo)], at: try await journal.position())
      try await session.base.expect(.conflict, from: "a plan that an undo has outdated") { try await journal.compact(second) }
      try session.base.expect(try await journal.floor()?.revision, equals: 20, "the floor")
    },
    Check("Between the steps of a compaction all verdicts are known, and no removed entry is shown") { session in
      let journal = try await session.serve()
      guard let compactable = journal.capabilities.compaction else {
        throw ConformanceFailure(check: session.base.check, expected: "a journal that can be compacted", found: "another one")
      }
      let (drafts, _) = try await session.fill(journal, 700)
      let before = try await session.facts(of: drafts, in: journal)
      let plan = try await session.plan(journal, at: 652)
      try await compactable.moveFloor(
        to: Snapshot(head: plan.base, base: plan.base, schema: 1, written: 0, payload: Data("{}".utf8)), seen: plan.head)
      var writer = session.base.writer()
      var steps = 0
      var added: [Entry.Draft] = []
      repeat {
        // Another process, which knows nothing of the steps before.
        let other = try await session.open()
        let facts = try await session.facts(of: drafts, in: other)
        try session.base.expect(facts.standings == before.standings, "the verdicts not to change, in step \(steps)")
        try await session.base.expect(.noSuchRevision, from: "a removed entry") { try await other.entries(after: 640, limit: 10) }
        try session.base.expect(try await other.entry(drafts[3].id) == nil, "a removed entry not to be found")
        _ = try await other.verify()
        try await other.verifyStorage()
        let draft = writer.draft()
        _ = try await other.append([session.accepted(draft)], at: try await other.position())
        added.append(draft)
        steps += 1
      } while try await compactable.removeBelowFloor()
      try session.base.expect(steps > 2 || journal is MemoryJournal, "more than one step", found: "\(steps)")
      let facts = try await session.facts(of: added, in: journal)
      try session.base.expect(facts.standings.count, equals: added.count, "the drafts that were appended meanwhile")
    },
    Check("A journal that stores have written and that was compacted can be served; ids of its removed entries are taken") { session in
      let journal = try await session.open()
      var writer = session.base.writer()
      let old = writer.drafts(60)
      _ = try await journal.append(old, after: try await journal.head())
      try await journal.compact(try await session.plan(journal, at: 40))
      try await journal.serve(Session.lineage, schema: 2)
      let position = try await journal.position()
      try session.base.expect(position.floor.revision, equals: 40, "the floor")
      let facts = try await session.facts(of: old, in: journal)
      try session.base.expect(facts.standings.count, equals: old.count, "the number of known ids")
      try session.base.expect(facts.standings[old[9].id]?.revision, equals: 12, "the revision of a removed entry")
      try session.base.expect(facts.standings[old[9].id]?.hash != old[9].hash, "a removed entry to have no hash")
      try await session.base.expect(.originCollision, from: "an append under a removed id") {
        try await journal.append([session.accepted(old[9])], at: position)
      }
      let (drafts, _) = try await session.fill(journal, 60)
      let before = try await session.facts(of: drafts + old, in: journal)
      try await journal.compact(try await session.plan(journal, at: 80))
      let after = try await session.facts(of: drafts + old, in: try await session.open())
      try session.base.expect(after.standings == before.standings, "the verdicts not to change")
      _ = try await journal.verify()
      try await journal.verifyStorage()
    },
  ]
}
