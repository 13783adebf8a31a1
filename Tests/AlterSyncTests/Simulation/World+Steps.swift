import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

// The steps that may come next.
extension World {
  /// The steps that may come next.
  ///
  /// Steps that commute with all others are not interleaved with them. An answer that is in flight to a device changes that device alone, so
  /// only the steps of this device come before it arrives: those of the others lead to the same worlds after it. (The operator's `recover`
  /// reads a mirror; after a restore, an answer that changes one is interleaved with everything.)
  ///
  /// Nor does anything else than the steps of a device change the device while it waits for a timer alone: no answer is in flight to it, and it
  /// takes no hints. Its timer reads the device alone, and adds a request to the network; `recover` reads its mirror, which its timer does not
  /// change. So the other parties' steps lead to the same worlds after the timer. A cycle of such steps alone does not exist: each firing
  /// timer sends a request or is followed by one that does, and a request is delivered with all steps interleaved.
  ///
  /// The compaction of a device's copy is a step of that device alone. It changes the mirror that `recover` reads, and requests name the floor:
  /// if both may still happen, nothing is left out.
  func steps() -> [Step] {
    if canFail(by: .deviceFloor), plan.isReduced, isRestored || canFail(by: .restore) { return steps(of: nil) }
    if let place = messages.indices.first(where: { isAlone($0) }) { return steps(of: messages[place].device) }
    if plan.isReduced, plan.rules.contains(.ignoresLateAnswers), let index = devices.indices.first(where: { isTimerFree($0) }) {
      return steps(of: index)
    }
    return steps(of: nil)
  }

  /// Whether a message is an answer that no step reads or changes, except for those of its device.
  private func isAlone(_ place: Int) -> Bool {
    guard case .answer(let answer) = messages[place].body else { return false }
    guard isRestored else { return true }
    guard plan.isReduced, plan.rules.isSuperset(of: [.ignoresLateAnswers, .verifiesChain]) else { return false }
    let file = devices[messages[place].device].file
    let head = file.mirror?.head.revision ?? .zero
    // Without another restore the journal's head only rises, and no mirror up to it has a tail to recover.
    let limit = canFail(by: .restore) ? -1 : database.head.revision
    switch answer {
    case .snapshot(let fetched): return max(head, fetched.floor.head.revision) <= limit
    case .page(let page):
      let last = page.entries.last?.revision ?? .zero
      return max(head, last) <= limit || page.lineage == file.lineage && last <= head
    case .absent, .gone, .diverged, .unauthorised, .forbidden, .badEnvelope, .busy, .notUnderstood: return true
    }
  }

