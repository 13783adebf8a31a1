import AlterCore
import AlterJournal
import AlterSyncCore
import AlterTesting
import SyncModel

/// A large schedule that a seed decides: several devices and principals, small limits, and all faults.
struct RandomSchedule {
  /// One action, drawn beforehand, so that a schedule can be shortened and repeated.
  struct Action: CustomStringConvertible {
    let kind: Int
    let seed: UInt64

    var description: String { "(\(kind), \(seed))" }
  }

  let seed: UInt64
  private(set) var world: World
  private var random: SeededGenerator
  /// The actions that compact the server's journal.
  private let compactions: Range<Int>
  /// The actions that compact a device's copy of it.
  private let deviceCompactions: Range<Int>
  /// The number of requests that the end needed.
  private(set) var exchanges = 0

  static func actions(seed: UInt64, count: Int) -> [Action] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Action(kind: random.below(100), seed: random.next()) }
  }

  /// - Parameter isCompacted: Whether every eighth action, and not every fiftieth, compacts the server's journal or a device's copy.
  init(seed: UInt64, rules: ModelRules = .all, isCompacted: Bool = false) throws {
    self.seed = seed
    compactions = isCompacted ? 10..<16 : 86..<87
    deviceCompactions = isCompacted ? 16..<22 : 21..<22
    random = SeededGenerator(seed: seed ^ 0x5eed)
    var plan = World.Plan(changes: [])
    plan.faultLimit = .max
    plan.rules = rules
    plan.newestSchema = 2
    plan.window = random.pick([1, 3, 10, 100])
    plan.limits.draftsPerPush = random.pick([1, 3, 100])
    plan.limits.entriesPerPage = random.pick([1, 4, 100])
    plan.limits.bytesPerDraft = 40
    plan.limits.refusalsPerMinute = random.pick([2, 5, 100])
    world = try World(plan, devices: 1 + random.below(3), principals: [.ann, .bob])
    world.usesTime = true
  }

  mutating func run(_ actions: [Action]) throws {
    for action in actions {
      random = SeededGenerator(seed: action.seed)
      try act(action.kind)
      // Each step of the network was checked already.
      if !Self.network.contains(action.kind) { try world.oracle.check(world) }
    }
    exchanges = try world.drain()
    try world.oracle.checkEnd(world)
  }

  /// The actions that let the network go on.
  private static let network = 22..<70

  private var device: Int { mutating get { random.below(world.devices.count) } }

  private mutating func act(_ kind: Int) throws {
    world.now += Int64(random.below(50_000))
    switch kind {
    case compactions: try world.perform(.compact(1 + random.below(Int(world.database.head.revision.number))))
    case deviceCompactions: try compactDevice()
    case 0..<22: try world.make(planned(), on: device)
    case Self.network: try advance()
    case 70..<74: if let place = message(isRequest: nil) { try world.perform(.lose(place)) }
    case 74: if let place = message(isRequest: true) { try world.perform(.duplicate(place)) }
    case 75..<78:
      let index = device
      if world.isInFlight(index) { try world.perform(.giveUp(index)) }
    case 78..<80: try world.perform(.crash(device))
    case 80: if let place = message(isRequest: false) { try world.perform(.crashDuring(place)) }
    case 81: try world.perform(.crashServer(random.below(2)))
    case 82: if world.devices.count < 6, world.nextOrigin < 180 { try copy() }
    case 83:
      // Rare: most schedules have no restore.
      if random.oneIn(4), !world.past.isEmpty { try world.perform(.restore(random.below(world.past.count))) }
    case 84..<86: try operate()
    case 87: try world.perform(random.oneIn(2) ? .enableSchema : .upgrade(device))
    case 88..<90: try cut()
    case 90:
      world.policy.isDown.toggle()
      world.count(.policyDown)
    case 91: revoke()
    case 92: try token()
    case 93: try answerBadly()
    case 94: try endStream()
    case 95..<99: try interrupt()
    default: if world.devices.count < 6, world.nextOrigin < 180 { try forge() }
    }
  }

  private mutating func planned() -> World.Planned {
    switch random.below(16) {
    case 0..<6: .change(.claim(UInt8(random.below(6))))
    case 6: .dependent(.claim(UInt8(random.below(6))))
    case 7..<9: .change(.add)
    case 9: .markLast
    case 10: .change(random.oneIn(2) ? .note(50) : .claim(99))
    case 11: .change(.nonsense)
    case 12..<14: .undoLast
    case 14: .redoLast
    default: .retryAll
    }
  }

  /// One step of the network, of a server process or of time.
  private mutating func advance() throws {
    for _ in 0..<3 {
      var steps: [Step] = []
      for (place, message) in world.messages.enumerated() {
        if message.request == nil {
          steps.append(.deliver(place, to: 0))
        } else {
          for process in world.processes.indices where world.processes[process].attempt == nil {
            steps.append(.deliver(place, to: process))
          }
        }
      }
      for process in world.processes.indices where world.processes[process].attempt != nil { steps.append(.commit(process)) }
      for index in world.devices.indices where world.canHint(index) { steps.append(.hint(index)) }
      for index in world.devices.indices {
        if let due = world.devices[index].timer?.due, due <= world.now { steps.append(.fire(index)) }
      }
      if !steps.isEmpty, !random.oneIn(10) {
        try world.perform(random.pick(steps))
      } else if let index = soonest() {
        try world.perform(.fire(index))
      }
      if random.oneIn(20) { for process in world.processes.indices { world.processes[process].refill() } }
    }
  }

  /// The device whose timer fires next, unless it belongs to a request in flight.
  private func soonest() -> Int? {
    world.devices.indices.filter { world.devices[$0].timer != nil && !world.isInFlight($0) }
      .min { world.devices[$0].timer!.due < world.devices[$1].timer!.due }
  }

  private mutating func message(isRequest: Bool?) -> Int? {
    let places = world.messages.indices.filter { isRequest == nil || (world.messages[$0].request != nil) == isRequest }
    return places.isEmpty ? nil : random.pick(places)
  }

  /// A device compacts its copy up to any revision that leaves an undo window.
  private mutating func compactDevice() throws {
    let floors = world.devices.indices.map { ($0, world.floors(of: $0)) }.filter { !$0.1.isEmpty }
    guard !floors.isEmpty else { return }
    let (index, revisions) = random.pick(floors)
    try world.perform(.compactDevice(index, random.pick(revisions)))
  }

  private mutating func copy() throws {
    let index = device
    let sequence = world.devices[index].sequence
    let origin = world.devices[index].origin
    try world.perform(.copy(index))
    guard random.oneIn(2) else { return }
    // A virtual machine is cloned: both copies continue the same handle.
    world.count(.liveClone)
    world.oracle.cloned.insert(world.devices[index].family)
    world.devices[world.devices.count - 1].origin = origin
    world.devices[world.devices.count - 1].sequence = sequence
  }

  private mutating func operate() throws {
    guard world.isRestored else { return }
    for index in world.devices.indices.shuffled(using: &random) where random.oneIn(2) {
      let file = world.devices[index].file
      guard let mirror = file.mirror, let lineage = file.lineage, mirror.head.revision > world.database.head.revision else { continue }
      var ledger = world.database
      if ledger.recover(Array(world.tail(of: mirror)), of: lineage, author: { _ in nil }) { return try world.perform(.recover(index)) }
    }
    try world.perform(.discard)
  }

  private mutating func cut() throws {
    guard let place = message(isRequest: false), case .answer(.page(let page)) = world.messages[place].body else { return }
    world.messages[place].body = .answer(.page(page.cut(after: random.below(page.lines.count + page.entries.count + 1))))
    world.count(.cutBody)
  }

  private mutating func revoke() {
    world.count(.revocation)
    let principal = random.pick([Principal.ann, .bob])
    switch random.below(4) {
    case 0: world.policy.writers.remove(principal)
    case 1: world.policy.readers.remove(principal)
    case 2: world.policy.scopes = world.policy.scopes.contains(.journal) ? ["own"] : [.journal, "own"]
    default: world.policy = ShelfPolicy(isDown: world.policy.isDown)
    }
  }

  private mutating func token() throws {
    world.count(.expiredToken)
    let index = device
    switch random.below(5) {
    case 0: world.devices[index].isTokenValid.toggle()
    // A forger sends the request under another token.
    case 1: if let place = message(isRequest: true) { world.messages[place].token = random.pick([.ann, .bob]) }
    case 2..<4:
      // Another user signs in.
      world.devices[index].token = random.pick([.ann, .bob])
      try world.handle(.nudged, on: index, ifLegal: true)
    default:
      world.devices[index].token = world.devices[index].file.principal
      try world.handle(.nudged, on: index, ifLegal: true)
    }
  }

  private mutating func answerBadly() throws {
    guard let place = message(isRequest: false) else { return }
    world.count(.badAnswer)
    world.messages[place].body = .answer(
      random.pick([.notUnderstood, .badEnvelope, .busy(1 + random.below(5)), .unauthorised, .forbidden] as [Answer]))
  }

  private mutating func endStream() throws {
    let index = device
    world.count(.streamEnd)
    switch random.below(3) {
    case 0: try world.handle(.streamEnded, on: index, ifLegal: true)
    case 1: try world.handle(.streamOpened, on: index, ifLegal: true)
    default: try world.handle(.hinted, on: index, ifLegal: true)
    }
  }

  /// The app is suspended, resumed, nudged, closed and opened again, or loses its lock; late events arrive.
  private mutating func interrupt() throws {
    let index = device
    world.count(.interruption)
    let engine = world.devices[index].engine
    switch random.below(12) {
    case 0: try world.handle(.suspended, on: index, ifLegal: true)
    case 1..<3: try world.handle(.resumed, on: index, ifLegal: true)
    case 3: try world.handle(.nudged, on: index, ifLegal: true)
    case 4:
      world.devices[index].isLockFree.toggle()
      if world.devices[index].isLockFree {
        if engine.phase == .standby { try world.handle(.lockGranted, on: index) }
      } else {
        try world.handle(.lockLost, on: index, ifLegal: true)
      }
    case 5: if engine.request > 0 { try world.handle(.failed(random.oneIn(2) ? engine.request : 0), on: index, ifLegal: true) }
    case 6: try world.handle(random.oneIn(2) ? .tokenRefreshed : .refreshFailed, on: index, ifLegal: true)
    case 7: try world.handle(.fired(0), on: index, ifLegal: true)
    case 8: if engine.request > 0 { try world.handle(.replied(0, .notUnderstood), on: index, ifLegal: true) }
    default:
      guard random.oneIn(2), world.nextOrigin < 250 else { return }
      try world.handle(.closed, on: index, ifLegal: true)
      world.devices[index].timer = nil
      for event in [EngineEvent.failed(0), .fired(0), .streamEnded, .suspended] { try world.handle(event, on: index, ifLegal: true) }
      try world.crash(index)
    }
  }

  /// Bob opens a file whose handle uses an origin of Ann's.
  private mutating func forge() throws {
    guard let (origin, record) = world.database.origins.min(by: { $0.key.number < $1.key.number }) else { return }
    try world.addDevice(record.belongs(to: .ann) ? .bob : .ann)
    world.devices[world.devices.count - 1].origin = origin.number
    world.devices[world.devices.count - 1].sequence = record.last + Int64(random.below(3))
  }
}

extension World {
  /// Handles an event that only a part of the phases permit.
  mutating func handle(_ event: EngineEvent, on index: Int, ifLegal: Bool) throws {
    if case .illegal = EngineTable.cell(devices[index].engine.phase, event.kind) { return }
    try handle(event, on: index)
  }
}
