import AlterCore
import AlterJournal
import AlterSyncCore

/// A device of a simulation: its file, and the process that talks to the server.
struct SimulatedDevice {
  var file: DeviceFile<Shelf>
  var engine: Engine
  /// The principal of the token that its requests carry.
  var token: Principal
  /// Copies of one file share it.
  let family: Int
  /// The number of the handle's origin.
  var origin: UInt8
  var sequence: Int64 = 0
  /// Distinguishes the process from earlier ones: an answer cannot reach a later process.
  var process = 0
  /// The set timer, and the time at which it fires.
  var timer: (number: Int, due: Int64)?
  /// Whether the shell may take the lock.
  var isLockFree = true
  var link: Link?
  /// The head of the last hint.
  var hinted = Revision.zero
  /// Whether the next token is accepted.
  var isTokenValid = true

  mutating func nextID() -> EntryID {
    sequence += 1
    return EntryID(origin, sequence)
  }
}

/// A message between a device and a server process.
struct Message {
  enum Body {
    case request(Request)
    case answer(Answer<Shelf>)
  }

  let device: Int
  let process: Int
  let number: Int
  var body: Body
  var token: Principal
  /// Whether it is the second copy of a request.
  var isCopy = false
  /// The outbox of the device when it sent the request.
  var outbox: [EntryID] = []

  var request: Request? { if case .request(let request) = body { request } else { nil } }
}

/// A step of a schedule.
enum Step: Hashable {
  /// The user of a device makes the next change of its script.
  case make(Int)
  /// A message arrives: a request at a server process, or an answer at its device.
  case deliver(Int, to: Int)
  /// A server process commits its push.
  case commit(Int)
  /// A device's timer fires.
  case fire(Int)
  /// The stream of a device announces a head.
  case hint(Int)
  /// The operator ends a restore: by `recover` with a device's mirror, or by `discard`.
  case recover(Int)
  case discard
  /// The operator enables the newest schema.
  case enableSchema
  /// The faults.
  case lose(Int)
  case duplicate(Int)
  case giveUp(Int)
  case crash(Int)
  /// A device's process dies while it absorbs a message.
  case crashDuring(Int)
  case crashServer(Int)
  case copy(Int)
  case restore(Int)
  case compact(Int)
  case upgrade(Int)
}

/// Two or more devices, the server processes, one database and the network between them, as one value.
struct World {
  /// The next changes of the users, per device.
  struct Plan {
    var changes: [[Planned]]
    /// Whether each fault may happen.
    var faults: [Fault] = Fault.small
    var faultLimit = 2
    var rules = SyncRules.all
    var limits = SyncLimits()
    var window = 100
    /// The newest schema of upgraded apps.
    var newestSchema = 1
  }

  /// A change that a user makes when the schedule says so.
  enum Planned: Hashable {
    case change(ShelfChange)
    /// Requires the device's draft before.
    case dependent(ShelfChange)
    /// Marks or removes the newest item that the view shows, if there is one.
    case undoLast
    case redoLast
    case retryAll
    case markLast
  }

  var plan: Plan
  var database: Ledger<Shelf>
  /// Earlier states of the database, for restores.
  var past: [Ledger<Shelf>] = []
  var processes: [ServerProcess<Shelf>]
  var devices: [SimulatedDevice]
  var messages: [Message] = []
  var policy = ShelfPolicy()
  var faultCount = 0
  var nextOrigin: UInt8 = 1
  /// Microseconds.
  var now: Int64 = 0
  /// Whether the operator has not ended a restore.
  var isRestored = false
  /// Whether the truth about the laws is checked; the removal of a rule is detected by them.
  var oracle: Oracle
  var coverage = Coverage()
  var generations: UInt64 = 1
  /// Whether the streams are open and announce nothing.
  var areStreamsDead = false
  /// Whether arrival times are part of entries. Equal states are pruned only without them.
  var usesTime = false

