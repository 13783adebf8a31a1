public import Alter
import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store for tests that runs effects step by step and checks every change of the state.
///
/// A test makes changes, advances time, and asserts each answer of the effects with the state that results from it.
///
/// ```swift
/// @Alterable struct Draft: Hashable {
///   @Default("") let text: String
///   @Default(false) let needsSaving: Bool
/// }
///
/// struct World: Sendable {
///   let clock: any Clock<Duration>
///   let upload: @Sendable (String) async throws -> Void
/// }
///
/// let save = Feedback<Draft, World>("save", request: { $0.needsSaving ? $0.text : nil }) { text, world in
///   try await world.clock.sleep(for: .seconds(1))
///   try await world.upload(text)
///   return .needsSaving(false)
/// }
///
/// @Test func aDraftIsSavedAfterASecond() async {
///   let clock = TestClock()
///   let world = World(clock: clock.clock, upload: { _ in })
///   let store = TestStore(Draft(), feedbacks: [save], in: world, clock: clock)
///
///   store.send(.text("Dear Ada"), .needsSaving(true), changing: ["text": "Dear Ada", "needsSaving": true])
///   #expect(store.effects.map(\.feedback) == ["save"])  // requested; it has not run yet
///   await store.advance(by: .seconds(1))
///   await store.receive(.needsSaving(false), changing: ["needsSaving": false])
///   await store.finish()                                // fails if anything is left over
/// }
/// ```
///
/// The state and its `Change` must be `Equatable`.
///
/// ## Running effects
///
/// A test store contains a real `Store` in memory and real feedbacks, without a lease. Effects run on an executor of its own, and only during these calls:
///
/// | call | runs |
/// |---|---|
/// | ``receive(_:changing:fileID:filePath:line:column:expecting:)`` and its variants | the effects until none is ready, at the present time |
/// | ``settle(fileID:filePath:line:column:)`` | the same, without an assertion |
/// | ``advance(by:fileID:filePath:line:column:)`` | the effects while time passes |
/// | ``undecided(_:_:fileID:filePath:line:column:)`` | the effects until none is ready, at the present time |
/// | ``finish(fileID:filePath:line:column:)`` | the effects, before and after their cancellation |
///
/// An effect that throws is repeated: ``undecided(_:_:fileID:filePath:line:column:)`` asserts the error, and
/// ``advance(by:fileID:filePath:line:column:)`` begins the next attempt. ``keys(_:)`` lists the requests that were performed. ``crash()`` ends
/// the effects as the death of the process would.
///
/// Stamps, and the effects that receive the clock in their environment, use a ``TestClock`` that only the test moves. A test therefore
/// takes no real time, and gives the same result in every run. With ``TestOrder/shuffled(seed:)``, jobs without a guaranteed order run in a
/// random order.
///
/// ## Asserting everything
///
/// A test must state every change of the state: the effect of each `send`, and each answer with its effect. ``ExpectedParts`` names the
/// parts of the state that change, and their new values. Alternatively, a closure receives the previous state and turns it into the expected
/// one: `{ $0 = Counter(count: 1) }`. Without either, the state must stay the same.
///
/// A closure must not call `alter` on the state. `{ $0 = try $0.alter(change) }` computes the expected state with the code under test. A
/// fault in `apply` is then in both states, and the test passes. In a test on the main actor, the compiler rejects closures in calls with
/// `await`; expected parts work there, too.
///
/// ``finish(fileID:filePath:line:column:)`` fails for everything that the test has left out. A store that is released without this call,
/// and has not failed before, reports the same at the line of its creation. To assert less in a part of a test, use
/// ``nonExhaustively(isolation:_:)``.
///
/// ## Failures
///
/// A failure is reported to the running test library (Swift Testing or XCTest) at the line of the call; see ``FailureReporter``. The
/// message names the change, the differing parts of the state, and the likely reason. If the first expectation of the example omits
/// `needsSaving`, the message is:
///
/// ```
/// The state after .text("Dear Ada"), .needsSaving(true) is not the expected one.
///
/// Changed, but not expected to change:
///   needsSaving: false → true
///
/// All changes of the state:
///   "text": "Dear Ada",
///   "needsSaving": true,
///
/// Either the change has an unexpected effect, or the expectation differs from the intended effect.
/// ```
///
/// A failure does not stop the test: the store continues with its actual state. A test never waits for an answer that cannot arrive. It
/// fails instead, and prints the effects in flight and the time until the next one wakes. With a shuffled order, the message contains the
/// seed.
///
/// ## Concurrency
///
/// The type is `Sendable`, and its methods can be called from any actor. The effects run on the thread of the calling method. Call the
/// methods one after the other: overlapping calls make the order of the effects unpredictable.
///
/// The store cannot control work outside its executor. It waits for work on the main actor. It does not wait for `Task.sleep`, networks and
/// detached tasks, so pass the effects an environment without them.
///
/// ## Performance
///
/// An assertion with a closure compares two states with `==`, and computes the differences only for a failure. Expected parts are compared
/// with the differences of the two states; parts that are equal by `==` are skipped. Each answer that is not asserted yet keeps
/// its state, which shares unchanged parts with the others. Effects that do not come to rest within 100,000 jobs are reported as a failure.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class TestStore<State: Alterable & Equatable>: Sendable where State.Change: Equatable {
  /// A confirmed record, and the state after it.
  struct Received: Sendable {
    let record: Record<State>
    let state: State
  }

  struct Progress: Sendable {
    /// The state up to which everything is asserted.
    var asserted: State
    /// The confirmed records that are not asserted yet.
    var received: [Received] = []
    var problems: [StoreProblem] = []
    var stamp = Stamp.none
    /// The steps of the present scenario.
    var scenario: [ScenarioStep] = []
    var isExhaustive = true
    var isFinished = false
    var hasFailed = false
    var run: FeedbackRun?
    var begin: (@Sendable () -> FeedbackRun)?
    var observation: ObservationToken?
    var reader: Task<Void, Never>?
  }

  /// The store under test, for code that needs a store: bindings, user actions, observations. Assert changes that are made through it with
  /// ``receive(_:changing:fileID:filePath:line:column:expecting:)``.
  public let store: Store<State>

  /// The clock of the stamps, and of the effects that receive it in their environment.
  package let clock: TestClock

  let order: TestOrder
  let executor: TestExecutor
  let progress: Lock<Progress>
  let performed = PerformedEffects()
  private let reporter: FailureReporter
  private let birthplace: TestPlace

  /// Creates a store with feedbacks.
  ///
  /// - Parameters:
  ///   - state: The initial state.
  ///   - feedbacks: The feedbacks. Their names must differ.
  ///   - environment: The dependencies of the effects.
  ///   - clock: The clock of the stamps. Pass the one that is in the environment, if it contains one.
  ///   - order: The order in which effects run that are ready at the same time; the one in which they became ready by default.
  ///   - rounds: The maximum number of consecutive feedback answers without an outside change; see `FeedbackOptions.rounds`.
  ///   - reporter: The receiver of failures.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  public convenience init<Environment: Sendable>(
    _ state: State, feedbacks: [Feedback<State, Environment>], in environment: Environment, clock: TestClock = TestClock(),
    order: TestOrder? = nil, rounds: Int = FeedbackOptions().rounds, reporter: FailureReporter = .current,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      state, clock: clock, order: order ?? .asReady, reporter: reporter,
      at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    var options = FeedbackOptions()
    options.clock = clock.clock
    options.executor = executor
    options.rounds = rounds
    let begin: @Sendable () -> FeedbackRun = { [store, options] in
      do { return try store.run(feedbacks, in: environment, options: options) } catch { preconditionFailure("\(error)") }
    }
    let run = begin()
    progress.withLock { ($0.run, $0.begin) = (run, begin) }
  }

  /// Creates a store without feedbacks, or with feedbacks that need no dependencies.
  ///
  /// - Parameters:
  ///   - state: The initial state.
  ///   - feedbacks: The feedbacks; none by default.
  ///   - clock: The clock of the stamps.
  ///   - order: The order in which effects run that are ready at the same time; the one in which they became ready by default.
  ///   - rounds: The maximum number of consecutive feedback answers without an outside change; see `FeedbackOptions.rounds`.
  ///   - reporter: The receiver of failures.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  public convenience init(
    _ state: State, feedbacks: [Feedback<State, Void>] = [], clock: TestClock = TestClock(), order: TestOrder? = nil,
    rounds: Int = FeedbackOptions().rounds, reporter: FailureReporter = .current,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      state, feedbacks: feedbacks, in: (), clock: clock, order: order, rounds: rounds, reporter: reporter,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  private init(_ state: State, clock: TestClock, order: TestOrder, reporter: FailureReporter, at place: TestPlace) {
    var options = clock.options()
    options.environment.origin = { .testing }
    options.monitor = performed
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
    // Observe before the feedbacks do, so that a record is here before its consequences.
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
    if let run = endWork() { Task(executorPreference: executor) { await run.stop() } }
    executor.run()
    if !isFinished, !hasFailed, isExhaustive, !left.isEmpty { fail(.unfinished(left), at: birthplace) }
  }

  // MARK: - Status

  /// The present state.
  public var state: State { store.state }

  /// The stamp of the change that was asserted last; in the closure of an expectation, of the change that it belongs to. Expected parts
  /// depend on it by ``Stamped``.
  ///
  /// ```swift
  /// store.send(.mark) { $0.marked = store.stamp.time }
  /// ```
  public var stamp: Stamp { progress.withLock { $0.stamp } }

  /// The requests of the state: waiting, running, pausing after an error, or stuck.
  public var effects: [EffectStatus] { progress.withLock { $0.run } == nil ? [] : store.effects }

  /// The ids of the requests that a feedback has performed, in order, one for each attempt. Only requests that act have ids.
  ///
  /// - Parameter feedback: The feedback's name.
  public func keys(_ feedback: String) -> [RequestID] { performed.keys(feedback) }

  /// Ends the effects as the death of the process would: their answers are lost, and the feedbacks begin again with the present state.
  public func crash() async {
    guard let (run, begin) = progress.withLock({ progress in progress.run.flatMap { run in progress.begin.map { (run, $0) } } }) else {
      return
    }
    run.abandon()
    executor.run()
    progress.withLock { $0.run = nil }
    let next = begin()
    progress.withLock { $0.run = next }
  }

  /// The reported problems that are not asserted yet, such as a chain of feedback answers that does not end, or a refused answer. The list
  /// is complete after the effects have run; see ``settle(fileID:filePath:line:column:)``.
  public var problems: [StoreProblem] { progress.withLock { $0.problems } }

  /// Everything that is not asserted, and the effects in flight.
  var leftovers: TestLeftovers {
    let (received, problems) = progress.withLock { ($0.received, $0.problems) }
    return TestLeftovers(
      received: received.map { TestWording.describe($0.record) }, problems: problems.map(\.description),
      effects: effects.map(TestWording.describe), errors: performed.errors, untilNext: clock.untilNext)
  }

  // MARK: - Failing

  /// Reports a failure if the test has already finished; returns whether it continues.
  func goesOn(_ what: String, at place: TestPlace) -> Bool {
    guard progress.withLock({ $0.isFinished }) else { return true }
    fail(.finished(what), at: place)
    return false
  }

  func fail(_ wording: TestWording, at place: TestPlace) {
    progress.withLock { $0.hasFailed = true }
    var message = wording.text
    if let seed = order.seed {
      message += "\n\nThe order was shuffled. `order: .shuffled(seed: \(seed))` reproduces it."
    }
    reporter.report(TestFailure(message, at: place))
  }

  /// Ends the observations.
  ///
  /// - Returns: The run, whose effects may still be running.
  func endWork() -> FeedbackRun? {
    let (run, observation, reader) = progress.withLock { progress in
      defer { (progress.run, progress.begin, progress.observation, progress.reader) = (nil, nil, nil, nil) }
      return (progress.run, progress.observation, progress.reader)
    }
    observation?.cancel()
    reader?.cancel()
    return run
  }
}

extension Origin {
  /// The origin of all changes in tests. It is the same in every run.
  public static let testing = Origin(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)))
}
