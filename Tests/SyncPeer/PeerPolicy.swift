import AlterJournal
import AlterStore
import AlterSyncCore
import AlterSyncServer
import StockModel

/// Every tenth slot is reserved.
struct PeerPolicy: JournalPolicy {
  func mayRead(_ principal: Principal) async throws -> Bool { true }
  func mayWrite(_ principal: Principal) async throws -> Bool { true }

  func grants(_ scope: UndoScope, to principal: Principal) async throws -> Bool { true }

  func permit(
    _ principal: Principal, _ changes: [Stock.Change], of record: Record<Stock>, in state: Stock, arrival: Int64
  ) async throws -> Permission {
    let isReserved = changes.contains { if case .claim(let slot) = $0 { slot % 10 == 9 } else { false } }
    return isReserved ? .denied("the slot is reserved") : .permitted
  }
}
