import Alter
import AlterSyncCore
import AlterTesting
import Foundation
import StoreTesting
import SyncModel

@testable import AlterStore

/// Devices with several processes each, one server with two processes, and one journal, in an order that a seed decides.
///
/// The device's file is the oracle: after each step the replica of a process equals the naive view of the file that it has seen, with the
/// process's unwritten work on top.
struct SyncedSimulation {
  struct Device {
    var file: DeviceFile<SyncedBoard>
    /// The file after each transaction, and the news of the transaction.
    var log: [(news: MirrorNews<Board>, file: DeviceFile<SyncedBoard>)] = []
    /// The newest revision of which the device knows.
    var hinted = Revision.zero
  }

  /// A process that has opened a device's file.
  struct Handle {
    let device: Int
    var replica: Replica<Board>
    /// The number of transactions that it has seen.
    var seen: Int
    /// The file as it has seen it.
    var file: DeviceFile<SyncedBoard>
    /// The number of transactions that it must have seen before it writes again.
    var written = 0
    var wantsSteps: Bool
    var resolved: [EntryID: Replica<Board>.Resolution] = [:]
    var stored: Set<EntryID> = []
    var made: Set<EntryID> = []
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// The events of a run, which show that the schedules had an effect.
  struct Tally {
    var counts: [String: Int] = [:]
    mutating func count(_ event: String) { counts[event, default: 0] += 1 }
  }

  private struct Policy: LedgerPolicy {
    func mayRead(_ principal: Principal) -> Bool { true }
    func mayWrite(_ principal: Principal) -> Bool { true }
    func grants(_ scope: UndoScope, to principal: Principal) -> Bool { true }
    func permit(_ principal: Principal, _ draft: SyncDraft, in state: SyncedBoard, arrival: Int64) -> Permission {
      draft.id.sequence % 5 == 4 && draft.retries == nil ? .denied("unlucky") : .permitted
    }
  }

  var generator: SeededGenerator
  var database: Ledger<SyncedBoard>
  var past: [Ledger<SyncedBoard>] = []
  var processes: [ServerProcess<SyncedBoard>]
  var devices: [Device] = []
  var handles: [Handle] = []
  var nextOrigin: UInt8 = 1
  var generations: UInt64 = 1
  var hasRestarted = false
  var tally = Tally()
  let window: Int
  private let ann = Principal("ann")
  private let policy = Policy()

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    window = [3, 8, 100][Int(seed % 3)]
    database = Ledger(
      JournalID(Origin.test(200).uuid), lineage: Lineage(Generation(1)),
      initial: .initial(EntryID(origin: .test(200), sequence: 1), Data([7])),
      window: window, schema: 2)
    var limits = SyncLimits()
    (limits.draftsPerPush, limits.entriesPerPage) = (4, 5)
    processes = [ServerProcess(database, limits: limits), ServerProcess(database, limits: limits)]
    for number in 0..<(1 + generator.below(3)) {
      devices.append(Device(file: DeviceFile(ann, initial: Data([1]), schema: number == 2 ? 1 : 2, window: window)))
      try open(number)
    }
  }

  // MARK: - Steps

  mutating func run(steps: Int) throws {
    for _ in 0..<steps { try step() }
    try drain()
  }

  private mutating func step() throws {
    let index = generator.below(handles.count)
    let device = handles[index].device
    switch generator.below(40) {
    case 0..<12: try make(index)
    case 12..<15: try undo(index, redo: generator.oneIn(3))
    case 15..<21: write(index)
    case 21..<29: try read(index)
    case 29..<36: try exchange(device)
    case 36 where nextOrigin < 100 && handles.count < 6:
      tally.count("opened")
      try open(device)
    case 36 where nextOrigin < 100:
      // A process dies: its unwritten work is lost.
      tally.count("died")
      handles.remove(at: index)
      try open(device)
    case 37:
      if !generator.oneIn(3) { retry(index) } else { dismiss(device) }
    case 38:
      let floor = database.floor.head.revision
      let revision = floor + generator.below(database.head.revision - floor + 1)
      if database.compact(to: revision) { tally.count("compacted") }
    default: try rare(device)
    }
  }