  init(_ plan: Plan, devices count: Int = 2, principals: [Principal] = [.ann, .ann]) throws {
    self.plan = plan
    database = .new(window: plan.window, rules: plan.rules)
    oracle = Oracle(database)
    processes = []
    devices = []
    for _ in 0..<2 { processes.append(ServerProcess(database, limits: plan.limits, rules: plan.rules)) }
    for index in 0..<count { try addDevice(principals[index % principals.count]) }
  }

  mutating func addDevice(_ principal: Principal, schema: Int = 1) throws {
    var file = DeviceFile<Shelf>(
      principal, initial: ShelfChange.note(1).payload, schema: schema, window: plan.window, rules: plan.rules)
    file.open(as: .numbered(nextOrigin))
    devices.append(
      SimulatedDevice(file: file, engine: Engine(rules: plan.rules), token: principal, family: devices.count, origin: nextOrigin))
    nextOrigin += 1
    try handle(.start, on: devices.count - 1)
  }

  // MARK: - The shell of the engine

  mutating func handle(_ event: EngineEvent, on index: Int, random: Double = 0.5) throws {
    let file = devices[index].file
    let situation = Situation(
      hasUndecided: !file.submissions(limits: plan.limits).isEmpty, awaitsEntries: !file.outbox.isEmpty && !file.outbox.hasUndecided,
      isOutdated: file.isOutdated, now: now, random: random)
    coverage.cells[Cell(phase: devices[index].engine.phase, event: event.kind), default: 0] += 1
    let commands: [EngineCommand]
    do throws(IllegalEvent) {
      commands = try devices[index].engine.handle(event, in: situation)
    } catch {
      throw LawBroken(0, "\(error)")
    }
    // The events that follow come after all commands.
    var following: [EngineEvent] = []
    for command in commands { carryOut(command, on: index, following: &following) }
    for event in following { try handle(event, on: index) }
  }

  private mutating func carryOut(_ command: EngineCommand, on index: Int, following: inout [EngineEvent]) {
    switch command {
    case .takeLock: if devices[index].isLockFree { following.append(.lockGranted) }
    case .releaseLock: break
    case .send(let number, let exchange): send(exchange, number, from: index)
    // The connection is closed: an answer in flight is lost; a request may still arrive.
    case .cancel(let number):
      messages.removeAll { message in
        guard message.device == index, message.number == number, message.process == devices[index].process else { return false }
        return message.request == nil
      }
    case .setTimer(let number, let seconds): devices[index].timer = (number, now + Int64(seconds * 1_000_000))
    case .cancelTimer: devices[index].timer = nil
    case .openStream: following.append(.streamOpened)
    case .closeStream: break
    case .refreshToken: following.append(devices[index].isTokenValid ? .tokenRefreshed : .refreshFailed)
    case .report(let link): devices[index].link = link
    }
  }

  private mutating func send(_ exchange: EngineCommand.Exchange, _ number: Int, from index: Int) {
    let device = devices[index]
    let body: Request.Body =
      switch exchange {
      case .pull: .pull
      case .push: .push(device.file.submissions(limits: plan.limits).map(onTheWire))
      case .fetch: .fetch(device.file.questions)
      }
    let request = Request(
      body, position: device.file.mirror?.head, floor: device.file.floor, principal: device.file.principal,
      generation: device.file.generation,
      known: max(device.hinted, device.file.newestKnown))
    messages.append(
      Message(
        device: index, process: device.process, number: number, body: .request(request), token: device.token,
        outbox: request.isPush ? device.file.outbox.ids : []))
  }

  /// The server can't decode nonsense, but the envelope is sound.
  private func onTheWire(_ submission: Submission) -> Submission {
    guard case .draft(let draft) = submission.body, draft.content == .changes(ShelfChange.nonsense.payload) else { return submission }
    return Submission(.malformed(draft.id, hash: draft.hash), after: submission.after)
  }

  // MARK: - Steps

