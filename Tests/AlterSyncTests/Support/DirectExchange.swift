import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

/// Devices that talk to one database without a network: each request is answered at once.
struct DirectExchange {
  var database: Ledger<Shelf>
  var limits = SyncLimits()
  let window: Int
  let rules: ModelRules

  init(_ rules: ModelRules = .all, window: Int = 100) {
    (self.rules, self.window) = (rules, window)
    database = .new(window: window, rules: rules)
  }

  /// The file of a device whose handle has an origin.
  func file(_ origin: UInt8) -> DeviceFile<Shelf> {
    var file = DeviceFile<Shelf>(.ann, initial: ShelfChange.note(1).payload, window: window, rules: rules)
    file.open(as: .numbered(origin))
    return file
  }

  func request(_ body: Request.Body, of file: DeviceFile<Shelf>) -> Request {
    Request(body, position: file.mirror?.head, floor: file.floor, principal: .ann, generation: file.generation, known: file.newestKnown)
  }

  mutating func answer(_ body: Request.Body, for file: DeviceFile<Shelf>) -> Answer {
    var process = ServerProcess(database, limits: limits, rules: rules)
    let request = request(body, of: file)
    var answer = process.begin(request, token: .ann, arrival: 0, policy: ShelfPolicy(), database: database)
    while answer == nil { answer = process.commit(to: &database, policy: ShelfPolicy()) }
    return answer ?? .notUnderstood
  }

  /// Exchanges everything, as an engine does, until the device rests or stops.
  ///
  /// - Returns: The replies.
  @discardableResult
  mutating func sync(_ file: inout DeviceFile<Shelf>) -> [Reply] {
    var replies: [Reply] = []
    var needsFloor = false
    while replies.count < 30 {
      let drafts = file.submissions(limits: limits)
      let body: Request.Body = needsFloor ? .fetch(file.questions) : drafts.isEmpty ? .pull : .push(drafts)
      let reply = file.absorb(answer(body, for: file))
      replies.append(reply)
      switch reply {
      case .page(let isMore, _): if !isMore, file.outbox.isEmpty { return replies }
      case .gone, .diverged(isRestart: true): needsFloor = true
      case .adopted: needsFloor = false
      default: return replies
      }
    }
    return replies
  }

  /// Makes a change, and exchanges everything.
  mutating func make(_ draft: SyncDraft, on file: inout DeviceFile<Shelf>) {
    guard file.make(draft) else { return }
    sync(&file)
  }
}
