import AlterSyncCore
import Foundation
import SyncModel
import Testing

@Suite("Every small schedule", .timeLimit(.minutes(60)))
struct ExhaustiveTests {
  /// The number of worlds of one plan and one kind of fault. `ALTER_SYNC_WORLDS=0` explores all; use an optimised build.
  private static let limit = number("ALTER_SYNC_WORLDS").map { $0 == 0 ? Int.max : $0 } ?? 300
  /// The number of faults in a schedule.
  private static let faultLimit = number("ALTER_SYNC_FAULTS") ?? 2
  /// The only plan to explore with faults of different kinds; nil for all. A plan takes hours without a limit of worlds.
  private static let plan = number("ALTER_SYNC_PLAN")

  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

  /// The kinds of faults that may differ; nil for all.
  private static let kinds = ProcessInfo.processInfo.environment["ALTER_SYNC_KINDS"].map { names in
    names.split(separator: ",").map { Fault(rawValue: String($0))! }
  }
  /// The number of seconds for each plan with faults of different kinds. Then the exploration stops, and the next run continues it.
  private static let seconds = number("ALTER_SYNC_SECONDS")
  /// The folder of the progress.
  private static let folder = ProcessInfo.processInfo.environment["ALTER_SYNC_PROGRESS"].map { URL(filePath: $0) }

  private func explore(_ index: Int, _ faults: [Fault], faultLimit: Int, limit: Int, savesProgress: Bool = false) throws -> Exploration {
    var (name, plan) = SmallWorlds.plans[index]
    plan.faults = faults
    plan.faultLimit = faultLimit
    var exploration = Exploration(limit: limit)
    let file = "plan-\(index)-faults-\(faultLimit)" + (faults == Fault.small ? "" : "-" + faults.map(\.rawValue).joined(separator: "-"))
    let folder = savesProgress ? Self.folder : nil
    let known = try folder.flatMap { try exploration.resume(file, in: $0) }
    let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
    let schedules = try known ?? exploration.run(World(plan)) { folder != nil && end.map { .now > $0 } ?? false }
    if let (path, reason) = exploration.failure { Issue.record("\(reason)\n\(path.map { "\($0)" }.joined(separator: "\n"))") }
    print(
      """
      \(name), at most \(faultLimit) faults of \(faults.map(\.rawValue)): \(exploration.worlds) worlds, \(exploration.steps) steps, \(schedules) schedules\
      \(exploration.isTruncated ? " (truncated)" : ""), drained from \(exploration.drains) worlds
      """)
    if let folder, exploration.failure == nil {
      try exploration.save(as: file, in: folder, schedules: exploration.isTruncated ? nil : schedules)
    }
    return exploration
  }

  @Test("keeps the laws without faults, in every schedule", arguments: SmallWorlds.plans.indices)
  func withoutFaults(_ index: Int) throws {
    let exploration = try explore(index, [], faultLimit: 0, limit: .max)
    #expect(!exploration.isTruncated)
  }

  @Test("keeps the laws with two faults of each kind, and meets every fault", arguments: Fault.small)
  func withFaults(_ fault: Fault) throws {
    var coverage = Coverage()
    for index in SmallWorlds.plans.indices where fault != .schemaSkew || SmallWorlds.plans[index].plan.newestSchema > 1 {
      coverage.merge(try explore(index, [fault], faultLimit: Self.faultLimit, limit: Self.limit).coverage)
    }
    #expect(coverage.faults[fault, default: 0] > 0, "no schedule has the fault '\(fault.rawValue)'")
    print("\(fault.rawValue): \(coverage.faults[fault, default: 0]) hits")
  }

  @Test("keeps the laws with two faults of different kinds, and meets every fault in every legal state and event")
  func withDifferentFaults() throws {
    var coverage = Coverage()
    var isComplete = Self.plan == nil
    let kinds = Self.kinds ?? Fault.small
    for index in SmallWorlds.plans.indices where Self.plan ?? index == index {
      let exploration = try explore(index, kinds, faultLimit: Self.faultLimit, limit: Self.limit, savesProgress: true)
      coverage.merge(exploration.coverage)
      isComplete = isComplete && !exploration.isTruncated
    }
    guard isComplete else { return }
    for kind in kinds { #expect(coverage.faults[kind, default: 0] > 0, "no schedule has the fault '\(kind.rawValue)'") }
    for cell in Cell.small { #expect(coverage.cells[cell, default: 0] > 0, "no schedule reaches \(cell)") }
    print(coverage.report)
  }

  /// The plans and the kinds of one fault that are explored with and without reductions; all with `ALTER_SYNC_WORLDS=0`.
  private static let compared: [(plan: Int, faults: [Fault])] =
    limit == .max ? SmallWorlds.plans.indices.map { ($0, Fault.small) } : [(2, []), (4, []), (4, [.serverCrash]), (0, [.deviceFloor])]

  @Test("reaches the same ends with and without reductions")
  func reductions() throws {
    for (index, faults) in Self.compared {
      var plan = SmallWorlds.plans[index].plan
      (plan.faults, plan.faultLimit) = (faults, faults.isEmpty ? 0 : 1)
      var reduced = Exploration(recordsOutcomes: true)
      _ = reduced.run(try World(plan))
      plan.isReduced = false
      var whole = Exploration(recordsOutcomes: true)
      _ = whole.run(try World(plan))
      #expect(reduced.failure == nil && whole.failure == nil)
      #expect(reduced.outcomes == whole.outcomes)
      #expect(reduced.worlds < whole.worlds)
      print("plan \(index), one fault of \(faults): \(reduced.worlds) of \(whole.worlds) worlds, \(whole.outcomes.count) ends")
    }
  }

  /// Rules whose removal breaks a law in a small plan with one fault.
  private static let broken: [(rule: ModelRules, plan: Int, faults: [Fault])] = [
    (.decidesAgain, 0, []), (.readsKnown, 0, []), (.refusesMalformed, 3, []), (.looksUp, 4, [.loss]), (.readsHead, 4, [.loss]),
    (.timesOut, 4, [.loss]),
  ]

  @Test("finds a law broken without a rule, with and without reductions", arguments: broken.indices)
  func withoutRule(_ place: Int) throws {
    let (rule, index, faults) = Self.broken[place]
    for isReduced in [true, false] {
      var plan = SmallWorlds.plans[index].plan
      plan.rules = ModelRules.all.subtracting(rule)
      (plan.faults, plan.faultLimit) = (faults, faults.isEmpty ? 0 : 1)
      plan.isReduced = isReduced
      var exploration = Exploration()
      _ = exploration.run(try World(plan))
      #expect(exploration.failure != nil, "\(rule), reduced: \(isReduced)")
    }
  }
}