  private mutating func rare(_ device: Int) throws {
    switch generator.below(4) {
    case 0 where devices.count < 4 && nextOrigin < 100:
      tally.count("copied file")
      devices.append(Device(file: devices[device].file))
      try open(devices.count - 1)
    case 1 where !past.isEmpty:
      tally.count("restored")
      hasRestarted = true
      let schema = database.schema
      database = past.remove(at: generator.below(past.count))
      past.removeAll { $0.head.revision >= database.head.revision }
      generations += 1
      database.begin(Generation(generations))
      database.schema = schema
    case 2 where devices[device].file.schema == 1:
      // An upgraded app: all its processes begin again.
      tally.count("upgraded")
      handles.removeAll { $0.device == device }
      devices[device].file.upgrade(to: 2)
      try open(device)
    default: break
    }
  }

  private mutating func open(_ device: Int) throws {
    let origin = Origin.test(nextOrigin)
    nextOrigin += 1
    devices[device].file.open(as: origin)
    let file = devices[device].file
    var replica = Replica<Board>(
      synced: SyncedBoard.initial(file.initial), window: window, origin: origin, scope: nextOrigin % 3 == 0 ? "own" : .journal, limit: 20,
      flightLimit: 3)
    var report = Replica<Board>.Report()
    try absorb(MirrorNews(from: nil, to: file), file, into: &replica, wantsSteps: false, &report)
    replica.rebase(into: &report)
    handles.append(
      Handle(device: device, replica: replica, seen: devices[device].log.count, file: file, wantsSteps: generator.oneIn(2)))
    try check(handles.count - 1)
  }

  private mutating func make(_ index: Int) throws {
    let changes = (0...generator.below(2)).map { _ in Board.Change.random(using: &generator) }
    let pending = handles[index].replica.undecided.map(\.record.id)
    let known = pending.randomElement(using: &generator)
    let before = handles[index].replica.state
    do {
      let record = try handles[index].replica.change(
        .changes(changes), cause: generator.oneIn(5) ? known.map { .answer(to: $0, using: &generator) } : nil,
        requirement: generator.oneIn(4) ? known : nil, now: 5)
      handles[index].made.insert(record.id)
    } catch {
      guard handles[index].replica.state == before else { throw Failure("a refused change has changed the state") }
      tally.count("refused at once")
    }
    try check(index)
  }

  private mutating func undo(_ index: Int, redo: Bool) throws {
    let before = handles[index].replica.state
    do {
      let sequence = handles[index].replica.sequence
      let last = try handles[index].replica.undo(redo: redo, now: 5).id
      if last.sequence > sequence + 1 { tally.count("passed over") }
      for made in (sequence + 1)...last.sequence { handles[index].made.insert(EntryID(origin: last.origin, sequence: made)) }
      tally.count(redo ? "redo" : "undo")
    } catch {
      guard handles[index].replica.state == before else { throw Failure("a refused undo has changed the state") }
    }
    try check(index)
  }

  /// Performs a transaction of a device's file.
  private mutating func transact(_ device: Int, _ body: (inout DeviceFile<SyncedBoard>) -> Void) {
    let before = devices[device].file
    body(&devices[device].file)
    let after = devices[device].file
    devices[device].log.append((MirrorNews(from: before, to: after), after))
  }

  /// Puts unwritten work into the outbox.
  private mutating func write(_ index: Int) {
    let handle = handles[index]
    guard handle.seen >= handle.written else { return }
    var works = handles[index].replica.takeUnqueued()[...]
    guard !works.isEmpty else { return }
    works = works.prefix(1 + generator.below(works.count))
    transact(handle.device) { file in
      for work in works {
        file.makeUnchecked(work.record.draft(requires: work.requirement, schema: file.schema))
      }
    }
    handles[index].written = devices[handle.device].log.count
  }

  private mutating func retry(_ index: Int) {
    guard handles[index].seen >= handles[index].written else { return }
    let device = handles[index].device
    guard let refused = devices[device].file.refusals.randomElement(using: &generator)?.draft.id else { return }
    // Nothing is unwritten, so that the sequences of the outbox ascend.
    guard handles[index].replica.unwrittenCount == 0 else { return }
    handles[index].replica.sequence += 1
    let id = EntryID(origin: handles[index].replica.origin, sequence: handles[index].replica.sequence)
    tally.count("retried")
    transact(device) { _ = $0.retry(refused, as: id) }
    handles[index].written = devices[device].log.count
    handles[index].made.insert(id)
  }

