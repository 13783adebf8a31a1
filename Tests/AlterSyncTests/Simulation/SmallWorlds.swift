import AlterSyncCore

/// The small worlds whose schedules are all explored: two devices, two server processes, three drafts, at most two faults.
enum SmallWorlds {
  static let plans: [(name: String, plan: World.Plan)] = [
    ("two claims of one slot", plan([[.change(.claim(1)), .change(.claim(2))], [.change(.claim(1))]])),
    ("a change and another that requires it", plan([[.change(.claim(1)), .dependent(.claim(2))], [.change(.claim(1))]])),
    ("an undo", plan([[.change(.claim(1)), .undoLast], [.undoLast]])),
    ("a draft that no server decodes", plan([[.change(.nonsense), .change(.claim(1))], [.change(.claim(1))]])),
    ("a retry", plan([[.change(.claim(1))], [.change(.claim(1)), .retryAll]])),
    ("two schemas", plan([[.change(.claim(1)), .change(.claim(2))], [.change(.claim(3))]], newestSchema: 2)),
  ]

  static func plan(_ changes: [[World.Planned]], newestSchema: Int = 1, faults: [Fault] = Fault.small, faultLimit: Int = 2) -> World.Plan {
    var plan = World.Plan(changes: changes)
    plan.newestSchema = newestSchema
    plan.faults = faults
    plan.faultLimit = faultLimit
    plan.window = 1
    plan.isReduced = true
    return plan
  }
}
