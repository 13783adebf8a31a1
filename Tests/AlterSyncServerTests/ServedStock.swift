import Alter
import AlterJournal
import AlterStore
import AlterSyncCore
import AlterSyncServer
import Foundation
import StockModel
import SyncModel

/// A served journal with its initial entry, and the rules' own ledger of the same journal.
struct ServedStock {
  static let lineage = Lineage(Generation(7), former: [Generation(3)])
  static let secret: (UInt64, UInt64) = (0x7365_6372, 0x6574)

  /// Writes the initial entry and makes a server the journal's only writer.
  static func begin(_ journal: some ServerJournal, schema: Int = 1) async throws {
    let initial = Entry.Draft(kind: .initial, id: EntryID(200, 1), time: 0, payload: Stock.empty)
    _ = try await journal.append([initial], after: try await journal.head())
    try await journal.serve(lineage, schema: schema)
  }

  static func ledger(_ id: JournalID, window: Int, schema: Int = 1) -> Ledger<LedgerStock> {
    Ledger(id, lineage: lineage, initial: .initial(EntryID(200, 1), Stock.empty), window: window, schema: schema)
  }

  static func server(
    _ journal: any ServerJournal, policy: StockPolicy = StockPolicy(), _ configure: (inout JournalServer<Stock>.Options) -> Void = { _ in }
  ) -> JournalServer<Stock> {
    var options = JournalServer<Stock>.Options(secret: secret)
    // A test may have to wait for a processor for minutes.
    (options.pushTime, options.policyTime) = (.seconds(86_400), .seconds(86_400))
    configure(&options)
    return JournalServer(journal, policy: policy, options: options)
  }
}

/// A device that knows nothing and asks for everything.
struct Asker {
  let principal: Principal
  var position: Head?
  var generation: Generation?
  private(set) var arrival: Int64 = 0

  init(_ principal: Principal = .ann) { self.principal = principal }

  func request(_ body: Request.Body, floor: Revision = .zero) -> Request {
    Request(body, position: position, floor: floor, principal: principal, generation: generation)
  }

  /// Pushes drafts in order.
  mutating func push(_ drafts: [SyncDraft], to server: JournalServer<Stock>, at arrival: Int64 = 1) async throws -> Page {
    let answer = try await server.answer(request(.push(Self.submissions(drafts))), from: principal, arrival: arrival)
    guard case .page(let page) = answer else { throw Unexpected(answer: "\(answer)") }
    return page
  }

  mutating func pull(_ server: JournalServer<Stock>) async throws -> Page {
    let answer = try await server.answer(request(.pull), from: principal, arrival: 1)
    guard case .page(let page) = answer else { throw Unexpected(answer: "\(answer)") }
    for entry in page.entries {
      guard position.map(entry.follows) ?? true else { throw Unexpected(answer: "a broken chain at \(entry.revision)") }
      position = Head(journal: page.journal, revision: entry.revision, checksum: entry.checksum)
    }
    return page
  }

  static func submissions(_ drafts: [SyncDraft]) -> [Submission] {
    var after: EntryID?
    return drafts.map { draft in
      defer { after = draft.id }
      return Submission(.draft(draft), after: after)
    }
  }
}

struct Unexpected: Error { let answer: String }
