/// The part of a device that decides when to talk to the server: a pure state machine. Its shell carries the commands out.
///
/// ```
///   new ──start──▶ standby ──lock──▶ pulling ⇄ pushing ──all exchanged──▶ resting
///                                      │  ▲        410, restart ▶ fetching    │ drafted, hinted, nudged
///                        failure, hold ▼  │ timer                            ▼
///                                      waiting                       pushing / pulling
/// ```
///
/// Rules: one request at a time; every wait has a timer; an answer to a request that was given up is ignored; a failure of any kind is
/// repeated after a pause and is never a reason to drop a draft.
package struct Engine: Sendable, Hashable {
  package private(set) var phase = EnginePhase.new
  /// The number of the last request.
  package private(set) var request = 0
  /// The number of the last timer.
  package private(set) var timer = 0
  /// Whether ``timer`` is set.
  package private(set) var isTimerSet = false
  /// The failures in a row.
  package private(set) var failures = 0
  /// Whether the stream is open, or being opened.
  package private(set) var hasStream = false
  package private(set) var isStreamOpen = false
  /// Whether news have arrived during a request.
  package private(set) var hasNews = false
  /// Whether the stream has announced an end of the journal during a request.
  package private(set) var hasHint = false
  /// Whether the token was refreshed since the last success.
  package private(set) var hasRefreshed = false
  /// Whether an exchange has succeeded since the start.
  package private(set) var hasContact = false
  /// Whether a new floor is needed, instead of a pull.
  package private(set) var needsFloor = false
  /// The new floors in a row after which no page has arrived.
  package private(set) var floors = 0
  /// The reason for which the server holds the outbox, while pages of entries still arrive.
  package private(set) var held: SyncHold?
  /// The time at which drafts may be sent again.
  private var heldUntil: Int64 = 0
  /// The holds in a row, since the server has last decided what it was sent.
  package private(set) var holds = 0
  /// Whether the next push is a probe with one draft: from a hold, or a server that is busy, until the server has decided what it was sent.
  package private(set) var isProbing = false
  /// The time of the last request.
  private var sent: Int64 = 0
  /// Whether a nudge has sent a request again since the last success: once, because a slow server would never be heard otherwise.
  private var isNudged = false
  /// The streams in a row that have ended soon after they were open.
  package private(set) var streamEnds = 0
  private var streamStart: Int64 = 0
  /// The time before which no stream is opened; 0 for none.
  package private(set) var streamDue: Int64 = 0
  /// The start of the present outage.
  package private(set) var offlineSince: Int64?
  /// The last reported status.
  package private(set) var link: SyncLink?
  package let times: Times

  package init(times: Times = Times()) { self.times = times }

  /// Handles an event.
  ///
  /// - Throws: ``IllegalEvent``; then nothing has changed.
  package mutating func handle(_ event: EngineEvent, in situation: Situation) throws(IllegalEvent) -> [EngineCommand] {
    switch EngineTable.cell(phase, event.kind) {
    case .illegal(let error): throw error
    case .ignored: return []
    case .handled: break
    }
    if case .replied(let number, _) = event, number > request {
      throw IllegalEvent(phase: phase, event: .replied, reason: "the request \(number) was never sent")
    }
    var commands: [EngineCommand] = []
    if situation.isLocked, event.kind.isTalk {
      lock(at: event, into: &commands)
      return commands
    }
    switch event {
    case .start:
      phase = .standby
      commands.append(.takeLock)
    case .lockGranted:
      report(.connecting, into: &commands)
      exchange(in: situation, into: &commands)
    case .lockLost:
      leave(into: &commands)
      phase = .standby
      commands.append(.takeLock)
    case .suspended:
      let wasStandby = phase == .standby
      leave(into: &commands)
      phase = .suspended
      commands.append(.releaseLock)
      if !wasStandby { outage(in: situation, into: &commands) { .offline(.suspended, since: $0) } }
    case .resumed:
      phase = .standby
      commands.append(.takeLock)
    case .closed:
      if phase != .new {
        leave(into: &commands)
        if phase != .suspended { commands.append(.releaseLock) }
      }
      phase = .closed
    case .drafted: drafted(in: situation, into: &commands)
    case .nudged:
      // A request that has made no end for a while is sent again: the network may be another one. The part of a snapshot is worth more.
      if isBusy, phase == .fetching || isNudged || situation.now - sent < Int64(times.patience * 1_000_000) {
        hasNews = true
      } else {
        failures = 0
        isNudged = isBusy
        if isBusy { commands.append(.cancel(request)) }
        exchange(in: situation, into: &commands)
      }
    case .hinted:
      switch (phase, link) {
      // Entries arrive while the outbox waits. After a hold that is no hold of the server, the pause is one after a failure.
      case (.waiting, .held) where held != nil: send(.pull, in: situation, into: &commands)
      // The network is there again.
      case (.waiting, .offline(.network, _)), (.resting, _): exchange(in: situation, pulls: true, into: &commands)
      // The server has answered, and asked for patience or rejected the request: other devices' changes do not end the pause.
      case (.waiting, _): hasNews = true
      default: hasHint = true
      }
    case .replied(let number, let reply):
      guard number == request else { return [] }
      replied(reply, in: situation, into: &commands)
    case .failed(let number):
      guard number == request else { return [] }
      failure(.network, in: situation, into: &commands)
    case .fired(let number):
      guard number == timer, isTimerSet else { return [] }
      isTimerSet = false
      fired(in: situation, into: &commands)
    case .streamOpened:
      guard hasStream else { return [] }
      isStreamOpen = true
      streamStart = situation.now
      if phase == .resting { rest(in: situation, into: &commands) }
    case .streamEnded:
      let wasOpen = isStreamOpen
      (hasStream, isStreamOpen) = (false, false)
      // If the stream never opened, the next poll asks.
      guard wasOpen else { return [] }
      // The end of the stream may hide news. A pull detects whether the server is still there. A pause comes first: a server whose streams
      // end at once would be asked without end, and one that restarts would be asked by all devices together.
      let wasShort = situation.now - streamStart < Int64(times.shortStream * 1_000_000)
      streamEnds = wasShort ? min(streamEnds + 1, 16) : 0
      let pause = min(backoff(wasShort ? streamEnds : 4, situation.random), times.poll)
      streamDue = situation.now + Int64(pause * 1_000_000)
      if phase == .resting {
        endWait(into: &commands)
        set(pause, into: &commands)
      }
    case .tokenRefreshed:
      hasRefreshed = true
      exchange(in: situation, into: &commands)
    case .refreshFailed:
      report(.unauthorised, into: &commands)
      freeze(into: &commands)
    }
    return commands
  }

  // MARK: - Decisions

  /// Stops to talk, because another user has signed in. An answer that is in flight is given up, although its request was sent before: the
  /// owner's next exchange brings it again.
  private mutating func lock(at event: EngineEvent, into commands: inout [EngineCommand]) {
    if case .fired(timer) = event { isTimerSet = false }
    if isBusy { commands.append(.cancel(request)) }
    report(.locked, into: &commands)
    freeze(into: &commands)
  }

  /// Whether a request is in progress.
  package var isBusy: Bool { phase == .pulling || phase == .pushing || phase == .fetching }

  private mutating func drafted(in situation: Situation, into commands: inout [EngineCommand]) {
    if isBusy { hasNews = true } else { exchange(in: situation, into: &commands) }
  }

  private mutating func replied(_ reply: Reply, in situation: Situation, into commands: inout [EngineCommand]) {
    switch reply {
    case .page(let isMore, let hold):
      floors = 0
      if let hold, hold.code != .order {
        held = hold
        holds = min(holds + 1, 16)
        isProbing = true
        heldUntil = situation.now + Int64(holdPause(hold, situation.random) * 1_000_000)
      } else if phase == .pushing {
        (holds, isProbing) = (0, false)
      }
      let disorders = hold?.code == .order ? failures : 0
      succeed(isComplete: !isMore, in: situation, into: &commands)
      if let held {
        // Entries still arrive while the outbox waits.
        if isMore { return send(.pull, in: situation, into: &commands) }
        // The clock may have gone back.
        let rest = min(Double(heldUntil - situation.now) / 1_000_000, holdPause(held, 1))
        guard rest > 0 else { return exchange(in: situation, into: &commands) }
        openStream(in: situation, into: &commands)
        return pause(rest, in: situation, into: &commands) { .held(held.code, since: $0) }
      }
      if let hold {
        // The drafts are sent again from the first one. A second hold in a row would be a mistake of the server: it ends in a pause.
        failures = disorders + 1
        if failures > 1 { return failure(in: situation, into: &commands) { .held(hold.code, since: $0) } }
      }
      if situation.hasUndecided { return send(isProbing ? .probe : .push, in: situation, into: &commands) }
      let isBehind = hasHint && !situation.isAtHint
      if isMore || hasNews || isBehind || situation.awaitsEntries { return exchange(in: situation, pulls: true, into: &commands) }
      rest(in: situation, into: &commands)
    case .adopted:
      needsFloor = false
      floors = min(floors + 1, 16)
      succeed(isComplete: false, in: situation, into: &commands)
      exchange(in: situation, pulls: true, into: &commands)
    // A fetch names no place below which the journal may be compacted: without a pause, a wrong server would be asked without end.
    case .gone where phase == .fetching: failure(.notUnderstood, in: situation, into: &commands)
    case .gone:
      needsFloor = true
      guard floors > 0 else { return exchange(in: situation, into: &commands) }
      // Two servers disagree about the floor. Without a pause, whole states would be fetched without end.
      failures = max(failures, floors)
      failure(.notUnderstood, in: situation, into: &commands)
    case .superseded: exchange(in: situation, into: &commands)
    case .diverged(let isRestart):
      if isRestart, phase == .fetching {
        failure(.notUnderstood, in: situation, into: &commands)
      } else if isRestart {
        needsFloor = true
        exchange(in: situation, into: &commands)
      } else {
        report(.restarted, into: &commands)
        freeze(into: &commands)
      }
    case .unauthorised:
      if hasRefreshed {
        report(.unauthorised, into: &commands)
        freeze(into: &commands)
      } else {
        endWait(into: &commands)
        phase = .refreshing
        commands.append(.refreshToken)
        set(times.timeout, into: &commands)
      }
    case .forbidden:
      report(.forbidden, into: &commands)
      freeze(into: &commands)
    case .badEnvelope: failure(.envelope, in: situation, into: &commands)
    case .busy(let seconds):
      failures = min(failures + 1, 16)
      isProbing = true
      pause(max(permitted(seconds), backoff(failures, situation.random)), in: situation, into: &commands) { .offline(.busy, since: $0) }
    case .fileFailed: failure(.file, in: situation, into: &commands)
    case .cut: failure(.network, in: situation, into: &commands)
    case .brokenPage, .notUnderstood: failure(.notUnderstood, in: situation, into: &commands)
    }
  }

  private mutating func fired(in situation: Situation, into commands: inout [EngineCommand]) {
    switch phase {
    case .pulling, .pushing, .fetching:
      commands.append(.cancel(request))
      failure(.network, in: situation, into: &commands)
    case .refreshing: failure(.network, in: situation, into: &commands)
    case .resting:
      streamDue = 0
      exchange(in: situation, pulls: true, into: &commands)
    case .waiting, .frozen: exchange(in: situation, into: &commands)
    case .new, .standby, .suspended, .closed: break
    }
  }

  // MARK: - Steps

  /// Sends the request that is due: a floor, drafts, or a pull.
  private mutating func exchange(in situation: Situation, pulls: Bool = true, into commands: inout [EngineCommand]) {
    held = nil
    if needsFloor { return send(.fetch, in: situation, into: &commands) }
    send(situation.hasUndecided ? (isProbing ? .probe : .push) : .pull, in: situation, into: &commands)
  }

  private mutating func send(_ exchange: EngineCommand.Exchange, in situation: Situation, into commands: inout [EngineCommand]) {
    endWait(into: &commands)
    sent = situation.now
    (hasNews, hasHint) = (false, false)
    request += 1
    phase =
      switch exchange {
      case .pull: .pulling
      case .push, .probe: .pushing
      case .fetch: .fetching
      }
    commands.append(.send(request, exchange))
    set(times.timeout, into: &commands)
  }

  /// - Parameter isComplete: Whether the mirror has all entries up to the head that the server has named.
  private mutating func succeed(isComplete: Bool, in situation: Situation, into commands: inout [EngineCommand]) {
    (failures, hasRefreshed, hasContact, isNudged) = (0, false, true, false)
    // While the server holds the outbox, each attempt would report 'live' for a moment, and a new start of the outage.
    if let held { return outage(in: situation, into: &commands) { .held(held.code, since: $0) } }
    offlineSince = nil
    if isComplete {
      report(situation.isOutdated ? .outdated : .live, into: &commands)
    } else if link != .live, link != .outdated {
      // An app that waits for the first `live` wants all entries.
      report(.connecting, into: &commands)
    }
  }

  private mutating func rest(in situation: Situation, into commands: inout [EngineCommand]) {
    endWait(into: &commands)
    phase = .resting
    openStream(in: situation, into: &commands)
    // Heartbeats watch an open stream; until it is open, polls do.
    guard !isStreamOpen else { return }
    let pause = hasStream ? times.poll : Double(streamDue - situation.now) / 1_000_000
    set(min(pause, times.poll), into: &commands)
  }

  /// Opens the stream, unless it is open, or streams have ended at once and the pause has not passed.
  private mutating func openStream(in situation: Situation, into commands: inout [EngineCommand]) {
    guard !hasStream, streamDue <= situation.now else { return }
    hasStream = true
    commands.append(.openStream)
  }

  private mutating func failure(_ reason: SyncLink.Reason, in situation: Situation, into commands: inout [EngineCommand]) {
    failure(in: situation, into: &commands) { .offline(reason, since: $0) }
  }

  private mutating func failure(in situation: Situation, into commands: inout [EngineCommand], link: (_ since: Int64) -> SyncLink) {
    failures = min(failures + 1, 16)
    // The new token may expire during the outage.
    hasRefreshed = false
    pause(backoff(failures, situation.random), in: situation, into: &commands, link: link)
  }

  /// Waits, and then tries again.
  private mutating func pause(
    _ seconds: Double, in situation: Situation, into commands: inout [EngineCommand], link: (_ since: Int64) -> SyncLink
  ) {
    endWait(into: &commands)
    phase = .waiting
    set(seconds, into: &commands)
    outage(in: situation, into: &commands, link: link)
  }

  private mutating func freeze(into commands: inout [EngineCommand]) {
    endWait(into: &commands)
    closeStream(into: &commands)
    phase = .frozen
    hasRefreshed = false
    set(times.longest, into: &commands)
  }

  private mutating func leave(into commands: inout [EngineCommand]) {
    if isBusy { commands.append(.cancel(request)) }
    endWait(into: &commands)
    closeStream(into: &commands)
    (failures, hasNews, hasHint, hasRefreshed, held) = (0, false, false, false, nil)
    (holds, isProbing, streamEnds, streamDue) = (0, false, 0, 0)
  }

  private mutating func outage(in situation: Situation, into commands: inout [EngineCommand], link: (_ since: Int64) -> SyncLink) {
    // A hold and an outage are two conditions, each with a start of its own.
    if let old = self.link, old.isHeld != link(0).isHeld { offlineSince = nil }
    let since = offlineSince ?? situation.now
    offlineSince = since
    report(link(since), into: &commands)
  }

  private mutating func report(_ link: SyncLink, into commands: inout [EngineCommand]) {
    guard self.link != link else { return }
    self.link = link
    commands.append(.report(link))
  }

  private mutating func set(_ seconds: Double, into commands: inout [EngineCommand]) {
    timer += 1
    isTimerSet = true
    commands.append(.setTimer(timer, seconds: seconds))
  }

  private mutating func endWait(into commands: inout [EngineCommand]) {
    if isTimerSet { commands.append(.cancelTimer(timer)) }
    isTimerSet = false
  }

  private mutating func closeStream(into commands: inout [EngineCommand]) {
    if hasStream { commands.append(.closeStream) }
    (hasStream, isStreamOpen) = (false, false)
  }
}