  /// The steps of one device and of the answers to it; nil for all steps.
  private func steps(of device: Int?) -> [Step] {
    var steps: [Step] = []
    let devices = device.map { $0..<($0 + 1) } ?? devices.indices
    for index in devices where index < plan.changes.count && !plan.changes[index].isEmpty { steps.append(.make(index)) }
    for place in messages.indices {
      if messages[place].request == nil {
        if device == nil || messages[place].device == device { steps.append(.deliver(place, to: 0)) }
      } else if device == nil {
        for process in processes.indices where processes[process].attempt == nil && !isTwin(process) {
          steps.append(.deliver(place, to: process))
        }
      }
    }
    for index in devices {
      if isTimerFree(index) { steps.append(.fire(index)) }
      if canHint(index) { steps.append(.hint(index)) }
    }
    if device == nil {
      for process in processes.indices where processes[process].attempt != nil { steps.append(.commit(process)) }
      if isRestored {
        steps.append(.discard)
        for index in devices where canRecover(from: index) { steps.append(.recover(index)) }
      }
      if database.schema < plan.newestSchema { steps.append(.enableSchema) }
    }
    if faultCount < plan.faultLimit { addFaults(of: device, among: devices, to: &steps) }
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

  private func addFaults(of device: Int?, among indices: Range<Int>, to steps: inout [Step]) {
    for fault in plan.faults {
      switch fault {
      // A pull changes nothing on the server: the loss of its request equals that of its answer, and a second copy has no effect.
      case .loss:
        for place in messages.indices {
          if let request = messages[place].request {
            if device == nil, request.isPush { steps.append(.lose(place)) }
          } else if device == nil || messages[place].device == device {
            steps.append(.lose(place))
          }
        }
      case .duplication where device == nil:
        for place in messages.indices where messages[place].request?.isPush == true && !messages[place].isCopy {
          steps.append(.duplicate(place))
        }
      case .reordering: for index in indices where isInFlight(index) { steps.append(.giveUp(index)) }
      // A crash during a transaction equals one before it.
      case .deviceCrash: for index in indices { steps.append(.crash(index)) }
      case .serverCrash where device == nil:
        for process in processes.indices where processes[process].attempt != nil { steps.append(.crashServer(process)) }
      case .fileCopy: if devices.count < 3 { for index in indices { steps.append(.copy(index)) } }
      case .restore where device == nil:
        for place in past.indices where past[place].head != database.head { steps.append(.restore(place)) }
      case .floor where device == nil:
        let floor = Int(database.floor.head.revision.number)
        let head = Int(database.head.revision.number)
        if floor < head { for revision in (floor + 1)...head where canCompact(to: revision) { steps.append(.compact(revision)) } }
      case .deviceFloor: for index in indices { for revision in floors(of: index) { steps.append(.compactDevice(index, revision)) } }
      case .schemaSkew: for index in indices where devices[index].file.schema < plan.newestSchema { steps.append(.upgrade(index)) }
      default: break
      }
    }
  }

  func canCompact(to revision: Int) -> Bool {
    var ledger = database
    return ledger.compact(to: Revision(Int64(revision)))
  }

  /// The revisions up to which a device can compact its copy. The first one folds nothing in.
  func floors(of index: Int) -> [Int] {
    guard let mirror = devices[index].file.mirror else { return [] }
    let first = max(mirror.floor.head.revision, 1).number + 1
    guard first <= mirror.head.revision.number else { return [] }
    return (first...mirror.head.revision.number).filter { revision in
      var copy = mirror
      return copy.compact(to: Revision(revision), window: plan.window, rules: plan.rules)
    }.map { Int($0) }
  }

  /// Whether a message of the device's present request is in flight, or a server process decides it.
  func isInFlight(_ index: Int) -> Bool {
    guard devices[index].timer != nil, devices[index].engine.isBusy else { return false }
    let (process, number) = (devices[index].process, devices[index].engine.request)
    func isPresent(_ message: Message) -> Bool { message.device == index && message.process == process && message.number == number }
    return messages.indices.contains { isPresent(messages[$0]) } || deciding.contains { $0.map(isPresent) ?? false }
  }

  /// A timer fires early only as a fault.
  func isTimerFree(_ index: Int) -> Bool {
    guard devices[index].timer != nil else { return false }
    return !devices[index].engine.isBusy || !isInFlight(index)
  }

  func canHint(_ index: Int) -> Bool {
    guard !areStreamsDead, devices[index].engine.isStreamOpen, devices[index].engine.phase == .resting else { return false }
    // A hint names the generation and the head.
    return devices[index].file.mirror?.head != database.head || devices[index].file.generation != database.generation
  }

  func canRecover(from index: Int) -> Bool {
    guard let mirror = devices[index].file.mirror, mirror.head.revision > database.head.revision else { return false }
    // The entries of a mirror follow each other.
    return tail(of: mirror).first?.follows(database.head) ?? false
  }

  func tail(of mirror: Mirror<Shelf>) -> ArraySlice<SyncEntry> {
    guard database.head.revision >= mirror.floor.head.revision else { return [] }
    return mirror.entries[(database.head.revision - mirror.floor.head.revision)...]
  }
}
