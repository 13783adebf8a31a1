import Alter
import AlterSyncCore
import AlterTesting
import Foundation
import ProcessTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Replicas of a synced journal", .serialized)
struct SyncedReplicaTests {
  /// The number of schedules. `ALTER_SCHEDULES=100000 swift test --filter SyncedReplicaTests` runs more.
  private static let schedules = UInt64(ProcessInfo.processInfo.environment["ALTER_SCHEDULES"] ?? "") ?? (Effort.isFull ? 150 : 40)

  private struct Part {
    var tally = SyncedSimulation.Tally()
    var failure: String?
  }

  private static func run(_ seeds: some Sequence<UInt64>) -> Part {
    var part = Part()
    for seed in seeds {
      do {
        var simulation = try SyncedSimulation(seed: seed)
        defer { part.tally.counts.merge(simulation.tally.counts, uniquingKeysWith: +) }
        try simulation.run(steps: 90)
      } catch {
        part.failure = "seed \(seed): \(error)"
        return part
      }
    }
    return part
  }

  @Test(
    "equal the naive view of the device's file after any schedule of changes, undos, processes, refusals, lost and cut answers, floors, restores, retries and outdated apps"
  )
  func anySchedule() async {
    let workers: UInt64 = 2
    let part = await withTaskGroup(of: Part.self) { group in
      for worker in 0..<workers {
        group.addTask { Self.run(stride(from: worker, to: Self.schedules, by: Int(workers))) }
      }
      return await group.reduce(into: Part()) { all, part in
        all.tally.counts.merge(part.tally.counts, uniquingKeysWith: +)
        all.failure = all.failure ?? part.failure
      }
    }
    let (tally, failure) = (part.tally, part.failure)
    if let failure {
      Issue.record("\(failure)")
      return
    }
    for event in [
      "accepted", "refused", "refused at once", "hidden", "undo", "redo", "rebased", "not rebased", "opened", "copied file", "restored",
      "restarted", "compacted", "below the floor", "retried", "beyond an outdated fold", "upgraded", "died",
    ] { #expect(tally.counts[event, default: 0] > 0, "no schedule has the event '\(event)'") }
    print("\(Self.schedules) schedules: \(tally.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))")
  }

  // MARK: - Promotion

  private func head(_ revision: Revision) -> Head {
    Head(journal: JournalID(Origin.test(0).uuid), revision: revision, checksum: Checksum(high: 0, low: UInt64(revision.number)))
  }

  private func news(
    _ steps: [MirrorNews<Counting>.Step] = [], to revision: Revision? = nil, entering: [MirrorNews<Counting>.Entering] = [],
    ground: Bool = false
  ) -> MirrorNews<Counting> {
    var news = MirrorNews<Counting>()
    if ground { news.ground = MirrorNews.Ground(Counting(), at: 1, window: 100, because: .contact) }
    (news.steps, news.entering, news.head) = (steps, entering, revision.map(head))
    return news
  }

  private func replica(_ number: UInt8 = 1) throws -> Replica<Counting> {
    var replica = Replica(synced: Counting(), window: 100, origin: .test(number), scope: .journal, limit: 100_000)
    var report = Replica<Counting>.Report()
    try replica.absorb(news(to: 1, ground: true), wantsSteps: false, into: &report)
    replica.rebase(into: &report)
    return replica
  }

  @Test("drain a long outbox with one application for each accepted draft, and keep the view", arguments: [1, 7, 1_000])
  func draining(page: Int) throws {
    var replica = try replica()
    let count = 3_000
    for _ in 0..<count { _ = try replica.change(.changes([.add(1)]), cause: nil, requirement: nil, now: 0) }
    var report = Replica<Counting>.Report()
    while replica.unwrittenCount > 0 {
      try replica.absorb(news(entering: replica.takeUnqueued()), wantsSteps: false, into: &report)
    }
    #expect(report.stored.count == count)
    let works = replica.undecided.map(\.record)
    let applied = Counting.applied.withLock { $0 }
    for start in stride(from: 0, to: count, by: page) {
      let steps = works[start..<min(start + page, count)].enumerated().map { offset, record in
        MirrorNews<Counting>.Step.accepted(record.at(Revision(Int64(2 + start + offset))))
      }
      try replica.absorb(news(steps, to: Revision(Int64(1 + start + steps.count))), wantsSteps: false, into: &report)
      replica.rebase(into: &report)
    }
    #expect(Counting.applied.withLock { $0 } - applied == count)
    #expect(replica.state.total == count && replica.history.state.total == count && replica.pendingCount == 0)
    #expect(report.resolutions.count == count && !report.isRebased)
  }

  @Test("replay the rest only after an entry that the view did not expect")
  func expected() throws {
    var replica = try replica()
    var records: [Record<Counting>] = []
    // The third is refused by the view once another device has taken the last ticket.
    for change in [Counting.Change.add(1), .add(2), .take, .add(4)] {
      records.append(try replica.change(.changes([change]), cause: nil, requirement: nil, now: 0))
    }
    var report = Replica<Counting>.Report()
    try replica.absorb(news(entering: replica.takeUnqueued()), wantsSteps: false, into: &report)
    let other = Record<Counting>(revision: 2, id: EntryID(origin: .test(9), sequence: 1), time: 0, kind: .changes([.take]))
    try replica.absorb(news([.accepted(other)], to: 2), wantsSteps: false, into: &report)
    replica.rebase(into: &report)
    #expect(report.isRebased && replica.undecided.map(\.isHidden) == [false, false, true, false])
    report = Replica<Counting>.Report()
    // The entries are what the view shows, with another device's refusal between them.
    let steps: [MirrorNews<Counting>.Step] = [
      .accepted(records[0].at(3)), .refused(EntryID(origin: .test(9), sequence: 2), code: "denied", 4), .accepted(records[1].at(5)),
      .refused(records[2].id, code: "refused", 6),
    ]
    try replica.absorb(news(steps, to: 6), wantsSteps: false, into: &report)
    replica.rebase(into: &report)
    #expect(!report.isRebased && replica.history.revision == 6 && replica.undecided.map(\.record.id) == [records[3].id])
    #expect(report.resolutions.map(\.id) == records.prefix(3).map(\.id))
    guard case .failure(.refused(code: "refused")) = report.resolutions[2].result else {
      Issue.record("the refused draft has the outcome \(report.resolutions[2].result)")
      return
    }
    #expect(replica.state.total == 7 && replica.history.state.total == 3)
    // A refusal of what the view shows.
    try replica.absorb(news([.refused(records[3].id, code: "denied", 7)], to: 7), wantsSteps: false, into: &report)
    replica.rebase(into: &report)
    #expect(replica.state.total == 3 && replica.pendingCount == 0)
  }

  @Test("keep unwritten work whose id another writer's entry has: the outbox decides")
  func clone() throws {
    var replica = try replica()
    let record = try replica.change(.changes([.add(1)]), cause: nil, requirement: nil, now: 0)
    let entry = Record<Counting>(revision: 2, id: record.id, time: 0, kind: .changes([.add(10)]))
    var report = Replica<Counting>.Report()
    try replica.absorb(news([.accepted(entry)], to: 2), wantsSteps: false, into: &report)
    replica.rebase(into: &report)
    #expect(report.resolutions.isEmpty && replica.state.total == 11)
    try replica.absorb(news(entering: replica.takeUnqueued()), wantsSteps: false, into: &report)
    var verdict = news()
    verdict.decided = [record.id: .failure(RefusedDraft(code: "clone"))]
    try replica.absorb(verdict, wantsSteps: false, into: &report)
    replica.rebase(into: &report)
    #expect(report.resolutions.map(\.id) == [record.id] && replica.state.total == 10 && replica.history.state.total == 10)
  }

  @Test("put the drafts of another process before unwritten work, and apply drafts behind everything alone")
  func otherProcess() throws {
    var replica = try replica()
    let other = MirrorNews<Counting>.Entering(
      Record(revision: .zero, id: EntryID(origin: .test(2), sequence: 5), time: 0, kind: .changes([.take])))
    let own = try replica.change(.changes([.take]), cause: nil, requirement: nil, now: 0)
    var report = Replica<Counting>.Report()
    try replica.absorb(news(entering: [other]), wantsSteps: false, into: &report)
    replica.rebase(into: &report)
    #expect(replica.undecided.map(\.record.id) == [other.record.id, own.id])
    #expect(replica.undecided.map(\.isHidden) == [false, true])
    // What is hidden is written all the same.
    #expect(replica.takeUnqueued().map(\.record.id) == [own.id])
    try replica.absorb(news(entering: replica.takeUnqueued()), wantsSteps: false, into: &report)
    #expect(report.stored == [own.id] && replica.unwrittenCount == 0)
    let applied = Counting.applied.withLock { $0 }
    let last = MirrorNews<Counting>.Entering(
      Record(revision: .zero, id: EntryID(origin: .test(2), sequence: 6), time: 0, kind: .changes([.add(1)])))
    try replica.absorb(news(entering: [last]), wantsSteps: false, into: &report)
    replica.rebase(into: &report)
    #expect(Counting.applied.withLock { $0 } - applied == 1)
    #expect(replica.state.total == 1 && replica.state.tickets == 0)
  }
}

/// A state that counts how often a change is applied to any of its values.
struct Counting: Journaled, Hashable {
  enum Change: Hashable, Codable {
    case add(Int)
    case take
  }
  typealias Failure = Refusal

  static let applied = Lock(0)
  private(set) var total = 0
  private(set) var tickets = 1

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    Self.applied.withLock { $0 += 1 }
    switch change {
    case .add(let number): total += number
    case .take:
      guard tickets > 0 else { throw .missing("ticket", "last") }
      tickets -= 1
    }
  }
}
