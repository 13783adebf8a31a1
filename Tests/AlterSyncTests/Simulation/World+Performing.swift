import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

// The effects of the steps.
extension World {
  /// Performs a step, and checks the laws.
  mutating func perform(_ step: Step) throws {
    switch step {
    case .make(let index): try make(index)
    case .deliver(let place, let process): try deliver(messages.remove(at: place), to: process)
    case .commit(let process): try commit(process)
    case .fire(let index):
      guard let timer = devices[index].timer else { return }
      devices[index].timer = nil
      now = max(now, timer.due)
      try handle(.fired(timer.number), on: index)
    case .hint(let index):
      devices[index].hint = Hint(database.generation, database.head)
      try handle(.hinted, on: index)
    case .recover(let index):
      guard let mirror = devices[index].file.mirror, let lineage = devices[index].file.lineage else { return }
      let entries = tail(of: mirror)
      let isDone = database.recover(Array(entries), of: lineage) { author in
        [.ann, .bob].first { $0.pseudonym(key: ServerProcess<Shelf>.key) == author }
      }
      guard isDone else { throw LawBroken(0, "the tail does not fit") }
      for entry in entries { try oracle.add(entry) }
      endRestore()
    case .discard: endRestore()
    case .enableSchema: database.schema = plan.newestSchema
    case .lose(let place):
      count(.loss)
      messages.remove(at: place)
    case .duplicate(let place):
      count(.duplication)
      messages[place].isCopy = true
      messages.append(messages[place])
    case .giveUp(let index):
      count(.reordering)
      guard let timer = devices[index].timer else { return }
      devices[index].timer = nil
      try handle(.fired(timer.number), on: index)
    case .crash(let index):
      count(.deviceCrash)
      try crash(index)
    case .crashDuring(let place):
      count(.deviceCrash)
      let message = messages.remove(at: place)
      guard case .answer(let answer) = message.body else { return }
      if isExpected(message) { _ = devices[message.device].file.absorb(answer, isInterrupted: true) }
      try crash(message.device)
    case .crashServer(let process):
      count(.serverCrash)
      processes[process].restart(database)
      deciding[process] = nil
    case .copy(let index):
      count(.fileCopy)
      var copy = devices[index]
      (copy.origin, copy.sequence, copy.timer, copy.engine) = (originOfCopy(), 0, nil, Engine())
      copy.file.open(as: .numbered(copy.origin))
      devices.append(copy)
      try handle(.start, on: devices.count - 1)
    case .restore(let place):
      count(.restore)
      restore(past[place])
    case .compact(let revision):
      count(.floor)
      guard database.compact(to: Revision(Int64(revision)), rules: plan.rules) else { return }
      oracle.compacted(database)
    case .compactDevice(let index, let revision):
      let before = devices[index].file
      guard devices[index].file.compact(to: Revision(Int64(revision))) else { return }
      count(.deviceFloor)
      try oracle.compacted(before: before, after: devices[index].file, in: self)
    case .upgrade(let index):
      count(.schemaSkew)
      devices[index].file.upgrade(to: plan.newestSchema)
      // An upgraded app is a new process.
      try crash(index)
    }
    try oracle.check(self)
  }

  mutating func count(_ fault: Fault) {
    tally.coverage.faults[fault, default: 0] += 1
    faultCount += 1
  }

  mutating func endRestore() {
    isRestored = false
    generations += 1
    database.begin(Generation(generations))
  }

  mutating func restore(_ ledger: Ledger<Shelf>) {
    let schema = database.schema
    database = ledger
    database.schema = schema
    isRestored = true
    past.removeAll { $0.head.revision >= ledger.head.revision }
    oracle.restore(to: database)
  }

  mutating func crash(_ index: Int) throws {
    var device = devices[index]
    device.process += 1
    device.engine = Engine()
    (device.timer, device.hint) = (nil, nil)
    if plan.rules.contains(.newOriginPerHandle) {
      device.origin = originOfNextProcess(of: index)
    }
    // Without the rule, a process continues the origin after the last draft that the outbox still has.
    device.sequence =
      plan.rules.contains(.newOriginPerHandle)
      ? 0 : device.file.outbox.drafts.last { $0.id.origin.number == device.origin }?.id.sequence ?? 0
    device.file.open(as: .numbered(device.origin))
    devices[index] = device
    try handle(.start, on: index)
  }

  /// An origin for a copied file.
  private mutating func originOfCopy() -> UInt8 {
    guard !plan.isReduced else { return UInt8(devices.count + 1) }
    nextOrigin += 1
    return nextOrigin - 1
  }

  /// An origin for the next process of a device.
  ///
  /// Worlds that differ only in the names of origins behave alike. If they are merged, the name of an origin depends on its device alone, not
  /// on the order of all crashes; and an origin without drafts continues, as a new one that has its name, unless a copy of the file lists it
  /// as its own.
  private mutating func originOfNextProcess(of index: Int) -> UInt8 {
    guard !plan.isReduced else {
      let origin = devices[index].origin
      let isKnown = devices.indices.contains { $0 != index && devices[$0].file.origins.contains(.numbered(origin)) }
      return devices[index].sequence > 0 || isKnown ? origin + 10 : origin
    }
    nextOrigin += 1
    return nextOrigin - 1
  }

