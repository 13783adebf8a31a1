import AlterSyncCore
import Foundation
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

  private func explore(_ index: Int, _ faults: [Fault], faultLimit: Int, limit: Int) throws -> Exploration {
    var (name, plan) = SmallWorlds.plans[index]
    plan.faults = faults
    plan.faultLimit = faultLimit
    var exploration = Exploration(limit: limit)
    let schedules = exploration.run(try World(plan))
    print(
      """
      \(name), at most \(faultLimit) faults of \(faults.map(\.rawValue)): \(exploration.worlds) worlds, \(exploration.steps) steps, \(schedules) schedules\
      \(exploration.isTruncated ? " (truncated)" : ""), drained from \(exploration.drains) worlds
      """)
    if let (path, reason) = exploration.failure { Issue.record("\(reason)\n\(path.map { "\($0)" }.joined(separator: "\n"))") }
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
    print("\(fault.rawValue): \(coverage.faults[fault, default: 0]) hits")
    #expect(coverage.faults[fault, default: 0] > 0, "no schedule has the fault '\(fault.rawValue)'")
  }

  @Test("keeps the laws with two faults of different kinds")
  func withDifferentFaults() throws {
    for index in SmallWorlds.plans.indices where Self.plan ?? index == index {
      _ = try explore(index, Fault.small, faultLimit: Self.faultLimit, limit: Self.limit)
    }
  }
}
