import AlterCore
import AlterJournal
import AlterSyncCore
import AlterTesting
import SyncModel
import Testing

/// Two processes of one device that both talk to the server, for example because the lock beside the file does not work.
private struct TwoTalkers {
  private struct Talker {
    var needsFloor = false
    var exchange: (request: Request, answer: Answer)?
  }

  private(set) var exchange: DirectExchange
  private(set) var file: DeviceFile<Shelf>
  private var other: DeviceFile<Shelf>
  private var talkers = [Talker(), Talker()]
  private var random: SeededGenerator
  private var past: [Ledger<Shelf>] = []
  private var generation: UInt64 = 1
  private var made: [SyncDraft] = []
  private(set) var superseded = 0
  private(set) var compactions = 0
  /// The drafts that are folded into a floor. A restore may lose them without a report.
  private var folded: Set<EntryID> = []

  init(seed: UInt64, rules: ModelRules) {
    random = SeededGenerator(seed: seed)
    exchange = DirectExchange(rules, window: 2)
    exchange.limits.entriesPerPage = random.pick([1, 100])
    exchange.limits.draftsPerPush = random.pick([1, 100])
    (file, other) = (exchange.file(1), exchange.file(2))
  }

  mutating func run(_ count: Int) throws {
    for _ in 0..<count { try act() }
    for talker in talkers.indices where talkers[talker].exchange != nil { try talk(talker) }
    exchange.sync(&file)
    guard file.outbox.isEmpty, file.awaited.isEmpty, file.view().state == exchange.database.timeline.state else {
      throw LawBroken(8, "the outbox does not drain: \(file.outbox.drafts)")
    }
    // Below the floor, a change is known to the state alone.
    for draft in made where exchange.database.standings[draft.id] == nil && file.floor == 1 && !folded.contains(draft.id) {
      guard file.refusals.contains(where: { $0.draft == draft && $0.code == .lost }) else { throw LawBroken(7, "\(draft) is lost") }
    }
    for refused in file.refusals where refused.code == .lost && exchange.database.standings[refused.draft.id] != nil {
      throw LawBroken(7, "\(refused.draft) is listed as lost, and the journal has it")
    }
  }

  private mutating func act() throws {
    switch random.below(11) {
    case 0..<6: try talk(random.below(2))
    case 6..<8:
      let draft = SyncDraft(1, Int64(made.count + 1), .claim(UInt8(made.count)))
      if file.make(draft) { made.append(draft) }
    case 8:
      past.append(exchange.database)
      exchange.make(SyncDraft(2, Int64(past.count), .claim(UInt8(255 - past.count))), on: &other)
    case 9:
      // A third process of the device compacts its copy of the journal.
      guard let mirror = file.mirror, file.compact(to: mirror.head.revision + -random.below(5)) else { return }
      compactions += 1
      folded.formUnion(mirror.entries.lazy.filter { [floor = file.floor] in $0.revision <= floor }.map(\.id))
    default:
      switch random.below(3) {
      case 0: _ = exchange.database.compact(to: exchange.database.head.revision)
      // The operator restores the database and decides, or decides alone.
      case 1: if !past.isEmpty { exchange.database = random.pick(past) }
      default: break
      }
      generation += 1
      exchange.database.begin(Generation(generation), after: file.lineage)
    }
  }

  /// A process sends a request, or absorbs the answer to its last one.
  private mutating func talk(_ index: Int) throws {
    guard let (request, answer) = talkers[index].exchange else {
      let drafts = file.submissions(limits: exchange.limits)
      let body: Request.Body = talkers[index].needsFloor ? .fetch(file.questions) : drafts.isEmpty ? .pull : .push(drafts)
      let request = exchange.request(body, of: file)
      talkers[index].exchange = (request, exchange.answer(body, for: file))
      return
    }
    talkers[index].exchange = nil
    let floor = file.mirror?.floor.head
    let reply = file.absorb(answer, to: request)
    // The new floor, or the verdict of a draft that has left without an entry.
    var folds = Array(file.left)
    if case .snapshot(let fetched) = answer, file.mirror?.floor.head != floor { folds += fetched.lines.map { ($0.id, $0.verdict) } }
    for case (let id, .accepted(let revision)) in folds where revision <= file.floor { folded.insert(id) }
    switch reply {
    case .gone, .diverged(isRestart: true): talkers[index].needsFloor = true
    case .adopted: talkers[index].needsFloor = false
    case .superseded: superseded += 1
    case .diverged(isRestart: false): throw LawBroken(11, "the device stops, and the operator has nothing to decide")
    default: break
    }
  }
}

@Suite("Two processes of a device that talk at once")
struct TwoTalkersTests {
  @Test("lose nothing, and never stop the device")
  func anySchedule() throws {
    var (superseded, compactions) = (0, 0)
    for seed in 1...300 as ClosedRange<UInt64> {
      var talkers = TwoTalkers(seed: seed, rules: .all)
      do { try talkers.run(60) } catch { Issue.record("seed \(seed): \(error)") }
      superseded += talkers.superseded
      compactions += talkers.compactions
    }
    #expect(superseded > 0 && compactions > 0)
    #expect(throws: LawBroken.self, "no law needs the rule") {
      for seed in 1...300 as ClosedRange<UInt64> {
        var talkers = TwoTalkers(seed: seed, rules: .all.subtracting(.comparesRequests))
        try talkers.run(60)
      }
    }
  }
}
