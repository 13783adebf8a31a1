import Alter
import AlterSyncCore
import AlterTesting
import Foundation
import StoreTesting
import SyncModel

/// The state of these tests: notes, and slots that can be claimed once.
struct Desk: Journaled, Hashable {
  enum Change: Hashable, Codable {
    case note(String)
    case claim(Int)
    case mark
  }
  typealias Failure = Refusal

  private(set) var notes: [String] = []
  private(set) var slots: [Int] = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .note(let text): notes.append(text)
    case .claim(let slot):
      guard !slots.contains(slot) else { throw .duplicate("slot", "\(slot)") }
      slots.append(slot)
    case .mark: notes.append("\(stamp.uuid()) \(stamp.time)")
    }
  }

  static func bytes(_ changes: [Change]) -> Data { (try? JournalCoding.encode(changes)) ?? Data() }
  static var empty: Data { (try? JournalCoding.encode(Desk())) ?? Data() }
}

/// The desk as a server and the oracle hold it.
struct ServedDesk: SyncState {
  var desk: Desk

  init(initial: Data) { desk = (try? JournalCoding.decode(from: initial)) ?? Desk() }

  var bytes: StateBytes { StateBytes((try? JournalCoding.encode(desk)) ?? Data(), schema: 1) }

  mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError) {
    guard let changes = try? JournalCoding.decode([Desk.Change].self, from: payload) else { throw .undecodable }
    do { desk = try desk.alter(changes, at: stamp) } catch { throw .refused("\(error)") }
  }
}

/// A server in memory: one process over one database.
struct DeskServer {
  struct Policy: LedgerPolicy {
    func mayRead(_ principal: Principal) -> Bool { true }
    func mayWrite(_ principal: Principal) -> Bool { true }
    func grants(_ scope: UndoScope, to principal: Principal) -> Bool { scope != "secret" }
    func permit(_ principal: Principal, _ draft: SyncDraft, in state: ServedDesk, arrival: Int64) -> Permission {
      if case .changes(let payload) = draft.content, payload.count % 7 == 0 { .denied("unlucky") } else { .permitted }
    }
  }

  var database: Ledger<ServedDesk>
  private var process: ServerProcess<ServedDesk>
  private var arrival: Int64 = 0

  init(window: Int = 100, limits: SyncLimits = SyncLimits()) {
    database = Ledger(
      JournalID(Origin.test(200).uuid), lineage: Lineage(Generation(1)),
      initial: .initial(EntryID(origin: .test(200), sequence: 1), Desk.empty), window: window)
    process = ServerProcess(database, limits: limits)
  }

  mutating func answer(_ request: Request) -> Answer {
    arrival += 1
    process.refill()
    var answer = process.begin(request, token: request.principal, arrival: arrival, policy: Policy(), database: database)
    while answer == nil { answer = process.commit(to: &database, policy: Policy()) }
    return answer ?? .notUnderstood
  }

  /// Puts an earlier database back.
  mutating func restore(_ earlier: Ledger<ServedDesk>) { database = earlier }
}