  /// The steps that may come next.
  ///
  /// Steps that commute with all others are not interleaved with them. An answer that is in flight to a device changes that device alone, so
  /// only the steps of this device come before it arrives: those of the others lead to the same worlds after it. (The operator's `recover`
  /// reads a mirror; after a restore everything is interleaved.)
  func steps() -> [Step] {
    if !isRestored, let index = messages.first(where: { $0.request == nil })?.device { return steps(of: index) }
    return allSteps()
  }

  private func steps(of index: Int) -> [Step] {
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

  private func allSteps() -> [Step] {
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
  private func isTwin(_ process: Int) -> Bool {
    process > 0 && processes[0].attempt == nil && processes[0].view.head == processes[process].view.head
      && processes[0].view.generation == processes[process].view.generation
      && processes[0].view.floor.head.revision == processes[process].view.floor.head.revision
      && processes[0].view.schema == processes[process].view.schema && processes[0].refusals == processes[process].refusals
  }

  private func addFaults(to steps: inout [Step]) {
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

  private func canCompact(to revision: Int) -> Bool {
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
  private func isTimerFree(_ index: Int) -> Bool {
    guard devices[index].timer != nil else { return false }
    switch devices[index].engine.phase {
    case .pulling, .pushing, .fetching: return !isInFlight(index)
    // Nothing changes for a frozen device until the operator acts, or its permission returns.
    case .frozen: return !isRestored || generations > devices[index].file.generation?.number ?? 0
    default: return true
    }
  }

  func canHint(_ index: Int) -> Bool {
    let device = devices[index]
    guard !areStreamsDead, device.engine.isStreamOpen, device.engine.phase == .resting else { return false }
    // A hint names the generation and the head.
    return device.file.mirror?.head != database.head || device.file.generation != database.generation
  }

  private func canRecover(from index: Int) -> Bool {
    guard let mirror = devices[index].file.mirror, let lineage = devices[index].file.lineage, mirror.head.revision > database.head.revision
    else { return false }
    var ledger = database
    return ledger.recover(Array(tail(of: mirror)), of: lineage, author: { _ in .ann })
  }

  func tail(of mirror: Mirror<Shelf>) -> ArraySlice<SyncEntry> {
    guard database.head.revision >= mirror.floor.head.revision else { return [] }
    return mirror.entries[(database.head.revision - mirror.floor.head.revision)...]
  }

  /// The message whose push each server process decides.
  var deciding: [Message?] = [nil, nil]

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
      devices[index].hinted = database.head.revision
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
      oracle.copied.insert(devices[index].family)
      var copy = devices[index]
      copy.file.open(as: .numbered(nextOrigin))
      (copy.origin, copy.sequence, copy.timer, copy.engine) = (nextOrigin, 0, nil, Engine(rules: plan.rules))
      nextOrigin += 1
      devices.append(copy)
      try handle(.start, on: devices.count - 1)
    case .restore(let place):
      count(.restore)
      restore(past[place])
    case .compact(let revision):
      count(.floor)
      guard database.compact(to: Revision(Int64(revision)), rules: plan.rules) else { return }
    case .upgrade(let index):
      count(.schemaSkew)
      devices[index].file.upgrade(to: plan.newestSchema)
      // An upgraded app is a new process.
      try crash(index)
    }
    try oracle.check(self)
  }

  mutating func count(_ fault: Fault) {
    coverage.faults[fault, default: 0] += 1
    faultCount += 1
  }

  private mutating func endRestore() {
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
    device.engine = Engine(rules: plan.rules)
    (device.timer, device.hinted) = (nil, .zero)
    if plan.rules.contains(.newOriginPerHandle) {
      device.origin = nextOrigin
      nextOrigin += 1
    }
    // Without the rule, a process continues the origin after the last draft that the outbox still has.
    device.sequence =
      plan.rules.contains(.newOriginPerHandle)
      ? 0 : device.file.outbox.drafts.last { $0.id.origin.number == device.origin }?.id.sequence ?? 0
    device.file.open(as: .numbered(device.origin))
    devices[index] = device
    try handle(.start, on: index)
  }

  private mutating func make(_ index: Int) throws {
    let planned = plan.changes[index].removeFirst()
    try make(planned, on: index)
  }

  /// Makes a change, if the device's view accepts it.
  mutating func make(_ planned: Planned, on index: Int) throws {
    let file = devices[index].file
    let schema = file.schema
    func draft(_ content: Draft.Content, requires: EntryID? = nil, id: EntryID) -> Draft {
      Draft(id: id, time: usesTime ? now : 0, schema: schema, content: content, requires: requires)
    }
    switch planned {
    case .retryAll:
      for refused in file.refusals {
        guard let new = devices[index].file.retry(refused.draft.id, as: devices[index].nextID()) else { continue }
        oracle.forget(refused.draft, on: index)
        oracle.made(new, on: index)
      }
      if !file.refusals.isEmpty { try handle(.drafted, on: index) }
      return
    case .change, .dependent, .undoLast, .redoLast, .markLast: break
    }
    let id = devices[index].nextID()
    let new: Draft
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
      devices[index].file.makeUnchecked(new)
    } else {
      guard devices[index].file.make(new) else { return }
    }
    oracle.made(new, on: index)
    try handle(.drafted, on: index)
  }

  private func isExpected(_ message: Message) -> Bool {
    message.process == devices[message.device].process && message.number == devices[message.device].engine.request
      && [.pulling, .pushing, .fetching].contains(devices[message.device].engine.phase)
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
        reply = devices[message.device].file.absorb(answer)
        try oracle.absorbed(before: before, after: devices[message.device].file, in: self)
      } else {
        reply = .notUnderstood
      }
      if message.number <= devices[message.device].engine.request { try handle(.replied(message.number, reply), on: message.device) }
    }
  }

  mutating func commit(_ process: Int) throws {
    guard let message = deciding[process] else { return }
    let before = database
    guard let answer = processes[process].commit(to: &database, policy: policy) else { return }
    deciding[process] = nil
    if database.head != before.head {
      past.append(before)
      for entry in database.entries where entry.revision > before.head.revision {
        try oracle.add(entry)
        if case .refused(_, _, let code) = entry.body { coverage.refusals[code, default: 0] += 1 }
      }
    }
    if case .page(let page) = answer {
      try oracle.checkOrder(of: page.lines, in: message, family: devices[message.device].family, before: before, after: database)
      for line in page.lines {
        try oracle.tells(line, in: database)
        if case .refused(let code, _) = line.verdict, !code.isEntry { coverage.refusals[code, default: 0] += 1 }
      }
      if let hold = page.hold { coverage.holds[hold.code, default: 0] += 1 }
    }
    respond(answer, to: message)
  }

  private mutating func respond(_ answer: Answer<Shelf>, to message: Message) {
    // The connection may be closed already.
    guard message.process == devices[message.device].process, message.number == devices[message.device].engine.request else { return }
    var response = message
    response.body = .answer(answer)
    messages.append(response)
  }
}

extension DeviceFile<Shelf> {
  /// The draft that an undo would be about: the last one that the mirror or the outbox has, and that is not undone there.
  var lastUndoable: EntryID? {
    let entries = (mirror?.entries.compactMap(\.draft) ?? []) + outbox.drafts
    let undone = Set(entries.compactMap { if case .undo(let target) = $0.content { target } else { nil } })
    return entries.last { draft in
      if case .changes = draft.content { return !undone.contains(draft.id) }
      return false
    }?.id
  }

  /// The last undo.
  var lastUndo: EntryID? {
    ((mirror?.entries.compactMap(\.draft) ?? []) + outbox.drafts).last { if case .undo = $0.content { true } else { false } }?.id
  }
}

extension Request {
  /// Whether it carries drafts.
  var isPush: Bool { if case .push = body { true } else { false } }
}