  mutating func make(_ index: Int) throws {
    let planned = plan.changes[index].removeFirst()
    try make(planned, on: index)
  }

  /// Makes a change, if the device's view accepts it.
  mutating func make(_ planned: Planned, on index: Int) throws {
    let file = devices[index].file
    let schema = file.schema
    func draft(_ content: SyncDraft.Content, requires: EntryID? = nil, id: EntryID) -> SyncDraft {
      SyncDraft(id: id, time: usesTime ? now : 0, schema: schema, content: content, requires: requires)
    }
    switch planned {
    case .retryAll:
      for refused in file.refusals {
        guard let new = devices[index].file.retry(refused.draft.id, as: devices[index].nextID(), by: devices[index].token) else { continue }
        oracle.forget(refused.draft, on: index)
        oracle.made(new, on: index, by: devices[index].token)
      }
      if !file.refusals.isEmpty { try handle(.drafted, on: index) }
      return
    case .change, .dependent, .undoLast, .redoLast, .markLast: break
    }
    let id = devices[index].nextID()
    let new: SyncDraft
    switch planned {
    case .change(let change): new = draft(.changes(change.payload), id: id)
    case .dependent(let change): new = draft(.changes(change.payload), requires: file.outbox.drafts.last?.family, id: id)
    case .undoLast:
      guard let last = file.lastUndoable else { return }
      new = draft(.undo(last), id: id)
    case .redoLast:
      guard let last = file.lastUndo else { return }
      new = draft(.redo(last), id: id)
    case .markLast:
      guard let last = file.lastUndoable, last.sequence < 256 else { return }
      new = draft(.changes(ShelfChange.mark(last).payload), id: id)
    case .retryAll: return
    }
    if new.content == .changes(ShelfChange.nonsense.payload) {
      guard !file.isLocked(for: devices[index].token) else { return }
      devices[index].file.makeUnchecked(new)
    } else {
      guard devices[index].file.make(new, by: devices[index].token) else { return }
    }
    oracle.made(new, on: index, by: devices[index].token)
    try handle(.drafted, on: index)
  }

  func isExpected(_ message: Message) -> Bool {
    message.process == devices[message.device].process && message.number == devices[message.device].engine.request
      && devices[message.device].engine.isBusy
  }

  mutating func deliver(_ message: Message, to process: Int) throws {
    switch message.body {
    case .request(let request):
      let answer = processes[process].begin(
        request, token: message.token, arrival: usesTime ? now : 0, policy: policy, database: database)
      if let answer { respond(answer, to: message) } else { deciding[process] = message }
    case .answer(let answer):
      guard message.process == devices[message.device].process else { return }
      let before = devices[message.device].file
      let reply: Reply
      if isExpected(message) || !plan.rules.contains(.ignoresLateAnswers) {
        // The device may have compacted its copy since it has asked.
        let asked = plan.rules.contains(.ignoresLateAnswers) ? message.asked : nil
        reply = devices[message.device].file.absorb(answer, to: asked)
        devices[message.device].hint = nil
        try oracle.absorbed(before: before, after: devices[message.device].file, in: self)
      } else {
        reply = .notUnderstood
      }
      let present = devices[message.device].engine.request
      // The wrong rule: the engine takes the answer to any of its requests for that to the last one.
      let number = plan.rules.contains(.ignoresLateAnswers) ? message.number : present
      if message.number <= present { try handle(.replied(number, reply), on: message.device) }
    }
  }

  mutating func commit(_ process: Int) throws {
    guard let message = deciding[process] else { return }
    let before = database
    var database = before
    guard let answer = processes[process].commit(to: &database, policy: policy) else { return }
    self.database = database
    deciding[process] = nil
    if database.head != before.head {
      past.append(before)
      for entry in database.entries where entry.revision > before.head.revision {
        try oracle.add(entry)
        if case .refused(_, _, let code) = entry.body { tally.coverage.refusals[code, default: 0] += 1 }
      }
    }
    if case .page(let page) = answer {
      oracle.pass(page.lines, in: message, before: before, among: devices)
      try oracle.checkOrder(of: page.lines, in: message, family: devices[message.device].family, before: before, after: database)
      for line in page.lines {
        try oracle.tells(line, in: database)
        if case .refused(let code, _) = line.verdict, !code.isEntry { tally.coverage.refusals[code, default: 0] += 1 }
      }
      if let hold = page.hold { tally.coverage.holds[hold.code, default: 0] += 1 }
    }
    respond(answer, to: message)
  }

  mutating func respond(_ answer: Answer, to message: Message) {
    // The connection may be closed already.
    guard message.process == devices[message.device].process, message.number == devices[message.device].engine.request else { return }
    var response = message
    response.asked = message.request
    response.body = .answer(answer)
    messages.append(response)
  }
}
