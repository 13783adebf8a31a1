import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The number of accepted drafts: the state of the server of a device. It is its own JSON.
package struct Count: SyncState {
  package var number = 0

  package init(initial: Data) { number = Int(String(decoding: initial, as: UTF8.self)) ?? 0 }

  package var bytes: StateBytes { StateBytes(Data("\(number)".utf8), schema: 1) }

  package mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError) {
    guard stamp.sequence % 3 != 0 else { throw .refused("every third draft") }
    number += 1
  }
}

/// A server in memory that refuses every third draft of an origin.
package struct DeviceServer {
  private struct Policy: LedgerPolicy {
    func mayRead(_ principal: Principal) -> Bool { true }
    func mayWrite(_ principal: Principal) -> Bool { true }
    func grants(_ scope: UndoScope, to principal: Principal) -> Bool { true }
    func permit(_ principal: Principal, _ draft: SyncDraft, in state: Count, arrival: Int64) -> Permission { .permitted }
  }

  package private(set) var database: Ledger<Count>
  private var process: ServerProcess<Count>
  private var others = Drafts()

  package init() {
    let origin = Origin.random()
    database = Ledger(
      JournalID(origin.uuid), lineage: Lineage(Generation(1)), initial: .initial(EntryID(origin: origin, sequence: 1), Data("0".utf8)),
      window: 2)
    process = ServerProcess(database, limits: SyncLimits())
  }

  /// Decides a request.
  package mutating func answer(_ request: Request) -> Answer {
    process.refill()
    var answer = process.begin(request, token: request.principal, arrival: 1, policy: Policy(), database: database)
    while answer == nil { answer = process.commit(to: &database, policy: Policy()) }
    return answer ?? .notUnderstood
  }

  /// Adds another device's entries, and removes all entries before them, so that the device needs a new floor.
  ///
  /// - Returns: Whether the journal was compacted.
  package mutating func compact() throws -> Bool {
    let base = database.head.revision
    for draft in others.next(9) where draft.id.sequence % 3 != 0 {
      database.append(.draft(try SyncDraft(draft)), by: Principal("ben"), receipt: nil)
    }
    return database.compact(to: base.next)
  }
}