  private mutating func dismiss(_ device: Int) {
    guard let refused = devices[device].file.refusals.randomElement(using: &generator)?.draft.id else { return }
    transact(device) { $0.dismiss(refused) }
  }

  // MARK: - The network

  private mutating func exchange(_ device: Int, isEnding: Bool = false) throws {
    let file = devices[device].file
    let submissions = file.submissions(limits: processes[0].limits)
    let reply = try send(submissions.isEmpty ? .pull : .push(submissions), from: device, isEnding: isEnding)
    switch reply {
    case .gone, .diverged(isRestart: true):
      tally.count(reply == .gone ? "below the floor" : "restarted")
      _ = try send(.fetch(devices[device].file.questions), from: device, isEnding: isEnding)
    default: break
    }
  }

  private mutating func send(_ body: Request.Body, from device: Int, isEnding: Bool) throws -> Reply? {
    let file = devices[device].file
    let request = Request(
      body, position: file.mirror?.head, floor: file.floor, principal: ann, generation: file.generation,
      known: file.newestKnown, hint: isEnding ? Hint(database.generation, database.head) : nil)
    let process = generator.below(2)
    var answer = processes[process].begin(request, token: ann, arrival: 0, policy: policy, database: database)
    if answer == nil {
      let before = database
      while answer == nil { answer = processes[process].commit(to: &database, policy: policy) }
      if before.head != database.head { past.append(before) }
    }
    processes[process].refill()
    guard var answer else { return nil }
    if !isEnding {
      if generator.oneIn(6) { return nil }  // lost
      if case .page(let page) = answer, generator.oneIn(5) { answer = .page(page.cut(after: generator.below(4))) }
    }
    var reply: Reply?
    transact(device) { reply = $0.absorb(answer, to: request) }
    return reply
  }

  // MARK: - Reading

  private func absorb(
    _ news: MirrorNews<Board>, _ file: DeviceFile<SyncedBoard>, into replica: inout Replica<Board>, wantsSteps: Bool,
    _ report: inout Replica<Board>.Report
  ) throws {
    do throws(Replica<Board>.Obstacle) {
      try replica.absorb(news, wantsSteps: wantsSteps, into: &report)
    } catch {
      var whole = MirrorNews(from: nil, to: file)
      (whole.decided, whole.entering) = (news.decided, news.entering)
      try replica.absorb(whole, wantsSteps: wantsSteps, into: &report)
    }
  }

  private mutating func read(_ index: Int, isEnding: Bool = false) throws {
    let log = devices[handles[index].device].log
    let behind = log.count - handles[index].seen
    guard behind > 0 else { return }
    let count = isEnding ? behind : 1 + generator.below(behind)
    let some = log[handles[index].seen..<(handles[index].seen + count)]
    var report = Replica<Board>.Report()
    if generator.oneIn(2) {
      for (news, file) in some {
        try absorb(news, file, into: &handles[index].replica, wantsSteps: handles[index].wantsSteps, &report)
      }
      handles[index].replica.rebase(into: &report)
    } else {
      // As the store does it: on a copy, while the original accepts changes.
      var copy = handles[index].replica.copied()
      for (news, file) in some { try absorb(news, file, into: &copy, wantsSteps: handles[index].wantsSteps, &report) }
      try work(index, isEnding)
      copy.rebase(into: &report)
      if generator.oneIn(2), copy.pending.hasNewGround {
        copy.follow(handles[index].replica.made(after: copy.sequence), into: &report)
        try work(index, isEnding)
      }
      handles[index].replica.trade(with: &copy, into: &report)
    }
    handles[index].seen += count
    handles[index].file = log[handles[index].seen - 1].file
    try take(report, by: index)
    try check(index)
  }

  private mutating func work(_ index: Int, _ isEnding: Bool) throws {
    guard !isEnding else { return }
    for _ in 0..<generator.below(3) {
      if generator.oneIn(4) { try undo(index, redo: generator.oneIn(2)) } else { try make(index) }
    }
  }

