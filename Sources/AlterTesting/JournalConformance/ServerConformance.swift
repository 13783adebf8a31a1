import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks the contract of `ServerJournal` for any implementation, as ``JournalConformance`` does for journals.
package struct ServerConformance: Sendable {
  private let open: @Sendable () async throws -> any ServerJournal

  /// Creates checks for a journal.
  ///
  /// - Parameter open: Returns another handle on the same journal at each call. The journal must be empty at first.
  package init(open: @escaping @Sendable () async throws -> any ServerJournal) { self.open = open }

  /// One promise of the contract, with its check.
  package struct Check: Sendable, CustomStringConvertible {
    package let name: String
    let body: @Sendable (Session) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Session) async throws -> Void) {
      self.name = name
      self.body = body
    }

    package var description: String { name }
  }

  /// Runs one check on the journal, and closes all handles afterwards.
  package func run(_ check: Check) async throws {
    let open = open
    let session = ConformanceSession(check: check.name) { try await open() }
    do {
      let journal = try await session.open()
      var writer = session.writer()
      _ = try await journal.append([writer.draft("{}", kind: .initial), writer.draft()], after: try await journal.head())
      try await check.body(Session(base: session))
    } catch {
      await session.closeAll()
      throw error
    }
    await session.closeAll()
  }

  /// The tools of one check: handles on a journal with two entries that no server writes yet.
  struct Session: Sendable {
    let base: ConformanceSession
    static let lineage = Lineage(Generation(7), former: [Generation(3)])

    func open() async throws -> any ServerJournal {
      guard let journal = try await base.open().capabilities.server else {
        throw ConformanceFailure(check: base.check, expected: "a journal that a server can write", found: "another one")
      }
      return journal
    }

    /// Opens the journal and makes a server its only writer.
    func serve() async throws -> any ServerJournal {
      let journal = try await open()
      try await journal.serve(Self.lineage, schema: 2)
      return journal
    }

    func accepted(_ draft: Entry.Draft, by principal: String = "ann", retries: EntryID? = nil) -> DecidedDraft {
      DecidedDraft(draft, receipt: Receipt(author: Pseudonym(bits: .max - 4), arrival: -9), principal: principal, retries: retries)
    }

    func refused(_ draft: Entry.Draft, _ code: String, by principal: String = "ann", reason: String? = nil) -> DecidedDraft {
      DecidedDraft(
        Entry.Draft(refusing: draft.id, Entry.Refusal(code: code, hash: draft.hash), time: 5),
        receipt: Receipt(author: Pseudonym(bits: 0), arrival: .max), principal: principal, reason: reason)
    }

    /// Asks for everything that the journal knows of drafts.
    func facts(of drafts: [Entry.Draft], in journal: any ServerJournal) async throws -> ServerFacts {
      var questions = ServerQuestions()
      questions.ids = Set(drafts.map(\.id))
      questions.origins = Set(drafts.map(\.id.origin))
      questions.families = questions.ids
      return try await journal.facts(about: questions)
    }
  }

  /// All checks.
  package static let checks: [Check] = [
    Check("A journal is plain until a server writes it, and then no store appends to it") { session in
      let (journal, other) = (try await session.open(), try await session.open())
      try session.base.expect(try await journal.role(), equals: .plain, "the role before")
      try await session.base.expect(.failed, from: "the position of a plain journal") { try await journal.position() }
      let before = try await session.base.all(journal)
      try await journal.serve(Session.lineage, schema: 2)
      try session.base.expect(try await journal.role(), equals: .server, "the role")
      try session.base.expect(try await session.base.all(journal) == before, "the entries not to change")
      let expected = ServerPosition(
        head: try await journal.head(), lineage: Session.lineage, floor: Head(empty: try await journal.head().journal), schema: 2)
      try session.base.expect(try await journal.position(), equals: expected, "the position")
      var writer = session.base.writer()
      let draft = writer.draft()
      try await session.base.expect(.readOnly, from: "an append by a store") {
        try await journal.append([draft], after: try await journal.head())
      }
      // A handle that was opened before may fail with another error, because its file has a newer format now.
      do {
        _ = try await other.append([draft], after: try await journal.head())
        throw ConformanceFailure(check: session.base.check, expected: "an append through an older handle to throw", found: "an answer")
      } catch let error as JournalError {
        try session.base.expect(
          error.code == .readOnly || error.code == .newerFormat, "'readOnly' or 'newerFormat' through an older handle", found: "\(error)")
      }
    },
    Check("Decided drafts become entries with receipts, under their own ids and bytes, in one chain") { session in
      let journal = try await session.serve()
      let other = try await session.open()
      var writers = [session.base.writer(), session.base.writer()]
      let drafts = [
        writers[0].draft(scope: "a", schema: 3, cause: Data(#"{"metadata":{"who":"Jack"}}"#.utf8)), writers[1].draft(),
        writers[0].draft("[2]", cause: Data(#"{"depth":1,"feedback":"charge","request":"named:a"}"#.utf8)),
      ]
      let position = try await journal.position()
      let decided = [session.accepted(drafts[0]), session.refused(drafts[1], "denied", by: "bob"), session.accepted(drafts[2])]
      let appended = try await journal.append(decided, at: position)
      try session.base.expect(appended.first, equals: position.head.revision.next, "the first revision")
      var chain = position.head
      let entries = try await other.entries(after: position.head.revision, limit: 10)
      for (entry, made) in zip(entries, decided) {
        try chain.verify(entry, in: other.name)
        try session.base.expect(entry.draft == made.draft, "each draft to be read back unchanged")
        try session.base.expect(entry.receipt, equals: made.receipt, "the receipt")
      }
      try session.base.expect(chain, equals: appended.head, "the end of the chain")
      try session.base.expect(try await other.head(), equals: appended.head, "the head")
      try session.base.expect(try await other.entry(drafts[1].id)?.refusal?.code, equals: "denied", "the code, by the id")
      try await other.verify()
    },
    Check("What decisions depend on is found, from every handle") { session in
      let journal = try await session.serve()
      let other = try await session.open()
      var (ann, bob) = (session.base.writer(), session.base.writer())
      let first = ann.draft()
      let (second, third, retry) = (ann.draft("[2]"), bob.draft(), ann.draft("[3]"))
      let position = try await journal.position()
      let decided = [
        session.accepted(first), session.refused(second, "refused", reason: "no room"), session.refused(third, "late", by: "bob"),
        session.accepted(retry, retries: second.id),
      ]
      _ = try await journal.append(decided, at: position)
      var stranger = session.base.writer()
      let facts = try await session.facts(of: [first, second, third, retry, stranger.draft()], in: other)
      let revision = position.head.revision.next
      try session.base.expect(facts.position, equals: try await other.position(), "the position of the answers")
      let standings = [
        first.id: DecidedStanding(hash: first.hash, code: nil, revision: revision),
        second.id: DecidedStanding(hash: second.hash, code: "refused", revision: revision + 1),
        third.id: DecidedStanding(hash: third.hash, code: "late", revision: revision + 2),
        retry.id: DecidedStanding(hash: retry.hash, code: nil, revision: revision + 3),
      ]
      try session.base.expect(facts.standings, equals: standings, "the standings")
      let origins = [
        first.id.origin: OriginStanding(principal: "ann", last: retry.id.sequence),
        third.id.origin: OriginStanding(principal: "bob", last: third.id.sequence),
      ]
      try session.base.expect(facts.origins, equals: origins, "the origins")
      try session.base.expect(facts.attempts, equals: [second.id: retry.id], "the attempts")
      let reasons = try await other.reasons(of: [first.id, second.id])
      try session.base.expect(reasons, equals: [second.id: "no room"], "the reasons")
    },
    Check("An origin keeps the principal and the sequence that it has, and the origin of a first attempt is bound, too") { session in
      let journal = try await session.serve()
      var (ann, lost) = (session.base.writer(), session.base.writer())
      let drafts = ann.drafts(3)
      let first = lost.draft()
      _ = try await journal.append([session.accepted(drafts[2], retries: first.id)], at: try await journal.position())
      // A wrong server: the journal itself does not judge, but it never binds an origin again.
      _ = try await journal.append([session.accepted(drafts[0], by: "bob")], at: try await journal.position())
      let facts = try await session.facts(of: [drafts[0], first], in: journal)
      try session.base.expect(
        facts.origins,
        equals: [
          ann.origin: OriginStanding(principal: "ann", last: drafts[2].id.sequence), lost.origin: OriginStanding(principal: "ann", last: 0),
        ], "the origins")
    },
    Check("An origin whose principal is not known is bound by the next one, and keeps its sequence") { session in
      let journal = try await session.serve()
      var (unknown, lost) = (session.base.writer(), session.base.writer())
      let (drafts, first) = (unknown.drafts(2), lost.draft())
      for (draft, principal) in [(drafts[1], ""), (drafts[0], "bob")] {
        let made = session.accepted(draft, by: principal, retries: first.id)
        _ = try await journal.append([made], at: try await journal.position())
        let facts = try await session.facts(of: [drafts[1], first], in: journal)
        try session.base.expect(
          facts.origins,
          equals: [
            unknown.origin: OriginStanding(principal: principal, last: drafts[1].id.sequence),
            lost.origin: OriginStanding(principal: principal, last: 0),
          ], "the origins after '\(principal)'")
      }
    },
    Check("An append at any other position writes nothing: another head, generation or schema") { session in
      let journal = try await session.serve()
      var writer = session.base.writer()
      let position = try await journal.position()
      let drafts = writer.drafts(2)
      _ = try await journal.append([session.accepted(drafts[0])], at: position)
      let now = try await journal.position()
      let others = [
        position,
        ServerPosition(head: now.head, lineage: Lineage(Generation(8)), floor: now.floor, schema: now.schema),
        ServerPosition(head: now.head, lineage: now.lineage, floor: now.floor, schema: 1),
      ]
      for other in others {
        try await session.base.expect(.conflict, from: "an append at another position") {
          try await journal.append([session.accepted(drafts[1])], at: other)
        }
      }
      try session.base.expect(try await journal.position(), equals: now, "the position afterwards")
      try await session.base.expect(.originCollision, from: "an append of a decided draft") {
        try await journal.append([session.accepted(drafts[1]), session.accepted(drafts[0])], at: now)
      }
      let facts = try await session.facts(of: [drafts[1]], in: journal)
      try session.base.expect(facts.standings.isEmpty, "nothing of a failed append to be known")
      try session.base.expect(try await journal.position(), equals: now, "the position afterwards")
    },
    Check("An append under a lease that was taken over writes nothing; one under the present lease is made") { session in
      let journal = try await session.serve()
      let other = try await session.open()
      var writer = session.base.writer()
      let drafts = writer.drafts(2)
      let stale = try await journal.lease("sync", for: writer.origin, lasting: .zero)
      let fresh = try await other.lease("sync", for: .random(), lasting: .seconds(3_600))
      let position = try await journal.position()
      try await session.base.expect(.staleLease, from: "an append under a lease that was taken over") {
        try await journal.append([session.accepted(drafts[0])], at: position, under: [stale])
      }
      try session.base.expect(try await other.position(), equals: position, "the position afterwards")
      _ = try await other.append([session.accepted(drafts[0])], at: position, under: [fresh])
      let last = try await journal.position()
      try await session.base.expect(.staleLease, from: "an append under one of two leases") {
        try await journal.append([session.accepted(drafts[1])], at: last, under: [fresh, stale])
      }
    },
    Check("The arrival of a change is that of its accepted attempt") { session in
      let journal = try await session.serve()
      var writer = session.base.writer()
      let drafts = writer.drafts(3)
      let decided = [session.accepted(drafts[0]), session.accepted(drafts[2], retries: drafts[1].id)]
      _ = try await journal.append(decided, at: try await journal.position())
      for (draft, arrival) in [(drafts[0], decided[0]), (drafts[1], decided[1])] {
        try session.base.expect(try await journal.arrival(of: draft.id), equals: arrival.receipt.arrival, "the arrival")
      }
      var stranger = session.base.writer()
      try session.base.expect(try await journal.arrival(of: stranger.draft().id) == nil, "no arrival of an unknown change")
    },
    Check("The operator begins another generation: the entries stay, and the former generations are known") { session in
      let journal = try await session.serve()
      let before = try await session.base.all(journal)
      var lineage = Session.lineage
      lineage.begin(Generation(.max))
      try await journal.serve(lineage, schema: 3)
      let position = try await session.open().position()
      try session.base.expect(position.lineage, equals: lineage, "the lineage")
      try session.base.expect(position.schema, equals: 3, "the schema")
      try session.base.expect(try await session.base.all(journal) == before, "the entries not to change")
    },
    Check("Of several processes that begin another generation at once, one does") { session in
      let journal = try await session.serve()
      var lineage = Session.lineage
      lineage.begin(Generation(.max))
      try await journal.serve(lineage, schema: 3, replacing: Session.lineage.generation)
      for present in [nil, Session.lineage.generation] {
        try await session.base.expect(.conflict, from: "a generation that replaces another than the present one") {
          try await session.open().serve(Session.lineage, schema: 9, replacing: present)
        }
      }
      let position = try await journal.position()
      try session.base.expect(position.lineage, equals: lineage, "the lineage")
      try session.base.expect(position.schema, equals: 3, "the schema")
    },
    Check("Two servers that decide at the same position: one appends, the other one gets a conflict, until all is appended once") {
      session in
      _ = try await session.serve()
      let handles = [try await session.open(), try await session.open()]
      var made: [[Entry.Draft]] = []
      for _ in handles {
        var writer = session.base.writer()
        made.append(writer.drafts(12))
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (journal, drafts) in zip(handles, made) {
          group.addTask {
            for draft in drafts {
              while true {
                let position = try await journal.position()
                do {
                  _ = try await journal.append([session.accepted(draft)], at: position)
                  break
                } catch let error as JournalError where error.code == .conflict {}
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let entries = try await session.base.all(handles[0])
      for drafts in made {
        let found = entries.map(\.id).filter { $0.origin == drafts[0].id.origin }
        try session.base.expect(found, equals: drafts.map(\.id), "each draft once, in order")
      }
      try await handles[1].verify()
    },
  ]
}
