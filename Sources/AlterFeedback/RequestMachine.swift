import AlterCore
import AlterJournal

/// The life of the request in one slot, as a pure value: events in, actions out.
///
/// ```
///            look            go             returned             made, not made
///   idle ────────────> open ─────> running ──────────> settling ───────────────> idle, open
///                       ^             │ threw                          │
///                       └─────────────┘                                └───────> stuck
/// ```
///
/// Beside its phase it keeps `asked`, the request of the newest state that was examined. A performance has a number, so that the end of an
/// earlier one is recognised.
struct RequestMachine<Request: Equatable & Sendable>: Sendable {
  /// A request at the look with which it appeared.
  struct Asked: Sendable {
    var request: Request
    let id: RequestID?
    /// The record; nil if the request is older than the run.
    let cause: EntryID?
    let depth: Int
    /// Microseconds since 1970 UTC.
    let since: Int64
    /// The place in the order of appearance.
    let order: Int

    init(_ request: Request, cause: EntryID?, depth: Int, since: Int64, order: Int) {
      self.request = request
      id = (request as? any Acting)?.id
      (self.cause, self.depth, self.since, self.order) = (cause, depth, since, order)
    }

    /// Whether an answer to this request is one to the other.
    func isSame(as other: Asked) -> Bool { id == other.id && (id != nil || request == other.request) }
  }

  /// The properties of the feedback and its run.
  struct Rules: Sendable {
    var isActing = false
    var latestWins = false
    /// Whether `unclear:` supplies a change.
    var hasUnclear = false
    /// Whether requests need an id that is unique.
    var needsUniqueID = false
    var rounds = 5
  }

  /// The reason for which nothing more is done.
  enum Stuck: Hashable, Sendable {
    case rounds, answered, notUnique, unequal
    case refused(String)
    case unclear(String)

    /// Whether a person may begin the request again. Another request is needed otherwise.
    var canBeRetried: Bool { self != .notUnique && self != .unequal }
  }

  /// The reason for which an answer is not in the journal.
  enum Unmade: Hashable, Sendable {
    /// The visible state does not ask any more, or another process has the lease.
    case unasked, lost
    case refused(String)
  }

  /// A notice for `store.problems`.
  enum Notice: Hashable, Sendable {
    case stuck(Stuck)
    /// An effect that acts may have been done, and no state knows its outcome.
    case unclaimed
    /// The request was withdrawn before its effect had sent anything.
    case withdrawn
    /// An event that cannot be.
    case impossible(String)
  }

  /// The consequence of an event, beside the phase: in `running` the effect runs, and in `settling` its change is appended, or that of `unclear:`.
  enum Action: Hashable, Sendable {
    case cancel(number: Int)
    case pause(number: Int, attempt: Int, error: String)
    case report(Notice)
  }

  struct Performance: Sendable {
    var asked: Asked
    let attempt: Int
    let number: Int
    var isCancelled = false
    /// Whether an entry that belongs to the request has ended it.
    var isAnswered = false
  }

  enum Phase: Sendable {
    case idle
    /// The number of attempts so far, and of the performance after which it pauses.
    case open(Asked, attempts: Int, pause: Int?)
    case running(Performance)
    case settling(Performance)
    case stuck(Asked, Stuck)
  }

  private let rules: Rules
  private(set) var phase = Phase.idle
  private var asked: Asked?

  /// Creates the machine of a slot without a request.
  init(_ rules: Rules) { self.rules = rules }

  // MARK: - Status

  var isIdle: Bool { if case .idle = phase { true } else { false } }
  /// Whether the request can begin.
  var isReady: Bool { opening != nil }
  /// The number of the performance after which it pauses.
  var pause: Int? { if case .open(_, _, let pause) = phase { pause } else { nil } }
  /// Whether the effect runs, or will run without another change of the state.
  var isAtWork: Bool {
    switch phase {
    case .idle, .stuck: false
    case .open, .running, .settling: true
    }
  }
  /// Whether only a change from outside continues it.
  var awaitsOutside: Bool { if case .stuck(_, .rounds) = phase { true } else { false } }
  /// The request that is to begin, and the number of attempts so far.
  var opening: (asked: Asked, attempts: Int)? { if case .open(let asked, let attempts, nil) = phase { (asked, attempts) } else { nil } }
  /// The request that runs, settles or waits.
  var present: Asked? {
    switch phase {
    case .idle: nil
    case .open(let asked, _, _), .stuck(let asked, _): asked
    case .running(let performance), .settling(let performance): performance.asked
    }
  }

  // MARK: - Events

  /// The newest state that was examined asks for a request, or for none.
  ///
  /// - Parameters:
  ///   - new: The request.
  ///   - answered: The id of the request to which the record of the look belongs.
  mutating func look(_ new: Asked?, answered: String? = nil) -> [Action] {
    // The same request keeps the record with which it appeared.
    if let old = asked, let new, new.isSame(as: old) { asked?.request = new.request } else { asked = new }
    switch phase {
    case .idle: return next()
    case .open(let request, let attempts, let pause):
      if let asked, asked.isSame(as: request) {
        phase = .open(asked, attempts: attempts, pause: pause)
        return []
      }
      return (rules.isActing && attempts > 0 ? [.report(.unclaimed)] : []) + next()
    case .running(var performance):
      let isSame = note(&performance, answered)
      let isUnneeded = new == nil ? !rules.isActing : !isSame && rules.latestWins
      phase = .running(performance)
      return isUnneeded ? lost() : []
    case .settling(var performance):
      _ = note(&performance, answered)
      phase = .settling(performance)
      return []
    case .stuck(let request, let why):
      guard let asked, asked.isSame(as: request) || why == .unequal && !asked.isSame(as: asked) else { return next() }
      phase = .stuck(asked, why)
      if why == .rounds, new?.depth == 0 {
        self.asked = new
        return next()
      }
      return []
    }
  }

