import AlterCore
import AlterJournal
import AlterSyncCore

// Law 8: when faults, holds and missing permissions end, every outbox drains in a bounded number of exchanges.
extension World {
  /// Ends all faults, and lets everything run until nothing more happens.
  ///
  /// - Returns: The number of requests that were sent.
  @discardableResult
  mutating func drain() throws -> Int {
    plan.faultLimit = 0
    policy = ShelfPolicy()
    if isRestored { try perform(.discard) }
    if database.schema < plan.newestSchema { try perform(.enableSchema) }
    let before = devices.map(\.engine.request)
    for index in devices.indices {
      devices[index].isTokenValid = true
      devices[index].isLockFree = true
      devices[index].token = devices[index].file.principal
      switch devices[index].engine.phase {
      case .suspended: try handle(.resumed, on: index)
      case .standby: try handle(.lockGranted, on: index)
      default: break
      }
    }
    for index in plan.changes.indices { plan.changes[index] = [] }
    let drafts = devices.reduce(0) { $0 + $1.file.outbox.drafts.count }
    let entries = Int(database.head.revision.number) + drafts
    var budget = 100 + 40 * (devices.count * (1 + drafts + entries / plan.limits.entriesPerPage) + messages.count)
    while let step = nextOfDrain() {
      budget -= 1
      guard budget > 0 else { throw LawBroken(8, "the outboxes do not drain: \(summary)") }
      if case .fire(let index) = step, devices[index].engine.phase == .waiting {
        for process in processes.indices { processes[process].refill() }
      }
      try perform(step)
    }
    for (index, device) in devices.enumerated() {
      guard device.file.outbox.isEmpty else { throw LawBroken(8, "the outbox of device \(index) does not drain: \(summary)") }
      guard device.file.mirror?.head == database.head, device.file.generation == database.generation else {
        throw LawBroken(8, "the mirror of device \(index) does not catch up: \(summary)")
      }
      guard device.link == (device.file.isOutdated ? .outdated : .live) else {
        throw LawBroken(11, "all is exchanged, and the status of device \(index) is \(String(describing: device.link))")
      }
    }
    return zip(devices, before).reduce(0) { $0 + $1.0.engine.request - $1.1 }
  }

  /// Lets the network and the server processes work until no message is left and no head is news. Pauses do not end.
  mutating func settle() throws {
    var budget = 1_000
    while let step = nextOfDrain(isPatient: false) {
      budget -= 1
      guard budget > 0 else { throw LawBroken(8, "the exchanges do not end: \(summary)") }
      try perform(step)
    }
  }

  func nextOfDrain(isPatient: Bool = true) -> Step? {
    if let process = processes.indices.first(where: { processes[$0].attempt != nil }) { return .commit(process) }
    if !messages.isEmpty { return .deliver(0, to: 0) }
    if let index = devices.indices.first(where: { canHint($0) }) { return .hint(index) }
    guard isPatient else { return nil }
    let timers = devices.indices.filter { devices[$0].timer != nil }
    return timers.min { devices[$0].timer!.due < devices[$1].timer!.due }.map { .fire($0) }
  }

  /// The state of all parts, for failures.
  var summary: String {
    let parts = devices.enumerated().map { index, device in
      """
      device \(index): \(device.engine.phase.rawValue), \(String(describing: device.link)), mirror \
      \(device.file.mirror.map { "\($0.floor.head.revision)…\($0.head)" } ?? "none"), generation \(String(describing: device.file.generation)), \
      outbox \(device.file.outbox.drafts) known \(device.file.outbox.known), refusals \(device.file.refusals.map { "\($0.draft.id) \($0.code)" })
      """
    }
    let journal = database.entries.map { entry in "\(entry.revision): \(entry.id) \(entry.verdict)" }
    return (["journal \(database.head) generation \(database.generation) floor \(database.floor.head.revision): \(journal)"] + parts)
      .joined(separator: "\n")
  }
}
