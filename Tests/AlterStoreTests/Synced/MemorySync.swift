import Alter
import AlterSyncCore
import Foundation
import StoreTesting
import SyncModel

@testable import AlterStore

/// Devices and a server in one process: each device has a file and an engine, and the network answers at once, or never.
final class MemorySync: Sendable {
  struct Device {
    var file: DeviceFile<SyncedBoard>
    /// The file after each transaction, and the news of the transaction.
    var log: [(news: MirrorNews<Board>, file: DeviceFile<SyncedBoard>)] = []
    var engine = Engine()
    var isOnline = true
    /// The set timer.
    var timer: Int?
    var link: SyncLink?
    /// An error of the disk, which the next transactions throw.
    var failure: JournalError?
    /// Errors of the next waits for news.
    var waitFailures: [JournalError] = []
    /// Drafts with this text cannot be stored.
    var unencodable: String?
  }

  struct Contents {
    var database: Ledger<SyncedBoard>
    var process: ServerProcess<SyncedBoard>
    var devices: [Device] = []
    var policy = Policy()
  }

  struct Policy: LedgerPolicy {
    /// The denied changes.
    var denied: Set<Data> = []

    func mayRead(_ principal: Principal) -> Bool { true }
    func mayWrite(_ principal: Principal) -> Bool { true }
    func grants(_ scope: UndoScope, to principal: Principal) -> Bool { true }
    func permit(_ principal: Principal, _ draft: SyncDraft, in state: SyncedBoard, arrival: Int64) -> Permission {
      if case .changes(let payload) = draft.content, denied.contains(payload) { .denied("not now") } else { .permitted }
    }
  }

  let contents: Lock<Contents>
  let counts: [EventCount<Int64>]
  private static let ann = Principal("ann")

  init(devices: Int = 1, window: Int = 100, schemas: [Int] = []) {
    let database = Ledger<SyncedBoard>(
      JournalID(Origin.test(200).uuid), lineage: Lineage(Generation(1)),
      initial: .initial(EntryID(origin: .test(200), sequence: 1), Data([7])),
      window: window, schema: 2)
    var contents = Contents(database: database, process: ServerProcess(database, limits: SyncLimits()))
    for number in 0..<devices {
      let schema = number < schemas.count ? schemas[number] : 1
      contents.devices.append(Device(file: DeviceFile(Self.ann, initial: Data([1]), schema: schema, window: window)))
    }
    self.contents = Lock(contents)
    counts = (0..<devices).map { EventCount(journal: "device \($0)") }
  }

  /// Changes something, lets the engines exchange until nothing more happens, and wakes the stores.
  func perform<Result>(_ body: (inout Contents) throws -> Result) rethrows -> Result {
    let (result, transactions) = try contents.withLock { contents in
      let result = try body(&contents)
      contents.settle()
      return (result, contents.devices.map(\.log.count))
    }
    for (count, transaction) in zip(counts, transactions) { count.advance(to: Int64(transaction)) }
    return result
  }

  /// Adds an answer of the server itself.
  func answer(_ draft: SyncDraft) {
    perform { contents in
      let request = Request(
        .push([Submission(.draft(draft), after: nil)]), position: contents.database.head, principal: .server,
        generation: contents.database.generation)
      var answer = contents.process.begin(request, token: .server, arrival: 0, policy: contents.policy, database: contents.database)
      while answer == nil { answer = contents.process.commit(to: &contents.database, policy: contents.policy) }
    }
  }

  func setOnline(_ isOnline: Bool, device: Int = 0) {
    perform { contents in
      contents.devices[device].isOnline = isOnline
      if isOnline { contents.handle(.nudged, on: device) }
    }
  }
}

extension MemorySync.Contents {
  /// Performs a transaction of a device's file.
  mutating func transact(_ device: Int, _ body: (inout DeviceFile<SyncedBoard>) -> Void) {
    let before = devices[device].file
    body(&devices[device].file)
    devices[device].log.append((MirrorNews(from: before, to: devices[device].file), devices[device].file))
  }

  /// Starts the engine of a device.
  mutating func start(_ device: Int) { if devices[device].engine.phase == .new { handle(.start, on: device) } }

  mutating func handle(_ event: EngineEvent, on device: Int) {
    let file = devices[device].file
    let situation = Situation(
      hasUndecided: file.outbox.hasUndecided, awaitsEntries: !file.outbox.isEmpty && !file.outbox.hasUndecided,
      isOutdated: file.isOutdated)
    guard let commands = try? devices[device].engine.handle(event, in: situation) else {
      preconditionFailure("\(event) is illegal while the engine is \(devices[device].engine.phase).")
    }
    var following: [EngineEvent] = []
    for command in commands {
      switch command {
      case .takeLock: following.append(.lockGranted)
      case .send(let number, let exchange): following.append(send(exchange, number, from: device))
      case .setTimer(let number, _): devices[device].timer = number
      case .cancelTimer: devices[device].timer = nil
      case .openStream: if devices[device].isOnline { following.append(.streamOpened) }
      case .refreshToken: following.append(.tokenRefreshed)
      case .report(let link): devices[device].link = link
      case .releaseLock, .cancel, .closeStream: break
      }
    }
    for event in following { handle(event, on: device) }
  }