  /// Takes note of the newest request while an effect runs.
  ///
  /// - Returns: Whether the newest request is the one that the effect performs.
  private func note(_ performance: inout Performance, _ answered: String?) -> Bool {
    let isSame = asked?.isSame(as: performance.asked) ?? false
    if !isSame, let answered, answered == performance.asked.id?.description { performance.isAnswered = true }
    return isSame
  }

  /// The lease, the place among the running effects and the time permit the effect to begin.
  ///
  /// - Parameter number: The number of the performance.
  mutating func go(_ number: Int) -> [Action] {
    guard case .open(let asked, let attempts, nil) = phase else { return impossible("go") }
    phase = .running(Performance(asked: asked, attempt: attempts + 1, number: number))
    return []
  }

  /// The pause after a performance is over.
  mutating func due(_ number: Int) {
    if case .open(let asked, let attempts, number) = phase { phase = .open(asked, attempts: attempts, pause: nil) }
  }

  /// The effect has returned.
  mutating func returned(_ number: Int) -> [Action] {
    guard case .running(let performance) = phase, performance.number == number else { return impossible("returned") }
    // Also if an entry has ended the request: the effect itself may have sent it.
    phase = .settling(performance)
    return []
  }

  /// The effect has thrown an error.
  ///
  /// - Parameters:
  ///   - number: The number of the performance.
  ///   - error: The text of the error.
  ///   - isLast: Whether no further attempt is permitted.
  ///   - isUnsent: Whether the effect has not begun, or its first `send` has failed: the state did not ask any more.
  mutating func threw(_ number: Int, _ error: String = "", isLast: Bool = false, isUnsent: Bool = false) -> [Action] {
    guard case .running(let performance) = phase, performance.number == number else { return impossible("threw") }
    guard let asked, asked.isSame(as: performance.asked) else {
      // An earlier attempt may have acted.
      let notice = isUnsent && performance.attempt == 1 ? Notice.withdrawn : .unclaimed
      return (rules.isActing && !performance.isAnswered ? [.report(notice)] : []) + next()
    }
    if performance.isCancelled { return again(performance) }
    return isLast ? giveUp(performance, because: error) : pause(performance, because: error)
  }

  /// The answer is in the journal, and its state was examined.
  mutating func made(_ number: Int) -> [Action] {
    guard case .settling(let performance) = phase, performance.number == number else { return impossible("made") }
    // The same request may have disappeared and appeared again behind the answer.
    guard let asked, asked.isSame(as: performance.asked), asked.order == performance.asked.order else { return next() }
    return stick(asked, .answered)
  }

  /// The answer is not in the journal, and never will be.
  mutating func notMade(_ number: Int, _ why: Unmade) -> [Action] {
    guard case .settling(let performance) = phase, performance.number == number else { return impossible("not made") }
    guard let asked, asked.isSame(as: performance.asked) else {
      return (rules.isActing && !performance.isAnswered ? [.report(.unclaimed)] : []) + next()
    }
    switch why {
    case .refused(let text): return stick(asked, .refused(text))
    case .lost: return again(performance)
    // Only a pending change has withdrawn it. Without the pause the effect would run again and again until the journal has that change.
    case .unasked: return pause(performance, because: "")
    }
  }

  /// Another process has the lease, or may have it.
  mutating func lost() -> [Action] {
    guard case .running(var performance) = phase, !performance.isCancelled else { return [] }
    performance.isCancelled = true
    phase = .running(performance)
    return [.cancel(number: performance.number)]
  }

  /// A stuck request is to begin again.
  mutating func retry() -> [Action] {
    guard case .stuck(let request, let why) = phase else { return [] }
    if !why.canBeRetried { return stick(request, why) }
    phase = .open(request, attempts: 0, pause: nil)
    return []
  }

  // MARK: - Transitions

  private mutating func next() -> [Action] {
    phase = .idle
    return asked.map { open($0) } ?? []
  }

  private mutating func open(_ request: Asked) -> [Action] {
    if rules.needsUniqueID, request.id?.isNone == true { return stick(request, .notUnique) }
    if !request.isSame(as: request) { return stick(request, .unequal) }
    if request.depth >= rules.rounds { return stick(request, .rounds) }
    phase = .open(request, attempts: 0, pause: nil)
    return []
  }

  private mutating func again(_ performance: Performance, after pause: Int? = nil) -> [Action] {
    phase = .open(asked ?? performance.asked, attempts: performance.attempt, pause: pause)
    return []
  }

  private mutating func pause(_ performance: Performance, because error: String) -> [Action] {
    again(performance, after: performance.number) + [.pause(number: performance.number, attempt: performance.attempt, error: error)]
  }

  private mutating func giveUp(_ performance: Performance, because error: String) -> [Action] {
    guard rules.hasUnclear else { return stick(performance.asked, .unclear(error)) }
    phase = .settling(performance)
    return []
  }

  private mutating func stick(_ request: Asked, _ why: Stuck) -> [Action] {
    phase = .stuck(request, why)
    return [.report(.stuck(why))]
  }

  private func impossible(_ event: String) -> [Action] { [.report(.impossible("\(event) while \("\(phase)".prefix { $0 != "(" })"))] }
}
