import Alter
import AlterStore
import AlterSyncCore
import AlterSyncServer
import Foundation
import StockModel
import StoreTesting
import SyncModel

/// The same state as the rules' own ledger holds it.
struct LedgerStock: SyncState {
  var stock: Stock

  init(initial: Data) { stock = (try? JournalCoding.decode(from: initial)) ?? Stock() }

  var bytes: StateBytes { StateBytes((try? JournalCoding.encode(stock)) ?? Data(), schema: 1) }

  mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError) {
    guard let changes = try? JournalCoding.decode([Stock.Change].self, from: payload) else { throw .undecodable }
    do { stock = try stock.alter(changes, at: stamp) } catch { throw .refused("\(error)") }
  }
}

/// A policy: no one claims the slot 9, the scope 'secret' is not granted, and the readers and writers are named.
final class StockPolicy: JournalPolicy {
  struct Down: Error {}

  /// Whether its database is down.
  let isDown = Lock(false)
  /// Runs before each answer about a change.
  let pause = Lock<(@Sendable (EntryID) async throws -> Void)?>(nil)
  /// The reason of a denial.
  let reason = Lock("the slot is reserved")
  let readers: Set<Principal>
  /// The scopes that are granted; nil for all but 'secret'.
  let scopes: Set<UndoScope>?

  init(readers: Set<Principal> = [.ann, .bob, .server], scopes: Set<UndoScope>? = nil) { (self.readers, self.scopes) = (readers, scopes) }

  func mayRead(_ principal: Principal) -> Bool { readers.contains(principal) }
  func mayWrite(_ principal: Principal) -> Bool { readers.contains(principal) }
  func grants(_ scope: UndoScope, to principal: Principal) -> Bool { scopes?.contains(scope) ?? (scope != "secret") }

  func permit(
    _ principal: Principal, _ changes: [Stock.Change], of record: Record<Stock>, in state: Stock, arrival: Int64
  ) async throws -> Permission {
    if isDown.withLock({ $0 }) { throw Down() }
    if let pause = pause.withLock({ $0 }) { try await pause(record.id) }
    guard changes.contains(.claim(9)) else { return .permitted }
    return .denied(reason.withLock { $0 })
  }
}

/// The same policy for the rules' own ledger.
struct LedgerStockPolicy: LedgerPolicy {
  func mayRead(_ principal: Principal) -> Bool { true }
  func mayWrite(_ principal: Principal) -> Bool { true }
  func grants(_ scope: UndoScope, to principal: Principal) -> Bool { scope != "secret" }

  func permit(_ principal: Principal, _ draft: SyncDraft, in state: LedgerStock, arrival: Int64) -> Permission {
    guard case .changes(let payload) = draft.content,
      let changes = try? JournalCoding.decode([Stock.Change].self, from: payload), changes.contains(.claim(9))
    else { return .permitted }
    return .denied("the slot is reserved")
  }
}

extension Principal {
  static let ann = Principal("ann")
  static let bob = Principal("bob")
}

extension EntryID {
  init(_ origin: UInt8, _ sequence: Int64) { self.init(origin: .test(origin), sequence: sequence) }
}

extension SyncDraft {
  init(_ origin: UInt8, _ sequence: Int64, _ changes: Stock.Change..., scope: UndoScope = .journal, schema: Int = 1) {
    self.init(
      id: EntryID(origin, sequence), time: 0, scope: scope, schema: schema, content: .changes(Stock.bytes(changes)))
  }
}