  private mutating func send(_ exchange: EngineCommand.Exchange, _ number: Int, from device: Int) -> EngineEvent {
    let file = devices[device].file
    guard devices[device].isOnline else { return .failed(number) }
    let body: Request.Body =
      switch exchange {
      case .pull: .pull
      case .push: .push(file.submissions(limits: process.limits))
      case .probe: .push(Array(file.submissions(limits: process.limits).prefix(1)))
      case .fetch: .fetch(file.questions)
      }
    let request = Request(
      body, position: file.mirror?.head, floor: file.floor, principal: file.principal, generation: file.generation,
      known: file.newestKnown, hint: Hint(database.generation, database.head))
    var answer = process.begin(request, token: file.principal, arrival: 0, policy: policy, database: database)
    while answer == nil { answer = process.commit(to: &database, policy: policy) }
    guard let answer else { return .failed(number) }
    var reply = Reply.notUnderstood
    transact(device) { reply = $0.absorb(answer, to: request) }
    return .replied(number, reply)
  }

  /// Announces heads until every device that is online has the newest one.
  mutating func settle() {
    for _ in 0..<100 {
      let behind = devices.indices.filter { index in
        let device = devices[index]
        return device.isOnline && device.engine.phase == .resting
          && (device.file.mirror?.head != database.head || device.file.generation != database.generation)
      }
      if behind.isEmpty { return }
      for device in behind { handle(.hinted, on: device) }
    }
  }
}

/// A store's handle on the file of a device.
struct MemorySyncedJournal: MirrorJournal {
  typealias State = Board

  let sync: MemorySync
  let device: Int
  var name: String { "device \(device)" }

  init(_ sync: MemorySync, device: Int = 0) { (self.sync, self.device) = (sync, device) }

  func floor() async throws(JournalError) -> Revision? { nil }

  func entries(in range: ClosedRange<Revision>) async throws(JournalError) -> [Record<Board>] {
    throw .noSuchRevision(name, range.lowerBound, head: .zero)
  }

  func state(at revision: Revision, refused: RefusedAtReplay) async throws(JournalError) -> Board {
    throw .noSuchRevision(name, revision, head: .zero)
  }

  func head(at revision: Revision, of journal: JournalID) async throws(JournalError) -> Head? { nil }

  func open(as origin: Origin) async throws(JournalError) -> MirrorTidings<Board> {
    sync.perform { contents in
      contents.devices[device].file.open(as: origin)
      contents.start(device)
      let device = contents.devices[device]
      return Self.tidings([MirrorNews(from: nil, to: device.file)], device)
    }
  }

  private static func tidings(_ news: [MirrorNews<Board>], _ device: MemorySync.Device) -> MirrorTidings<Board> {
    let refusals = device.file.refusals.map {
      RefusedChange(Record($0.draft), code: $0.code.rawValue, requires: $0.draft.requires)
    }
    return MirrorTidings(news: news, transaction: Int64(device.log.count), refusals: refusals)
  }

  func tidings(after transaction: Int64) async throws(JournalError) -> MirrorTidings<Board> {
    sync.contents.withLock { contents in
      let device = contents.devices[device]
      return Self.tidings(device.log.dropFirst(Int(transaction)).map(\.news), device)
    }
  }

  func whole(at transaction: Int64) async throws(JournalError) -> MirrorNews<Board> {
    sync.contents.withLock { contents in
      let (news, file) = contents.devices[device].log[Int(transaction) - 1]
      var whole = MirrorNews(from: nil, to: file)
      (whole.decided, whole.entering) = (news.decided, news.entering)
      return whole
    }
  }

  func wait(past transaction: Int64, of _: @escaping @Sendable () -> Store<State>?) async throws(JournalError) {
    let failure = sync.contents.withLock { contents -> JournalError? in
      contents.devices[device].waitFailures.isEmpty ? nil : contents.devices[device].waitFailures.removeFirst()
    }
    if let failure { throw failure }
    try await sync.counts[device].wait(past: transaction)
  }

  func enqueue(_ drafts: [MirrorNews<Board>.Entering], retrying refused: [EntryID: EntryID]) async throws(JournalError) {
    let error: JournalError? = sync.perform { contents in
      if let failure = contents.devices[device].failure { return failure }
      if let text = contents.devices[device].unencodable, drafts.contains(where: { $0.record.kind.changes == [.note(text)] }) {
        return JournalError(.unencodable, journal: name, message: "can't hold '\(text)'.")
      }
      let file = contents.devices[device].file
      for draft in drafts {
        guard let old = refused[draft.record.id], !file.outbox.ids.contains(draft.record.id), file.mirror?[draft.record.id] == nil else {
          continue
        }
        if !file.refusals.contains(where: { $0.draft.id == old }) { return .settledElsewhere(name, old) }
      }
      contents.transact(device) { file in
        for draft in drafts where !file.outbox.ids.contains(draft.record.id) && file.mirror?[draft.record.id] == nil {
          if let old = refused[draft.record.id], file.retry(old, as: draft.record.id) != nil { continue }
          file.makeUnchecked(draft.record.draft(requires: draft.requirement, schema: file.schema))
        }
      }
      contents.handle(.drafted, on: device)
      return nil
    }
    if let error { throw error }
  }

  func dismiss(_ ids: [EntryID]) async throws(JournalError) {
    sync.perform { contents in contents.transact(device) { file in for id in ids { file.dismiss(id) } } }
  }

  func compact(
    keeping range: CompactionRange, leaving window: Int, refused: RefusedAtReplay
  ) async throws(JournalError) -> CompactionPlan {
    throw JournalError(.failed, journal: name, message: "can't be compacted: it is in memory.")
  }

  func close() async {}
}

extension Record<Board>.Kind {
  /// The changes of a batch.
  var changes: [Board.Change]? { if case .changes(let changes) = self { changes } else { nil } }
}
