import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

/// A device of a simulation: its file, and the process that talks to the server.
struct SimulatedDevice {
  @Shared var file: DeviceFile<Shelf>
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
  var link: SyncLink?
  /// The last hint, until the answer to a request that names it is absorbed. Only a resting device hears one, so the next answer is that.
  var hint: Hint?
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
    case answer(Answer)
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
  /// The request that an answer belongs to.
  var asked: Request?

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
  /// A device compacts its copy of the journal, up to a revision.
  case compactDevice(Int, Int)
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
    var rules = ModelRules.all
    var limits = SyncLimits()
    var window = 100
    /// The newest schema of upgraded apps.
    var newestSchema = 1
    /// Whether worlds that behave alike from now on are one, and steps that commute with all others come first.
    var isReduced = false
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

  @Shared var plan: Plan
  @Shared var database: Ledger<Shelf>
  /// Earlier states of the database, for restores.
  var past: Parts<Ledger<Shelf>> = []
  var processes: Parts<ServerProcess<Shelf>>
  var devices: Parts<SimulatedDevice>
  var messages: Parts<Message> = []
  @Shared var policy = ShelfPolicy()
  /// The message whose push each server process decides.
  @Shared var deciding: [Message?] = [nil, nil]
  var faultCount = 0
  var nextOrigin: UInt8 = 1
  /// Microseconds.
  var now: Int64 = 0
  /// Whether the operator has not ended a restore.
  var isRestored = false
  /// Whether the truth about the laws is checked; the removal of a rule is detected by them.
  var oracle: Oracle {
    _read { yield oracles[0] }
    _modify { yield &oracles[0] }
  }
  private var oracles: Parts<Oracle>
  /// The hits of this world and of its copies.
  var tally = Tally()
  var coverage: Coverage { tally.coverage }
  var generations: UInt64 = 1
  /// Whether the streams are open and announce nothing.
  var areStreamsDead = false
  /// Whether arrival times are part of entries. Equal states are pruned only without them.
  var usesTime = false

  init(_ plan: Plan, devices count: Int = 2, principals: [Principal] = [.ann, .ann]) throws {
    let database = Ledger<Shelf>.new(window: plan.window, rules: plan.rules)
    self.plan = plan
    self.database = database
    oracles = [Oracle(database)]
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
      SimulatedDevice(file: file, engine: Engine(), token: principal, family: devices.count, origin: nextOrigin))
    nextOrigin += 1
    try handle(.start, on: devices.count - 1)
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