  private mutating func take(_ report: Replica<Board>.Report, by index: Int) throws {
    let handle = handles[index]
    for id in report.stored {
      guard handles[index].stored.insert(id).inserted else { throw Failure("\(id) was stored twice") }
    }
    for resolution in report.resolutions where resolution.id.origin == handle.replica.origin {
      guard handles[index].resolved.updateValue(resolution, forKey: resolution.id) == nil else {
        throw Failure("\(resolution.id) was resolved twice")
      }
      if case .failure = resolution.result { tally.count("refused") } else { tally.count("accepted") }
    }
    tally.count(report.isRebased ? "rebased" : "not rebased")
    // The last state that an observer sees is the confirmed one.
    if handle.wantsSteps, let last = report.steps.last, last.record.revision == handle.replica.history.records.last?.revision {
      guard last.state == handle.replica.history.state else { throw Failure("an observer sees another state") }
    }
  }

  // MARK: - The oracle

  private mutating func check(_ index: Int) throws {
    let handle = handles[index]
    var file = handle.file
    let replica = handle.replica
    let unwritten = replica.pending.unwritten
    for work in unwritten { file.makeUnchecked(work.record.draft(requires: work.requirement, schema: file.schema)) }
    let view = file.view()
    let beyond = file.mirror?.unfolded.compactMap(\.draft).filter { file.origins.contains($0.id.origin) }.map(\.id) ?? []
    guard replica.pending.pieces.map(\.record.id) == beyond + file.outbox.ids else {
      throw Failure("pending is \(replica.pending.pieces.map(\.record.id)) instead of \(beyond) + \(file.outbox.ids)")
    }
    guard replica.pending.accepted == beyond.count else {
      throw Failure("\(replica.pending.accepted) instead of \(beyond.count) beyond")
    }
    let confirmed = file.mirror?.timeline.state.board ?? SyncedBoard.initial(file.initial)
    guard replica.history.state == confirmed else {
      throw Failure("confirmed is \(replica.history.state) instead of \(confirmed)")
    }
    let hidden = replica.pending.pieces.filter(\.isHidden).map(\.record.id)
    guard hidden == view.hidden else { throw Failure("hidden is \(hidden) instead of \(view.hidden)") }
    guard replica.state == view.state.board else { throw Failure("the view is \(replica.state) instead of \(view.state.board)") }
    if !hidden.isEmpty { tally.count("hidden") }
    if !beyond.isEmpty { tally.count("beyond an outdated fold") }
    for (place, work) in replica.pending.pieces.enumerated() {
      guard replica.pending.index(of: work.record.id) == place else { throw Failure("\(work.record.id) is not at \(place)") }
    }
  }

  /// Ends all faults: every outbox drains, and all devices agree.
  private mutating func drain() throws {
    for _ in 0..<400 {
      for index in handles.indices {
        try read(index, isEnding: true)
        write(index)
      }
      let isDrained = devices.allSatisfy { $0.file.outbox.isEmpty && $0.file.mirror?.head == database.head }
      if isDrained, handles.allSatisfy({ $0.replica.unwrittenCount == 0 && $0.seen == devices[$0.device].log.count }) { break }
      for device in devices.indices { try exchange(device, isEnding: true) }
    }
    for handle in handles {
      let file = devices[handle.device].file
      guard handle.replica.unwrittenCount == 0, file.outbox.isEmpty, file.mirror?.head == database.head else {
        throw Failure("not drained")
      }
      guard file.isOutdated || handle.replica.state == database.timeline.state.board else {
        throw Failure("a device differs from the server")
      }
      guard handle.made.isSubset(of: handle.stored), handle.made.isSubset(of: handle.resolved.keys) else {
        throw Failure("unresolved: \(handle.made.subtracting(handle.resolved.keys)), not stored: \(handle.made.subtracting(handle.stored))")
      }
      for resolution in handle.resolved.values where !hasRestarted {
        guard case .success(let revision) = resolution.result, revision > database.floor.head.revision else { continue }
        guard database.entries[revision - database.floor.head.revision - 1].id == resolution.id else {
          throw Failure("\(resolution.id) is not at \(revision)")
        }
      }
    }
  }
}
