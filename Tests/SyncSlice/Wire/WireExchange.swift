import AlterCore
import AlterJournal
import AlterSyncCore
import Foundation

/// A request of a device: a pull, a push, or a fetch of a floor.
struct WireRequest: Codable {
  private struct Submission: Codable { let draft: WireDraft, after: EntryID? }

  private let drafts: [Submission]?
  private let questions: [EntryID]?
  private let position: WireHead?
  private let floor: Revision
  private let principal: String
  private let generation: UInt64?
  private let known: Revision

  init(_ request: Request) {
    switch request.body {
    case .pull: (drafts, questions) = (nil, nil)
    case .push(let submissions):
      (drafts, questions) = (submissions.compactMap { sent in sent.draft.map { Submission(draft: WireDraft($0), after: sent.after) } }, nil)
    case .fetch(let ids): (drafts, questions) = (nil, ids)
    }
    position = request.position.map(WireHead.init)
    (floor, principal, generation, known) = (request.floor, request.principal.name, request.generation?.number, request.known)
  }

  var request: Request {
    let body: Request.Body =
      if let drafts {
        .push(drafts.map { AlterSyncCore.Submission(.draft($0.draft.draft), after: $0.after) })
      } else if let questions {
        .fetch(questions)
      } else {
        .pull
      }
    return Request(
      body, position: position?.head, floor: floor, principal: Principal(principal), generation: generation.map { Generation($0) },
      known: known)
  }
}

/// The present generation, and the former ones.
struct WireLineage: Codable {
  private let present: UInt64
  private let former: [UInt64]

  init(_ lineage: Lineage) { (present, former) = (lineage.generation.number, lineage.former.map(\.number).sorted()) }

  var lineage: Lineage { Lineage(Generation(present), former: Set(former.map { Generation($0) })) }
}

/// One verdict.
struct WireLine: Codable {
  private let id: EntryID
  private let hash: WireChecksum
  private let code: String?
  private let revision: Revision?

  init(_ line: VerdictLine) {
    (id, hash, revision) = (line.id, WireChecksum(line.hash), line.verdict.revision)
    code = if case .refused(let code, _) = line.verdict { code.rawValue } else { nil }
  }

  var line: VerdictLine {
    let verdict: Verdict =
      if let code { .refused(RefusalCode(rawValue: code) ?? .malformed, at: revision) } else { .accepted(revision ?? .zero) }
    return VerdictLine(id: id, hash: hash.checksum, verdict: verdict)
  }
}

/// Verdicts and entries.
struct WirePage: Codable {
  private enum HoldCode: String, Codable { case order, schema, policy, budget }
  private struct WireHold: Codable { let code: HoldCode, id: EntryID, seconds: Int }

  private let journal: JournalID
  private let generations: WireLineage
  private let lines: [WireLine]
  private let hold: WireHold?
  private let entries: [WireEntry]
  private let head: WireHead?

  /// - Parameters:
  ///   - page: The page.
  ///   - reason: The reason of a refusal that the reader may see.
  init(_ page: Page, reason: (SyncEntry) -> String?) {
    (journal, generations, head) = (page.journal, WireLineage(page.lineage), page.head.map(WireHead.init))
    lines = page.lines.map(WireLine.init)
    entries = page.entries.map { WireEntry($0, reason: reason($0)) }
    hold = page.hold.map { hold in
      let code: HoldCode =
        switch hold.code {
        case .order: .order
        case .schema: .schema
        case .policy: .policy
        case .budget: .budget
        }
      return WireHold(code: code, id: hold.id, seconds: hold.seconds)
    }
  }

  /// The page for a mirror with a head.
  func page(after position: Head?) -> Page {
    var page = Page(journal, generations.lineage)
    page.lines = lines.map(\.line)
    page.hold = hold.map { hold in
      let code: Hold.Code =
        switch hold.code {
        case .order: .order
        case .schema: .schema
        case .policy: .policy
        case .budget: .budget
        }
      return Hold(code, at: hold.id, seconds: hold.seconds)
    }
    page.entries = entries.entries(after: position ?? Head(empty: journal))
    page.head = head?.head
    return page
  }

  /// The reasons of refusals.
  var reasons: [(id: EntryID, text: String)] { entries.compactMap(\.reason) }
}

/// A floor and verdicts.
struct WireSnapshot: Codable {
  private let generations: WireLineage
  private let head: WireHead
  private let state: String
  private let lines: [WireLine]

  init(_ fetched: Fetched<SyncedList>) {
    (generations, head, lines) = (WireLineage(fetched.lineage), WireHead(fetched.floor.head), fetched.lines.map(WireLine.init))
    state = String(decoding: fetched.floor.state.data, as: UTF8.self)
  }

  var fetched: Fetched<SyncedList> {
    Fetched(
      generations.lineage, floor: Floor(head: head.head, state: SyncedList(initial: Data(state.utf8))), lines: lines.map(\.line))
  }
}

/// An answer of the server. A body that a device must keep is a page or a snapshot.
struct WireAnswer: Codable {
  var page: WirePage?
  var snapshot: WireSnapshot?
  var generations: WireLineage?
}
