import Alter
import AlterStore
import AlterSyncCore
import AlterSyncServer
import Foundation

/// The state of the rounds: items, and slots that one change can claim, so that offline devices are refused now and then.
struct Stock: Journaled, Hashable {
  enum Change: Hashable, Codable {
    case add(String)
    case mark(UUID)
    case remove(UUID)
    case claim(Int)
  }
  typealias Failure = Refusal

  private(set) var items: [UUID: Int] = [:]
  private(set) var slots: Set<Int> = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add: items[stamp.uuid()] = 0
    case .mark(let id):
      guard let marks = items[id] else { throw .missing("item", "\(id)") }
      items[id] = marks + 1
    case .remove(let id): guard items.removeValue(forKey: id) != nil else { throw .missing("item", "\(id)") }
    case .claim(let slot): guard slots.insert(slot).inserted else { throw .duplicate("slot", "\(slot)") }
    }
  }
}

/// Every tenth slot is reserved.
struct StockPolicy: JournalPolicy {
  func mayRead(_ principal: Principal) async throws -> Bool { true }
  func mayWrite(_ principal: Principal) async throws -> Bool { true }

  func permit(_ principal: Principal, _ record: Record<Stock>, in state: Stock, arrival: Int64) async throws -> Permission {
    guard case .changes(let changes) = record.kind else { return .permitted }
    let isReserved = changes.contains { if case .claim(let slot) = $0 { slot % 10 == 9 } else { false } }
    return isReserved ? .denied("the slot is reserved") : .permitted
  }
}
