import AlterJournal
import AlterStore
import AlterSyncCore
import AlterSyncServer
import StockModel

/// Every tenth slot is reserved.
struct PeerPolicy: JournalPolicy {
  func mayRead(_ principal: Principal) async throws -> Bool { true }
  func mayWrite(_ principal: Principal) async throws -> Bool { true }

  func permit(_ principal: Principal, _ record: Record<Stock>, in state: Stock, arrival: Int64) async throws -> Permission {
    guard case .changes(let changes) = record.kind else { return .permitted }
    let isReserved = changes.contains { if case .claim(let slot) = $0 { slot % 10 == 9 } else { false } }
    return isReserved ? .denied("the slot is reserved") : .permitted
  }
}
