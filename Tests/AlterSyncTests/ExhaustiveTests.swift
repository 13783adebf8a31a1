import AlterSyncCore
import Foundation
import Testing

@Suite("Every small schedule", .timeLimit(.minutes(20)))
struct ExhaustiveTests {
  /// The number of worlds of one plan. `ALTER_SYNC_WORLDS=0` explores all.
  static let limit = ProcessInfo.processInfo.environment["ALTER_SYNC_WORLDS"].flatMap(Int.init).map { $0 == 0 ? Int.max : $0 } ?? 3_000

  @Test("keeps the laws", arguments: SmallWorlds.plans.indices)
  func keepsLaws(_ index: Int) throws {
    let (name, plan) = SmallWorlds.plans[index]
    var exploration = Exploration(limit: Self.limit)
    let schedules = exploration.run(try World(plan))
    print(
      """
      \(name): \(exploration.worlds) worlds, \(exploration.steps) steps, \(schedules) schedules\(exploration.isTruncated ? " (truncated)" : ""), \
      \(exploration.drains) drained
      """)
    print(exploration.coverage.report)
    if let (path, reason) = exploration.failure { Issue.record("\(reason)\n\(path.map { "\($0)" }.joined(separator: "\n"))") }
  }
}
