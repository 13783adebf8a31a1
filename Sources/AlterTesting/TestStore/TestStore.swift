public import Alter
import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store for tests: given a state, when changes, then exactly these changes and this state.
///
/// ```swift
/// @Test func anItemIsSaved() async {
///   let clock = TestClock()
///   let store = TestStore(AppState(), feedbacks: [save], in: World(api: .fake, clock: clock.clock), clock: clock)
///
///   store.send(.add(.item(milk))) { $0 = AppState(items: [milk]) }       // what it changes, and nothing else
///   #expect(store.effects.map(\.feedback) == ["save"])                   // asked for, and not begun
///   await store.advance(by: .seconds(1))                                 // the clock stands still otherwise
///   await store.receive(.item(milk.id, .saved(true))) { $0 = AppState(items: [savedMilk]) }
///   await store.finish()                                                 // nothing is left over
/// }
/// ```
///
/// It is a real `Store` in memory with real feedbacks at work. Only their effects run when the test says so
/// (``receive(_:fileID:filePath:line:column:expecting:)``, ``advance(by:fileID:filePath:line:column:)``,
/// ``settle(fileID:filePath:line:column:)``), one step at a time on an executor of the test's own, by a clock that the test moves. So a
/// test is over at once, does the same at every run, and never waits for what can't come: that is a failure, which says what was waited for
/// and what is in flight. With ``TestOrder/shuffled(seed:)`` whatever has no promised order comes in any order.
///
/// Every change of the state must be told: what `send` changes, each answer that arrives and what that changes, and
/// ``finish(fileID:filePath:line:column:)`` finds what was left out. Where less will do, say so for a part of the test:
/// ``nonExhaustively(isolation:_:)``.
///
/// Failures are told to the test library that runs (Swift Testing or XCTest), at the line of the call; see ``FailureReporter``.
///
/// What effects do outside of the test's executor can't be made to stand still. Work on the main actor is waited for; `Task.sleep`,
/// networks and detached tasks are not: give the effects an environment without them.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class TestStore<State: Alterable & Equatable>: Sendable where State.Change: Equatable {
  /// Something that was confirmed, and the state it led to.
  struct Received: Sendable {
    let record: Record<State>
    let state: State
  }

  struct Progress: Sendable {
    /// The state up to which everything is asserted.
    var asserted: State
    /// Confirmed, and not asserted.
    var received: [Received] = []
    var problems: [StoreProblem] = []
    var stamp = Stamp.none
    var isExhaustive = true
    var isFinished = false
    var hasFailed = false
    var loop: FeedbackLoop<State>?
    var observation: ObservationToken?
    var reader: Task<Void, Never>?
  }

  /// The store under test, for what wants a store: bindings, user actions, observations. What is changed through it is to be asserted with
  /// ``receive(_:fileID:filePath:line:column:expecting:)``.
  public let store: Store<State>

  /// The clock that stamps, and the effects that were given it, go by.
  public let clock: TestClock

  let order: TestOrder
  let executor: TestExecutor
  let progress: Lock<Progress>
  private let reporter: FailureReporter
  private let birthplace: TestPlace

  /// A store with feedbacks at work.
  ///
  /// - Parameters:
  ///   - state: The state to begin with.
  ///   - feedbacks: What to perform; all of them look at what shows, as in any store without a journal.
  ///   - environment: The dependencies of their effects.
  ///   - clock: The clock that is in the environment, if one is.
  ///   - order: In which order effects run that are ready at the same time.
  ///   - rounds: How many times in a row feedback may answer feedback.
  ///   - reporter: Who is told of failures.
  ///   - fileID: Where the call stands.
  ///   - filePath: Where the call stands.
  ///   - line: Where the call stands.
  ///   - column: Where the call stands.
  public convenience init<Environment: Sendable>(
    _ state: State, feedbacks: [Feedback<State, Environment>], in environment: Environment, clock: TestClock = TestClock(),
    order: TestOrder = .asReady, rounds: Int = FeedbackOptions().rounds, reporter: FailureReporter = .current,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      state, clock: clock, order: order, reporter: reporter,
      at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    var options = FeedbackOptions()
    options.clock = clock.clock
    options.executor = executor
    options.rounds = rounds
    let loop = store.run(feedbacks, in: environment, options: options)
    progress.withLock { $0.loop = loop }
  }

  /// A store with feedbacks that need no dependencies.
  ///
  /// - Parameters:
  ///   - state: The state to begin with.
  ///   - feedbacks: What to perform.
  ///   - clock: The clock that stamps go by.
  ///   - order: In which order effects run that are ready at the same time.
  ///   - rounds: How many times in a row feedback may answer feedback.
  ///   - reporter: Who is told of failures.
  ///   - fileID: Where the call stands.
  ///   - filePath: Where the call stands.
  ///   - line: Where the call stands.
  ///   - column: Where the call stands.
  public convenience init(
    _ state: State, feedbacks: [Feedback<State, Void>] = [], clock: TestClock = TestClock(), order: TestOrder = .asReady,
    rounds: Int = FeedbackOptions().rounds, reporter: FailureReporter = .current,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      state, feedbacks: feedbacks, in: (), clock: clock, order: order, rounds: rounds, reporter: reporter,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  private init(_ state: State, clock: TestClock, order: TestOrder, reporter: FailureReporter, at place: TestPlace) {
    var options = clock.options()
    options.origin = { .testing }
    let store = Store(state, options: options)
    let executor = TestExecutor(order: order)
    let progress = Lock(Progress(asserted: state))
    self.store = store
    self.clock = clock
    self.order = order
    self.executor = executor
    self.progress = progress
    self.reporter = reporter
    birthplace = place
    // Before the feedbacks observe: an entry is here before anything that it leads to.
    let observation = store.observe { record, state in
      if let record { progress.withLock { $0.received.append(Received(record: record, state: state)) } }
    }
    let problems = store.problems
    let reader = Task(executorPreference: executor) {
      for await problem in problems { progress.withLock { $0.problems.append(problem) } }
    }
    progress.withLock {
      $0.observation = observation
      $0.reader = reader
    }
  }

  deinit {
    let (isFinished, hasFailed, isExhaustive) = progress.withLock { ($0.isFinished, $0.hasFailed, $0.isExhaustive) }
    let left = leftovers
    endWork()
    executor.run()
    if !isFinished, !hasFailed, isExhaustive, !left.isEmpty { fail(.unfinished(left), at: birthplace) }
  }

  // MARK: - What is there

  /// The present state.
  public var state: State { store.state }

  /// The stamp of the last change: what an expectation needs for stamped properties.
  ///
  /// ```swift
  /// store.send(.item(1, .completed(true))) { $0 = $0.alter(.item(1, .completed(true)), at: store.stamp) }
  /// ```
  public var stamp: Stamp { progress.withLock { $0.stamp } }

  /// What the state asks for and what has not been answered yet: waiting to run, running, or paused.
  public var effects: [EffectStatus] {
    progress.withLock { $0.loop }?.effects.filter { $0.phase != .answered } ?? []
  }

  /// What has gone wrong without anybody waiting to hear, and was not asserted: a chain of feedback that doesn't end, an answer that is
  /// refused. Up to date when the store has been run.
  public var problems: [StoreProblem] { progress.withLock { $0.problems } }

  /// What nobody has asserted, and what is still going on.
  var leftovers: TestLeftovers {
    let (received, problems) = progress.withLock { ($0.received, $0.problems) }
    return TestLeftovers(
      received: received.map { TestWording.describe($0.record) }, problems: problems.map(\.description),
      effects: effects.map(TestWording.describe), untilNext: clock.untilNext)
  }

  // MARK: - Failing

  /// Whether the test still goes on; fails when it doesn't.
  func goesOn(_ what: String, at place: TestPlace) -> Bool {
    guard progress.withLock({ $0.isFinished }) else { return true }
    fail(.finished(what), at: place)
    return false
  }

  func fail(_ wording: TestWording, at place: TestPlace) {
    progress.withLock { $0.hasFailed = true }
    var message = wording.text
    if let seed = order.seed {
      message += "\n\nThe order was shuffled. `order: .shuffled(seed: \(seed))` gives the same again."
    }
    reporter.report(TestFailure(message, at: place))
  }

  /// Lets go of everything at work.
  ///
  /// - Returns: The loop, which still has to end.
  @discardableResult
  func endWork() -> FeedbackLoop<State>? {
    let (loop, observation, reader) = progress.withLock { progress in
      defer { (progress.loop, progress.observation, progress.reader) = (nil, nil, nil) }
      return (progress.loop, progress.observation, progress.reader)
    }
    observation?.cancel()
    reader?.cancel()
    return loop
  }
}

extension Origin {
  /// The origin of what tests do: the same at every run.
  public static let testing = Origin(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)))
}
