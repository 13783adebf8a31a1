import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

/// A schedule that breaks simpler designs (`Design/0018-sync.md`), and what holds against it.
struct NamedSchedule: Sendable, CustomStringConvertible {
  /// The rule that is left out to break a law.
  enum Omission: Sendable, Hashable {
    /// A rule that the model can leave out.
    case rule(ModelRules)
    /// A rule of the product: the patch of this name in `Tests/AlterSyncTests/Faults` takes it out of the sources.
    case patch(String)
  }

  let name: String
  let omission: Omission
  /// Runs the schedule under some rules, and throws if a law fails.
  let run: @Sendable (ModelRules) throws -> Void

  var description: String { name }

  init(_ name: String, without rule: ModelRules, _ run: @escaping @Sendable (ModelRules) throws -> Void) {
    (self.name, omission, self.run) = (name, .rule(rule), run)
  }

  init(_ name: String, against patch: String, _ run: @escaping @Sendable (ModelRules) throws -> Void) {
    (self.name, omission, self.run) = (name, .patch(patch), run)
  }

  /// A world whose steps a schedule names itself.
  static func world(
    _ rules: ModelRules, devices: Int = 2, principals: [Principal] = [.ann, .ann], _ change: (inout World.Plan) -> Void = { _ in }
  ) throws -> World {
    var plan = World.Plan(changes: [])
    plan.rules = rules
    plan.faultLimit = .max
    change(&plan)
    return try World(plan, devices: devices, principals: principals)
  }

  static func expect(_ condition: Bool, law: Int, _ reason: String) throws {
    if !condition { throw LawBroken(law, reason) }
  }

  static func end(_ world: inout World) throws {
    try world.drain()
    try world.oracle.checkEnd(world)
  }

  /// Delivers the first message, a push, to a server process, which decides until it commits.
  static func push(_ world: inout World, to process: Int) throws {
    try world.perform(.deliver(0, to: process))
    while world.processes[process].attempt != nil { try world.perform(.commit(process)) }
  }

  /// Starts the server processes again: they read the database.
  static func restart(_ world: inout World) {
    for process in world.processes.indices { world.processes[process].restart(world.database) }
  }

  static let all: [NamedSchedule] = server + device + floors + restores + engine
}
