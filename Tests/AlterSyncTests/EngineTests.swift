import AlterCore
import AlterJournal
import AlterSyncCore
import ProcessTesting
import Testing

@Suite("The device's engine")
struct EngineTests {
  /// An event of each kind, in all the variants that lead to different decisions.
  private static func variants(of kind: EngineEvent.Kind, for engine: Engine) -> [EngineEvent] {
    switch kind {
    case .start: [.start]
    case .lockGranted: [.lockGranted]
    case .lockLost: [.lockLost]
    case .drafted: [.drafted]
    case .nudged: [.nudged]
    case .replied:
      replies.map { .replied(engine.request, $0) } + (Effort.isFull ? replies : [.adopted]).map { .replied(engine.request - 1, $0) }
    case .failed: [.failed(engine.request), .failed(engine.request - 1)]
    case .fired: [.fired(engine.timer), .fired(engine.timer - 1)]
    case .streamOpened: [.streamOpened]
    case .hinted: [.hinted]
    case .streamEnded: [.streamEnded]
    case .tokenRefreshed: [.tokenRefreshed]
    case .refreshFailed: [.refreshFailed]
    case .suspended: [.suspended]
    case .resumed: [.resumed]
    case .closed: [.closed]
    }
  }

  /// An answer to a former request is ignored, whatever it is: the short run tries one of them.
  private static let replies: [Reply] = [
    .page(isMore: false, hold: nil), .page(isMore: true, hold: nil),
    .page(isMore: false, hold: SyncHold(.order, at: EntryID(1, 1), seconds: 1)),
    .page(isMore: true, hold: SyncHold(.schema, at: EntryID(1, 1), seconds: 9)),
    .page(isMore: false, hold: SyncHold(.policy, at: EntryID(1, 1), seconds: 9)), .cut, .adopted, .gone, .diverged(isRestart: true),
    .diverged(isRestart: false), .superseded, .brokenPage, .unauthorised, .forbidden, .badEnvelope, .busy(3), .notUnderstood,
  ]

  /// The part of an engine that decides, so that equal engines are explored once.
  private struct Key: Hashable {
    let phase: EnginePhase
    let isTimerSet: Bool
    let failures: Int
    let held: SyncHold?
    let holds: Int
    let streamEnds: Int
    let isStreamDelayed: Bool
    let flags: [Bool]
    let link: SyncLink?

    init(_ engine: Engine) {
      phase = engine.phase
      isTimerSet = engine.isTimerSet
      failures = engine.failures
      held = engine.held
      holds = engine.holds
      streamEnds = engine.streamEnds
      isStreamDelayed = engine.streamDue > 0
      flags = [
        engine.hasStream, engine.isStreamOpen, engine.hasNews, engine.hasHint, engine.hasRefreshed, engine.hasContact, engine.needsFloor,
        engine.isProbing,
      ]
      link = engine.link
    }
  }

  private static let situations = [
    Situation(hasUndecided: false), Situation(hasUndecided: true), Situation(hasUndecided: false, awaitsEntries: true),
    Situation(hasUndecided: true, isOutdated: true), Situation(hasUndecided: true, isLocked: true),
    Situation(hasUndecided: false, isAtHint: true),
  ]

