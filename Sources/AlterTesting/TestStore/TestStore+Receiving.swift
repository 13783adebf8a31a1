import Alter
import AlterCore

// The 'then' part of a test: the answers of the effects.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension TestStore {
  /// Runs the effects until none is ready, and checks that the next answer consists of these changes, and how they change the state: that they
  /// change exactly these parts, or that they change it exactly as a closure does.
  ///
  /// ```swift
  /// await store.receive(.loaded("x"), changing: ["text": "x", "isLoading": false])
  /// ```
  ///
  /// The closure must not call `alter`, because that runs the code under test; see
  /// ``send(_:changing:fileID:filePath:line:column:expecting:)``.
  ///
  /// - Parameters:
  ///   - changes: The answer: one batch, as an effect returns or sends it.
  ///   - parts: The parts of the state that change, with their new values. All other parts must stay the same.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  ///   - expectation: Turns the previous state into the expected one, without a call of `alter`. Without parts and without a closure, the
  ///     answer must not change the state.
  public func receive(
    _ changes: State.Change..., changing parts: ExpectedParts? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, expecting expectation: ((inout State) throws -> Void)? = nil
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(changes, TestExpectation(parts, expectation), at: place)
  }

  private func receive(_ changes: [State.Change], _ expectation: TestExpectation<State>, at place: TestPlace) async {
    let text = TestWording.describe(changes)
    guard goesOn(text, at: place) else { return }
    await settle(at: place)
    guard let received = nextReceived(where: { $0 == changes }) else { return fail(.nothingReceived(text, leftovers), at: place) }
    if case .changes(changes) = received.record.kind { return check(received, text, isSent: false, expectation, at: place) }
    progress.withLock { $0.asserted = received.state }
    var differences: [String] = []
    if case .changes(let actual) = received.record.kind, actual.count == changes.count {
      differences = TestWording.differences(changes, actual)
    }
    let waiting = leftovers.received
    fail(.otherReceived(expected: text, actual: TestWording.describe(received.record), differences, waiting: waiting), at: place)
  }

  /// Runs the effects until none is ready, and checks that the next answer is one change that satisfies a condition, and how it changes the
  /// state. Use it for an answer that the test cannot predict.
  ///
  /// - Parameters:
  ///   - what: A description of the expected answer, for the failure's message.
  ///   - matches: The condition.
  ///   - parts: The parts of the state that change, with their new values. All other parts must stay the same.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  ///   - expectation: Turns the previous state into the expected one, without a call of `alter`. Without parts and without a closure, the
  ///     answer must not change the state.
  public func receive(
    _ what: String, matching matches: @Sendable (State.Change) -> Bool, changing parts: ExpectedParts? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    expecting expectation: ((inout State) throws -> Void)? = nil
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(what, matching: matches, TestExpectation(parts, expectation), at: place)
  }

  private func receive(
    _ what: String, matching matches: (State.Change) -> Bool, _ expectation: TestExpectation<State>, at place: TestPlace
  ) async {
    guard goesOn(what, at: place) else { return }
    await settle(at: place)
    func isMatch(_ changes: [State.Change]) -> Bool { changes.count == 1 && matches(changes[0]) }
    guard let received = nextReceived(where: isMatch) else { return fail(.nothingReceived(what, leftovers), at: place) }
    if case .changes(let changes) = received.record.kind, isMatch(changes) {
      return check(received, TestWording.describe(changes), isSent: false, expectation, at: place)
    }
    progress.withLock { $0.asserted = received.state }
    let waiting = leftovers.received
    fail(.otherReceived(expected: what, actual: TestWording.describe(received.record), [], waiting: waiting), at: place)
  }

  /// Runs the effects until none is ready, and checks that the next answers are these, in any order, and how they together change the state.
  ///
  /// - Parameters:
  ///   - answers: The answers, of one change each.
  ///   - parts: The parts of the state that change, with their new values. All other parts must stay the same.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  ///   - expectation: Turns the state before all answers into the expected state after them, without a call of `alter`. Without parts and
  ///     without a closure, they must not change the state.
  public func receive(
    inAnyOrder answers: State.Change..., changing parts: ExpectedParts? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    expecting expectation: ((inout State) throws -> Void)? = nil
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(inAnyOrder: answers, TestExpectation(parts, expectation), at: place)
  }

  private func receive(inAnyOrder answers: [State.Change], _ expectation: TestExpectation<State>, at place: TestPlace) async {
    guard goesOn("`receive(inAnyOrder:)`", at: place) else { return }
    await settle(at: place)
    var missing = answers.map { [$0] }
    var last: Received?
    let before = progress.withLock { $0.asserted }
    while !missing.isEmpty {
      guard let received = nextReceived(where: { missing.contains($0) }) else {
        if let last { progress.withLock { $0.asserted = last.state } }
        return fail(.nothingReceived(missing.map { TestWording.describe($0) }.joined(separator: " and "), leftovers), at: place)
      }
      last = received
      guard case .changes(let changes) = received.record.kind, let found = missing.firstIndex(of: changes) else {
        progress.withLock { $0.asserted = received.state }
        let expected = missing.map { TestWording.describe($0) }.joined(separator: " or ")
        let waiting = leftovers.received
        return fail(
          .otherReceived(expected: expected, actual: TestWording.describe(received.record), [], waiting: waiting), at: place)
      }
      missing.remove(at: found)
    }
    guard let last else { return }
    progress.withLock { $0.asserted = before }
    check(last, answers.map { TestWording.describe([$0]) }.joined(separator: " and "), isSent: false, expectation, at: place)
  }

  /// Runs the effects until none is ready, and checks the next problem that the store has reported.
  ///
  /// - Parameters:
  ///   - part: A text that the problem's description must contain.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  public func receiveProblem(
    _ part: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard goesOn("`receiveProblem`", at: place) else { return }
    await settle(at: place)
    let problem = progress.withLock { $0.problems.isEmpty ? nil : $0.problems.removeFirst() }
    guard let problem else { return fail(.nothingReceived("a problem that contains '\(part)'", leftovers), at: place) }
    if !problem.description.contains(part) {
      fail(.otherProblem(expected: "a problem that contains '\(part)'", actual: "\(problem)"), at: place)
    }
  }

  /// Runs the effects until none is ready, and checks that the next error that an effect has thrown is one of a feedback, and of a type. The
  /// request is undecided: its effect begins again after a pause.
  ///
  /// ```swift
  /// await store.undecided("charge", Timeout.self)
  /// await store.advance(by: .seconds(2))            // the next attempt
  /// ```
  ///
  /// - Parameters:
  ///   - feedback: The feedback's name.
  ///   - type: The type of the error.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  /// - Returns: The error; nil if the check has failed.
  @discardableResult
  public func undecided<Failure: Error>(
    _ feedback: String, _ type: Failure.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Failure? {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard goesOn("`undecided`", at: place) else { return nil }
    await settle(at: place)
    let expected = "an error of the type \(Failure.self) from the feedback '\(feedback)'"
    guard let (name, error) = performed.nextError() else {
      fail(.nothingReceived(expected, leftovers), at: place)
      return nil
    }
    if name == feedback, let error = error as? Failure { return error }
    fail(.otherProblem(expected: expected, actual: "\(error), from the feedback '\(name)'"), at: place)
    return nil
  }

  /// Removes and returns the next received answer. In a non-exhaustive part, it is the next one that fits, and those before it are skipped.
  private func nextReceived(where fits: ([State.Change]) -> Bool) -> Received? {
    progress.withLock { progress in
      guard !progress.isExhaustive else { return progress.received.isEmpty ? nil : progress.received.removeFirst() }
      let found = progress.received.firstIndex { if case .changes(let changes) = $0.record.kind { fits(changes) } else { false } }
      guard let found else { return nil }
      if found > 0 { progress.asserted = progress.received[found - 1].state }
      defer { progress.received.removeFirst(found + 1) }
      return progress.received[found]
    }
  }

  // MARK: - Running

  /// Moves the clock forward, and runs the effects. It stops at each time at which a sleeping task wakes, so that tasks wake in order.
  ///
  /// - Parameters:
  ///   - duration: The time to pass.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  public func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard goesOn("`advance`", at: place), await settle(at: place) else { return }
    let end = clock.elapsed + duration
    while let next = clock.untilNext, clock.elapsed + next <= end {
      clock.advance(by: next)
      guard await settle(at: place) else { return }
    }
    clock.advance(by: end - clock.elapsed)
  }

  /// Runs the effects until none is ready, without moving the clock. The test must assert the answers afterwards.
  public func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await settle(at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// - Returns: Whether the effects came to rest. If not, the failure is reported.
  @discardableResult
  func settle(at place: TestPlace) async -> Bool {
    var rounds = Self.rounds
    while rounds > 0, executor.run(atMost: Self.steps) {
      // An effect may be running on the main actor. Each turn there lets it take another step.
      for _ in 0..<Self.mainActorTurns where executor.isIdle { await MainActor.run {} }
      if executor.isIdle { return true }
      rounds -= 1
    }
    fail(.restless(leftovers), at: place)
    return false
  }

  private static var steps: Int { 100_000 }
  private static var rounds: Int { 10_000 }
  private static var mainActorTurns: Int { 16 }

  // MARK: - Finishing

  /// Ends the test. It runs the effects until none is ready, and fails for everything that is left: answers and problems that were not
  /// asserted, effects in flight, and effects that continue after their cancellation.
  ///
  /// Every later action or assertion is a failure. Without this call, the store reports what is left when it is released.
  public func finish(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let isAtRest = await settle(at: place)
    let isExhaustive = progress.withLock { progress in
      progress.isFinished = true
      return progress.isExhaustive
    }
    let left = leftovers
    if isExhaustive, isAtRest, !left.isEmpty { fail(.leftOver(left), at: place) }
    guard let run = endWork() else { return }
    let hasEnded = Lock(false)
    let task = Task(executorPreference: executor) {
      await run.stop()
      hasEnded.withLock { $0 = true }
    }
    if await settle(at: place), !hasEnded.withLock({ $0 }) { fail(.endless(left.effects), at: place) }
    task.cancel()
  }

  /// Runs a part of a test non-exhaustively. An expectation then states only a part of the new state, and answers that the test does not
  /// assert are skipped.
  ///
  /// ```swift
  /// await store.nonExhaustively {
  ///   store.send(.open(document))
  ///   await store.receive(.loaded(document), changing: ["title": "Plan"])      // other parts of the state may change, too
  /// }
  /// ```
  ///
  /// Answers that were received by the end of the part count as asserted. Effects in flight continue.
  ///
  /// - Parameters:
  ///   - isolation: The actor on which the part runs; by default the caller's.
  ///   - body: The part of the test. Its expected parts need not have changed. Its closures receive the actual new state, and must not
  ///     change it.
  /// - Returns: The result of the closure.
  /// - Throws: Any error of the closure.
  public func nonExhaustively<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let wasExhaustive = progress.withLock { progress in
      defer { progress.isExhaustive = false }
      return progress.isExhaustive
    }
    defer {
      progress.withLock { progress in
        progress.isExhaustive = wasExhaustive
        if wasExhaustive {
          if let last = progress.received.last { progress.asserted = last.state }
          progress.received = []
          progress.problems = []
        }
      }
    }
    return try await body()
  }
}
