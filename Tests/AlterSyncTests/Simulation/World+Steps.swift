import AlterCore
import AlterJournal
import AlterSyncCore

// The steps that may come next.
extension World {
  /// The steps that may come next.
  ///
  /// Steps that commute with all others are not interleaved with them. An answer that is in flight to a device changes that device alone, so
  /// only the steps of this device come before it arrives: those of the others lead to the same worlds after it. (The operator's `recover`
  /// reads a mirror; after a restore everything is interleaved.)
  ///
  /// Nor does anything else than the steps of a device change the device while it waits for a timer alone: no answer is in flight to it, and it
  /// takes no hints. Its timer reads the device alone, and adds a request to the network; `recover` reads its mirror, which its timer does not
  /// change. So the other parties' steps lead to the same worlds after the timer. A cycle of such steps alone does not exist: each firing
  /// timer sends a request or is followed by one that does, and a request is delivered with all steps interleaved.
  func steps() -> [Step] {
    if !isRestored, let index = messages.first(where: { $0.request == nil })?.device { return steps(of: index) }
    if plan.isReduced, plan.rules.contains(.ignoresLateAnswers), let index = devices.indices.first(where: { isTimerFree($0) }) {
      return steps(of: index)
    }
    return allSteps()
  }

  func steps(of index: Int) -> [Step] {
    allSteps().filter { step in
      switch step {
      case .make(let device), .fire(let device), .hint(let device), .giveUp(let device), .crash(let device), .copy(let device),
        .upgrade(let device):
        device == index
      case .deliver(let place, _), .lose(let place), .duplicate(let place), .crashDuring(let place):
        messages[place].device == index && messages[place].request == nil
      case .commit, .recover, .discard, .enableSchema, .crashServer, .restore, .compact: false
      }
    }
  }

  func allSteps() -> [Step] {
    var steps: [Step] = []
    for index in plan.changes.indices where !plan.changes[index].isEmpty { steps.append(.make(index)) }
    for (place, message) in messages.enumerated() {
      switch message.body {
      case .request:
        for process in processes.indices where processes[process].attempt == nil && !isTwin(process) {
          steps.append(.deliver(place, to: process))
        }
      case .answer: steps.append(.deliver(place, to: 0))
      }
    }
    for process in processes.indices where processes[process].attempt != nil { steps.append(.commit(process)) }
    for index in devices.indices {
      if isTimerFree(index) { steps.append(.fire(index)) }
      if canHint(index) { steps.append(.hint(index)) }
    }
    if isRestored {
      steps.append(.discard)
      for index in devices.indices where canRecover(from: index) { steps.append(.recover(index)) }
    }
    if database.schema < plan.newestSchema { steps.append(.enableSchema) }
    if faultCount < plan.faultLimit { addFaults(to: &steps) }
    return steps
  }

  /// Whether a process is in the same state as an earlier one, so that a request may as well reach that one.
  func isTwin(_ process: Int) -> Bool {
    guard process > 0, processes[0].attempt == nil else { return false }
    if isBehind(0), isBehind(process) { return true }
    return processes[0].view.head == processes[process].view.head
      && processes[0].view.generation == processes[process].view.generation
      && processes[0].view.floor.head.revision == processes[process].view.floor.head.revision
      && processes[0].view.schema == processes[process].view.schema
      && (plan.isReduced || processes[0].refusals == processes[process].refusals)
  }

  func addFaults(to steps: inout [Step]) {
    for fault in plan.faults {
      switch fault {
      // A pull changes nothing on the server: the loss of its request equals that of its answer, and a second copy has no effect.
      case .loss: steps += messages.indices.filter { messages[$0].request.map(\.isPush) ?? true }.map { .lose($0) }
      case .duplication:
        steps += messages.indices.filter { messages[$0].request?.isPush == true && !messages[$0].isCopy }.map { .duplicate($0) }
      case .reordering: steps += devices.indices.filter { isInFlight($0) }.map { .giveUp($0) }
      // A crash during a transaction equals one before it.
      case .deviceCrash: steps += devices.indices.map { .crash($0) }
      case .serverCrash: steps += processes.indices.filter { processes[$0].attempt != nil }.map { .crashServer($0) }
      case .fileCopy: if devices.count < 3 { steps += devices.indices.map { .copy($0) } }
      case .restore: steps += past.indices.filter { past[$0].head != database.head }.map { .restore($0) }
      case .floor:
        let floor = Int(database.floor.head.revision.number)
        let head = Int(database.head.revision.number)
        if floor < head { steps += ((floor + 1)...head).filter { canCompact(to: $0) }.map { .compact($0) } }
      case .schemaSkew: steps += devices.indices.filter { devices[$0].file.schema < plan.newestSchema }.map { .upgrade($0) }
      default: break
      }
    }
  }

  func canCompact(to revision: Int) -> Bool {
    var ledger = database
    return ledger.compact(to: Revision(Int64(revision)))
  }

  /// Whether a message of the device's present request is in flight, or a server process decides it.
  func isInFlight(_ index: Int) -> Bool {
    let device = devices[index]
    guard device.timer != nil, [.pulling, .pushing, .fetching].contains(device.engine.phase) else { return false }
    return messages.contains { $0.device == index && $0.process == device.process && $0.number == device.engine.request }
      || deciding.contains { $0.map { $0.device == index && $0.process == device.process && $0.number == device.engine.request } ?? false }
  }

  /// A timer fires early only as a fault.
  func isTimerFree(_ index: Int) -> Bool {
    guard devices[index].timer != nil else { return false }
    switch devices[index].engine.phase {
    case .pulling, .pushing, .fetching: return !isInFlight(index)
    default: return true
    }
  }

  func canHint(_ index: Int) -> Bool {
    let device = devices[index]
    guard !areStreamsDead, device.engine.isStreamOpen, device.engine.phase == .resting else { return false }
    // A hint names the generation and the head.
    return device.file.mirror?.head != database.head || device.file.generation != database.generation
  }

  func canRecover(from index: Int) -> Bool {
    guard let mirror = devices[index].file.mirror, let lineage = devices[index].file.lineage, mirror.head.revision > database.head.revision
    else { return false }
    var ledger = database
    return ledger.recover(Array(tail(of: mirror)), of: lineage, author: { _ in .ann })
  }

  func tail(of mirror: Mirror<Shelf>) -> ArraySlice<SyncEntry> {
    guard database.head.revision >= mirror.floor.head.revision else { return [] }
    return mirror.entries[(database.head.revision - mirror.floor.head.revision)...]
  }
}