  @Test("answers every event in every reachable state, keeps its invariants, and reaches every legal cell of its table")
  func everyStateAndEvent() throws {
    var seen: Set<Key> = []
    var queue = [Engine()]
    var hits: [Cell: Int] = [:]
    var steps = 0
    // Further failures differ in their pauses alone.
    let limit = Effort.isFull ? 3 : 2
    seen.insert(Key(queue[0]))
    while let engine = queue.popLast() {
      for kind in EngineEvent.Kind.allCases {
        for event in Self.variants(of: kind, for: engine) {
          for situation in Self.situations {
            var next = engine
            steps += 1
            let commands: [EngineCommand]
            do {
              commands = try next.handle(event, in: situation)
            } catch {
              if EngineTable.cell(engine.phase, kind) != .illegal(error) || next != engine {
                Issue.record("\(engine.phase) \(event): \(error)")
              }
              continue
            }
            hits[Cell(phase: engine.phase, event: kind), default: 0] += 1
            if EngineTable.cell(engine.phase, kind) == .ignored, next != engine || !commands.isEmpty {
              Issue.record("\(engine.phase) does not ignore \(event)")
            }
            if let problem = problem(engine, event, next, commands) {
              Issue.record("\(problem): \(engine.phase) \(event) → \(next.phase) \(commands)")
            }
            if next.failures < limit, next.streamEnds < limit, seen.insert(Key(next)).inserted { queue.append(next) }
          }
        }
      }
    }
    for cell in Cell.legal { #expect(hits[cell, default: 0] > 0, "\(cell) was never reached") }
    print("The engine alone: \(seen.count) states, \(steps) steps")
  }

  /// The invariants of one step. Nil means that they hold. (A million expectations would take longer than the steps.)
  private func problem(_ before: Engine, _ event: EngineEvent, _ after: Engine, _ commands: [EngineCommand]) -> String? {
    if commands.count(where: { if case .send = $0 { true } else { false } }) > 1 { return "two requests" }
    // Every wait has an owner and a timeout.
    switch after.phase {
    case .pulling, .pushing, .fetching, .refreshing, .waiting, .frozen: if !after.isTimerSet { return "no timer" }
    case .resting: if !after.isTimerSet, !after.isStreamOpen { return "neither a timer nor a stream" }
    case .new, .standby, .suspended, .closed:
      if after.isTimerSet { return "a timer is left" }
      if after.hasStream { return "a stream is left" }
    }
    // The timers of the shell are those of the engine.
    var isSet = before.isTimerSet
    if case .fired(let number) = event, number == before.timer { isSet = false }
    for command in commands {
      switch command {
      case .setTimer(let number, let seconds):
        if isSet || number > after.timer || seconds <= 0 { return "two timers" }
        isSet = true
      case .cancelTimer:
        if !isSet { return "no timer to cancel" }
        isSet = false
      default: break
      }
    }
    return isSet == after.isTimerSet ? nil : "the shell and the engine disagree about the timer"
  }

  @Test("gives every illegal event an error of its own")
  func illegalEvents() {
    var codes: Set<String> = []
    var cells = 0
    for phase in EnginePhase.allCases {
      for event in EngineEvent.Kind.allCases {
        guard case .illegal(let error) = EngineTable.cell(phase, event) else { continue }
        cells += 1
        codes.insert(error.code)
        #expect(error.description.contains(error.reason) && !error.reason.isEmpty)
      }
    }
    #expect(codes.count == cells)
    #expect(cells + Cell.legal.count == EnginePhase.allCases.count * EngineEvent.Kind.allCases.count)
  }

  @Test("an answer to a request that was never sent is an error")
  func unsentRequest() throws {
    var engine = Engine()
    _ = try engine.handle(.start, in: Situation(hasUndecided: false))
    _ = try engine.handle(.lockGranted, in: Situation(hasUndecided: false))
    #expect(throws: IllegalEvent.self) { try engine.handle(.replied(engine.request + 1, .adopted), in: Situation(hasUndecided: false)) }
  }

  /// An engine that has the lock and pulls.
  private func started(_ situation: Situation = Situation(hasUndecided: false)) throws -> Engine {
    var engine = Engine()
    _ = try engine.handle(.start, in: situation)
    _ = try engine.handle(.lockGranted, in: situation)
    return engine
  }

  @Test("doubles its pauses from 0.1 s to 60 s, with jitter between half and all of each")
  func backoff() throws {
    var engine = try started()
    var pauses: [Double] = []
    for _ in 0..<14 {
      for command in try engine.handle(.failed(engine.request), in: Situation(hasUndecided: true, random: 1)) {
        if case .setTimer(_, let seconds) = command { pauses.append(seconds) }
      }
      _ = try engine.handle(.fired(engine.timer), in: Situation(hasUndecided: true))
    }
    #expect(Array(pauses.prefix(4)) == [0.1, 0.2, 0.4, 0.8])
    #expect(pauses.suffix(3) == [60, 60, 60])
    #expect(engine.backoff(14, 0) == 30 && engine.backoff(14, 0.5) == 45 && engine.backoff(14, 7) == 60)
  }

  @Test("sends a new draft at once while it rests, and after the present request while it is busy")
  func drafted() throws {
    var engine = try started()
    let busy = try engine.handle(.drafted, in: Situation(hasUndecided: true))
    #expect(busy.isEmpty)
    let next = try engine.handle(.replied(1, .page(isMore: false, hold: nil)), in: Situation(hasUndecided: true))
    #expect(next.contains(.send(2, .push)))
    _ = try engine.handle(.replied(2, .page(isMore: false, hold: nil)), in: Situation(hasUndecided: false))
    #expect(engine.phase == .resting)
    let atOnce = try engine.handle(.drafted, in: Situation(hasUndecided: true))
    #expect(atOnce.contains(.send(3, .push)))
  }

  @Test("does not pull an end that was announced during a push, if the answer has brought it")
  func announcedByOwnPush() throws {
    var engine = try started()
    _ = try engine.handle(.replied(1, .page(isMore: false, hold: nil)), in: Situation(hasUndecided: true))
    #expect(engine.phase == .pushing)
    let page = EngineEvent.replied(2, .page(isMore: false, hold: nil))
    for (isAtHint, isNudged) in [(true, false), (false, false), (true, true)] {
      var pushing = engine
      #expect(try pushing.handle(.hinted, in: Situation(hasUndecided: true)).isEmpty)
      if isNudged { _ = try pushing.handle(.nudged, in: Situation(hasUndecided: true)) }
      let pulls = try pushing.handle(page, in: Situation(hasUndecided: false, isAtHint: isAtHint)).contains(.send(3, .pull))
      #expect(pulls == (!isAtHint || isNudged))
    }
  }

  @Test("nudging ends a pause; a new draft does not, because the server has asked for patience")
  func nudged() throws {
    var engine = try started()
    _ = try engine.handle(.replied(1, .busy(20)), in: Situation(hasUndecided: true))
    #expect(try engine.handle(.drafted, in: Situation(hasUndecided: true)).isEmpty)
    #expect(try engine.handle(.nudged, in: Situation(hasUndecided: true)).contains(.send(2, .probe)))
  }

  @Test("pulls the remaining pages while the server holds the outbox, and pushes only after the pause")
  func held() throws {
    var engine = try started()
    let drafts = Situation(hasUndecided: true)
    _ = try engine.handle(.replied(1, .page(isMore: false, hold: nil)), in: drafts)
    let held = try engine.handle(.replied(2, .page(isMore: true, hold: SyncHold(.policy, at: EntryID(1, 1), seconds: 9))), in: drafts)
    #expect(held.contains(.send(3, .pull)))
    #expect(try engine.handle(.replied(3, .page(isMore: true, hold: nil)), in: drafts).contains(.send(4, .pull)))
    let paused = try engine.handle(.replied(4, .page(isMore: false, hold: nil)), in: drafts)
    #expect(paused.contains(.setTimer(engine.timer, seconds: 9)) && engine.phase == .waiting)
    #expect(try engine.handle(.fired(engine.timer), in: drafts).contains(.send(5, .probe)))
  }

  @Test("reports a hold once, with its start, however often it tries again")
  func heldAgain() throws {
    var engine = try started()
    _ = try engine.handle(.replied(1, .page(isMore: false, hold: nil)), in: Situation(hasUndecided: true))
    var links: [SyncLink] = []
    for now: Int64 in 1...3 {
      let hold = SyncHold(.schema, at: EntryID(1, 1), seconds: 9)
      let drafts = Situation(hasUndecided: true, now: now)
      for command in try engine.handle(.replied(engine.request, .page(isMore: false, hold: hold)), in: drafts) {
        if case .report(let link) = command { links.append(link) }
      }
      _ = try engine.handle(.fired(engine.timer), in: drafts)
    }
    #expect(links == [.held(.schema, since: 1)])
  }

  @Test("asks a server whose stream never opens once for each poll, not without a pause")
  func brokenStream() throws {
    var engine = try started()
    let idle = Situation(hasUndecided: false)
    for _ in 0..<5 {
      #expect(try engine.handle(.replied(engine.request, .page(isMore: false, hold: nil)), in: idle).contains(.openStream))
      let ended = try engine.handle(.streamEnded, in: idle)
      #expect(ended.isEmpty && engine.phase == .resting && engine.isTimerSet)
      #expect(try engine.handle(.fired(engine.timer), in: idle).contains(.send(engine.request, .pull)))
    }
  }

  @Test("pauses longer and longer before it pulls again, if streams end at once; a stream that lasted ends the series")
  func shortStreams() throws {
    var engine = try started()
    var (now, pauses): (Int64, [Double]) = (0, [])
    for index in 0..<12 {
      let idle = Situation(hasUndecided: false, now: now, random: 1)
      _ = try engine.handle(.replied(engine.request, .page(isMore: false, hold: nil)), in: idle)
      _ = try engine.handle(.streamOpened, in: idle)
      if index == 10 { now += 60_000_000 }
      for command in try engine.handle(.streamEnded, in: Situation(hasUndecided: false, now: now, random: 1)) {
        if case .setTimer(_, let seconds) = command { pauses.append(seconds) }
      }
      #expect(engine.link == .live)
      #expect(try engine.handle(.fired(engine.timer), in: idle).contains(.send(engine.request, .pull)))
    }
    #expect(Array(pauses.prefix(4)) == [0.1, 0.2, 0.4, 0.8])
    #expect(Array(pauses.suffix(4)) == [25.6, 30, 0.8, 0.1])
    // A new draft does not wait for the pause.
    _ = try engine.handle(.replied(engine.request, .page(isMore: false, hold: nil)), in: Situation(hasUndecided: false, now: now))
    _ = try engine.handle(.streamOpened, in: Situation(hasUndecided: false, now: now))
    _ = try engine.handle(.streamEnded, in: Situation(hasUndecided: false, now: now))
    #expect(try engine.handle(.drafted, in: Situation(hasUndecided: true, now: now)).contains(.send(engine.request, .push)))
  }

  @Test("does not open a stream again before the pause, whatever else happens, and ignores the late opening of an ended one")
  func streamPause() throws {
    var engine = try started()
    func idle(_ now: Int64) -> Situation { Situation(hasUndecided: false, now: now, random: 1) }
    _ = try engine.handle(.replied(1, .page(isMore: false, hold: nil)), in: idle(0))
    _ = try engine.handle(.streamOpened, in: idle(0))
    // The stream announces something, and ends during the pull.
    _ = try engine.handle(.hinted, in: idle(0))
    _ = try engine.handle(.streamEnded, in: idle(0))
    let rest = try engine.handle(.replied(2, .page(isMore: false, hold: nil)), in: idle(10_000))
    #expect(!rest.contains(.openStream) && rest.contains(.setTimer(engine.timer, seconds: 0.09)))
    #expect(try engine.handle(.streamOpened, in: idle(20_000)).isEmpty)
    // After it has passed, the next rest opens the stream.
    _ = try engine.handle(.drafted, in: Situation(hasUndecided: true, now: 200_000))
    #expect(try engine.handle(.replied(3, .page(isMore: false, hold: nil)), in: idle(200_000)).contains(.openStream))
  }

  @Test("pauses after the second hold for the order of drafts in a row")
  func orderHold() throws {
    var engine = try started()
    let drafts = Situation(hasUndecided: true)
    _ = try engine.handle(.replied(1, .page(isMore: false, hold: nil)), in: drafts)
    let hold = Reply.page(isMore: false, hold: SyncHold(.order, at: EntryID(1, 1), seconds: 5))
    #expect(try engine.handle(.replied(2, hold), in: drafts).contains(.send(3, .push)))
    for _ in 0..<5 {
      _ = try engine.handle(.replied(engine.request, hold), in: drafts)
      #expect(engine.phase == .waiting)
      _ = try engine.handle(.fired(engine.timer), in: drafts)
    }
  }

  @Test("hints bring entries during a hold, and neither end its pause nor that of a busy server")
  func hintsDuringPauses() throws {
    var engine = try started()
    func drafts(_ seconds: Int64) -> Situation { Situation(hasUndecided: true, now: seconds * 1_000_000) }
    _ = try engine.handle(.replied(1, .page(isMore: false, hold: nil)), in: drafts(0))
    let hold = Reply.page(isMore: false, hold: SyncHold(.schema, at: EntryID(1, 1), seconds: 60))
    // A device that is held from its start has a stream, too.
    #expect(try engine.handle(.replied(2, hold), in: drafts(0)).contains(.openStream))
    for second in 1...9 as ClosedRange<Int64> {
      #expect(try engine.handle(.hinted, in: drafts(second)).contains(.send(engine.request, .pull)))
      let again = try engine.handle(.replied(engine.request, .page(isMore: false, hold: nil)), in: drafts(second))
      #expect(again.contains(.setTimer(engine.timer, seconds: Double(60 - second))))
    }
    #expect(try engine.handle(.fired(engine.timer), in: drafts(60)).contains(.send(engine.request, .probe)))
    _ = try engine.handle(.replied(engine.request, .busy(20)), in: drafts(60))
    #expect(try engine.handle(.hinted, in: drafts(61)).isEmpty && engine.phase == .waiting)
  }

  @Test(
    "a hint does not end the pause after a rejected request, and ends one without a network",
    arguments: [Reply.badEnvelope, .notUnderstood, .brokenPage, .fileFailed])
  func hintsAfterRejections(rejection: Reply) throws {
    var engine = try started()
    let drafts = Situation(hasUndecided: true)
    _ = try engine.handle(.replied(1, .page(isMore: false, hold: nil)), in: drafts)
    // A page opens the stream only when nothing is to be sent.
    _ = try engine.handle(.replied(engine.request, .page(isMore: false, hold: nil)), in: Situation(hasUndecided: false))
    _ = try engine.handle(.streamOpened, in: Situation(hasUndecided: false))
    _ = try engine.handle(.drafted, in: drafts)
    _ = try engine.handle(.replied(engine.request, rejection), in: drafts)
    #expect(engine.phase == .waiting)
    for _ in 0..<5 { #expect(try engine.handle(.hinted, in: drafts).isEmpty && engine.phase == .waiting) }
    #expect(try engine.handle(.fired(engine.timer), in: drafts).contains(.send(engine.request, .push)))
    _ = try engine.handle(.failed(engine.request), in: drafts)
    let again = try engine.handle(.hinted, in: drafts)
    #expect(again.contains(.send(engine.request, .push)))
  }

  @Test("reports a hold at its first page, and a start of their own for holds and outages")
  func starts() throws {
    var engine = try started()
    func drafts(_ now: Int64) -> Situation { Situation(hasUndecided: true, now: now) }
    let hold = SyncHold(.schema, at: EntryID(1, 1), seconds: 9)
    #expect(try engine.handle(.replied(1, .page(isMore: true, hold: hold)), in: drafts(1)).contains(.report(.held(.schema, since: 1))))
    _ = try engine.handle(.failed(engine.request), in: drafts(6))
    #expect(engine.link == .offline(.network, since: 6))
    _ = try engine.handle(.fired(engine.timer), in: drafts(7))
    _ = try engine.handle(.replied(engine.request, .page(isMore: false, hold: hold)), in: drafts(8))
    #expect(engine.link == .held(.schema, since: 8))
  }

  @Test("refreshes a token once, and then reports it")
  func unauthorised() throws {
    var engine = try started()
    #expect(try engine.handle(.replied(1, .unauthorised), in: Situation(hasUndecided: false)).contains(.refreshToken))
    _ = try engine.handle(.tokenRefreshed, in: Situation(hasUndecided: false))
    let commands = try engine.handle(.replied(2, .unauthorised), in: Situation(hasUndecided: false))
    #expect(commands.contains(.report(.unauthorised)))
    #expect(engine.phase == .frozen)
  }

  @Test("refreshes the token again after an outage, and at each attempt of a frozen device")
  func refreshesAgain() throws {
    var engine = try started()
    func reply(_ reply: Reply) throws -> [EngineCommand] {
      try engine.handle(.replied(engine.request, reply), in: Situation(hasUndecided: false))
    }
    #expect(try reply(.unauthorised).contains(.refreshToken))
    _ = try engine.handle(.tokenRefreshed, in: Situation(hasUndecided: false))
    _ = try engine.handle(.failed(engine.request), in: Situation(hasUndecided: false))
    _ = try engine.handle(.fired(engine.timer), in: Situation(hasUndecided: false))
    #expect(try reply(.unauthorised).contains(.refreshToken))
    _ = try engine.handle(.tokenRefreshed, in: Situation(hasUndecided: false))
    _ = try reply(.unauthorised)
    #expect(engine.phase == .frozen)
    _ = try engine.handle(.fired(engine.timer), in: Situation(hasUndecided: false))
    #expect(try reply(.unauthorised).contains(.refreshToken))
  }

  @Test("says 'live' when a page has ended at the head, and not after a floor or a part")
  func liveWhenComplete() throws {
    let quiet = Situation(hasUndecided: false)
    var engine = try started()
    func links(_ reply: Reply) throws -> [SyncLink] {
      try engine.handle(.replied(engine.request, reply), in: quiet).compactMap { if case .report(let link) = $0 { link } else { nil } }
    }
    #expect(try links(.gone).isEmpty)
    #expect(try links(.adopted).isEmpty && engine.link == .connecting)
    #expect(try links(.page(isMore: true, hold: nil)).isEmpty && engine.link == .connecting)
    #expect(try links(.page(isMore: false, hold: nil)) == [.live])
    // Later parts are no interruption.
    _ = try engine.handle(.nudged, in: quiet)
    #expect(try links(.page(isMore: true, hold: nil)).isEmpty && engine.link == .live)
    // After an outage it is connecting again.
    _ = try engine.handle(.failed(engine.request), in: quiet)
    _ = try engine.handle(.fired(engine.timer), in: quiet)
    #expect(try links(.page(isMore: true, hold: nil)) == [.connecting])
    #expect(try links(.page(isMore: false, hold: nil)) == [.live])
  }

  @Test("waits an hour at most, whatever the server asks for, and after a floor that is said to be gone")
  func largestPauses() throws {
    let drafts = Situation(hasUndecided: true, now: 1_700_000_000_000_000)
    for reply in [
      Reply.page(isMore: false, hold: SyncHold(.schema, at: EntryID(origin: .random(), sequence: 1), seconds: .max)), .busy(.max),
    ] {
      var engine = try started(drafts)
      let commands = try engine.handle(.replied(engine.request, reply), in: drafts)
      #expect(commands.contains(.setTimer(engine.timer, seconds: 3_600)), "\(reply): \(commands)")
    }
    for reply in [Reply.gone, .diverged(isRestart: true)] {
      var engine = try started()
      _ = try engine.handle(.replied(engine.request, .gone), in: Situation(hasUndecided: false))
      #expect(engine.phase == .fetching)
      _ = try engine.handle(.replied(engine.request, reply), in: Situation(hasUndecided: false))
      #expect(engine.phase == .waiting)
    }
  }

  @Test("a floor that is gone as soon as it is adopted is fetched again after a pause that grows, until a page arrives")
  func floorsInVain() throws {
    let quiet = Situation(hasUndecided: false)
    var engine = try started()
    func reply(_ reply: Reply) throws -> [EngineCommand] { try engine.handle(.replied(engine.request, reply), in: quiet) }
    _ = try reply(.gone)
    #expect(engine.phase == .fetching)
    var failures: [Int] = []
    for _ in 0..<4 {
      _ = try reply(.adopted)
      #expect(engine.phase == .pulling)
      _ = try reply(.gone)
      #expect(engine.phase == .waiting)
      failures.append(engine.failures)
      _ = try engine.handle(.fired(engine.timer), in: quiet)
      #expect(engine.phase == .fetching)
    }
    #expect(failures == [2, 3, 4, 5])
    _ = try reply(.adopted)
    _ = try reply(.page(isMore: true, hold: nil))
    _ = try reply(.gone)
    #expect(engine.phase == .fetching)
  }

  @Test("releases the lock before a suspension, and takes it again afterwards")
  func suspension() throws {
    var engine = try started()
    let commands = try engine.handle(.suspended, in: Situation(hasUndecided: false))
    #expect(commands.contains(.cancel(1)) && commands.contains(.releaseLock))
    // The answer of the cancelled request changes nothing.
    #expect(try engine.handle(.replied(1, .adopted), in: Situation(hasUndecided: false)).isEmpty)
    #expect(try engine.handle(.resumed, in: Situation(hasUndecided: false)) == [.takeLock])
  }
}
