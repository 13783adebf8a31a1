import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The announcement of a stream.
package struct Hint: Sendable, Hashable {
  package let generation: Generation
  /// The head of the journal.
  package let head: Head

  package init(_ generation: Generation, _ head: Head) {
    self.generation = generation
    self.head = head
  }
}

/// A request of a device.
package struct Request: Sendable, Hashable {
  package enum Body: Sendable, Hashable {
    /// `GET entries`.
    case pull
    /// `POST`: drafts in the order of the outbox.
    case push([Submission])
    /// `GET snapshot`, with the ids whose verdicts the device wants.
    case fetch([EntryID])
  }

  package let body: Body
  /// The head of the mirror; nil before the first contact.
  package let position: Head?
  /// The revision of the mirror's floor; 0 for a whole journal, or before the first contact.
  package let floor: Revision
  /// The principal of the device's file.
  package let principal: Principal
  /// The generation of the mirror; nil before the first contact.
  package let generation: Generation?
  /// The newest revision that the device knows to exist, from a verdict. A process whose view is older reads the database first.
  package let known: Revision
  /// The last hint, until the answer to a request that names it was absorbed. A server process with another view reads the database first:
  /// after a restore the journal may be shorter, or have another generation at the same head.
  package let hint: Hint?
  /// The schemas of snapshots that the device can begin at, for a fetch; nil for the start of the journal alone, which has any schema.
  package let schemas: ClosedRange<Int>?

  package init(
    _ body: Body, position: Head?, floor: Revision = .zero, principal: Principal, generation: Generation? = nil, known: Revision = .zero,
    hint: Hint? = nil, schemas: ClosedRange<Int>? = nil
  ) {
    self.body = body
    self.position = position
    self.floor = floor
    self.principal = principal
    self.generation = generation
    self.known = known
    self.hint = hint
    self.schemas = schemas
  }
}

/// Verdicts and entries: the answer to a pull or a push.
package struct Page: Sendable, Hashable {
  /// The first part of a body: without it, no other part has a meaning.
  package let journal: JournalID
  package let lineage: Lineage
  /// The verdicts, in the order of the drafts.
  package var lines: [VerdictLine] = []
  /// The reason for which the drafts after the last line are undecided.
  package var hold: SyncHold?
  /// The entries after the device's head.
  package var entries: [SyncEntry] = []
  /// The reasons of those refusals among the entries whose author is the device's principal, by the id of the draft. They are text for
  /// people, and no part of the chain.
  package var reasons: [EntryID: String] = [:]
  /// The head of the server's journal. A cut body lacks it.
  package var head: Head?
  /// The lines of the entries, without reasons, if they were written before.
  package var written = WrittenLines()

  package init(_ journal: JournalID, _ lineage: Lineage) {
    self.journal = journal
    self.lineage = lineage
  }
}

extension Page {
  /// The page with which a server would answer a pull, made from entries that its stream has brought; nil unless they follow the mirror,
  /// and can be taken without the server's look at the request.
  ///
  /// - Parameters:
  ///   - entries: The entries. Only changes can be taken: a refusal has a reason for its author, and before an undo the server checks the
  ///     floor.
  ///   - hint: The end that was announced with them.
  ///   - request: The pull.
  package init?(announcing entries: [SyncEntry], to hint: Hint, instead request: Request) {
    guard let position = request.position, request.generation == hint.generation, request.known <= hint.head.revision,
      position.journal == hint.head.journal, let first = entries.first, first.follows(position),
      entries.allSatisfy({ $0.stored.kind == .changes })
    else { return nil }
    self.init(position.journal, Lineage(hint.generation))
    (self.entries, head) = (entries, hint.head)
  }

  /// The newest schema of the entries that are drafts; 0 for none.
  package var newestSchema: Int { entries.reduce(0) { $1.draft == nil ? $0 : max($0, $1.stored.schema) } }
}

/// The lines of a page's entries, if they were written before. Equality ignores them, because they follow from the entries.
package struct WrittenLines: Sendable, Hashable {
  /// One line for each entry of the page, or none at all.
  package var lines: ArraySlice<Data> = []

  package static func == (left: WrittenLines, right: WrittenLines) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

/// The start of a mirror or of a compacted journal: the entries up to its head are folded into its state.
package struct Floor: Sendable, Hashable {
  /// The last entry that is folded in; revision 0 for a whole journal.
  package let head: Head
  /// The state there.
  package let state: StateBytes

  package init(head: Head, state: StateBytes) {
    self.head = head
    self.state = state
  }
}

/// A snapshot and verdicts: the answer to a fetch.
package struct Fetched: Sendable, Hashable {
  package let lineage: Lineage
  package let floor: Floor
  /// The verdicts of those of the requested ids that are decided.
  package let lines: [VerdictLine]

  package init(_ lineage: Lineage, floor: Floor, lines: [VerdictLine]) {
    self.lineage = lineage
    self.floor = floor
    self.lines = lines
  }
}

/// The answer of a server.
package enum Answer: Sendable, Hashable {
  case page(Page)
  case snapshot(Fetched)
  /// `404`: the principal may create the journal, and no request that writes has done so.
  case absent
  /// `410`: the device's head lies below the floor. Nothing was decided.
  case gone
  /// `409`: the journal does not have the device's head, or its generation. Nothing was decided.
  case diverged(Lineage)
  /// `401`.
  case unauthorised
  /// `403`.
  case forbidden
  /// `413` or `422`: the envelope was rejected.
  case badEnvelope
  /// `429`, or a status from 500 on, with the seconds of `Retry-After`: 0 without it.
  case busy(Int)
  /// An answer that the device does not understand.
  case notUnderstood
}
