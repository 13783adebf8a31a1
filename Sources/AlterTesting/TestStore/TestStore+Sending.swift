import Alter
import AlterCore

// The 'when' part of a test: the actions.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension TestStore {
  /// Makes changes, all or none, and checks how they change the state: that they change exactly these parts, or that they change it exactly as
  /// a closure does.
  ///
  /// ```swift
  /// store.send(.item(1, .completed(true)), changing: ["items[1].completed": true])
  /// store.send(.rename("x"), .add(2), changing: ["name": "x", "count": 3])
  /// store.send(.increment) { $0 = Counter(count: 1) }
  /// store.send(.selectAgain)                                       // does not change the state
  /// ```
  ///
  /// If the state changes otherwise, the failure shows how, and prints the parts that would have passed.
  ///
  /// The closure must not call `alter`, because that runs the code under test: an expectation that contains the same fault as `apply` always
  /// passes. Assign the new state or its properties. If the model's properties can't be set, name the parts.
  ///
  /// Effects that the changes request do not run yet. Answers that have already arrived must be asserted before this call; otherwise it
  /// reports a failure, and makes the changes nevertheless.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order: one atomic batch.
  ///   - parts: The parts of the state that change, with their new values. All other parts must stay the same.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  ///   - expectation: Turns the previous state into the expected one. Without parts and without a closure, the changes must not change the
  ///     state.
  public func send(
    _ changes: State.Change..., changing parts: ExpectedParts? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, expecting expectation: ((inout State) throws -> Void)? = nil
  ) {
    send(changes, TestExpectation(parts, expectation), at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private func send(_ changes: [State.Change], _ expectation: TestExpectation<State>, at place: TestPlace) {
    let text = TestWording.describe(changes)
    guard passReceived(before: text, at: place) else { return }
    do {
      take(try store.change(changes).id, text, expectation, at: place)
    } catch {
      fail(.notMade(text, reason: "\(error)", isRefused: error.isRefusal), at: place)
    }
  }

  /// Makes changes that the state must refuse, and checks that it refuses them.
  ///
  /// - Parameters:
  ///   - changes: The changes: one atomic batch.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  /// - Returns: The reason; nil if the changes were not refused.
  @discardableResult
  public func refuses(
    _ changes: State.Change..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> State.Failure? {
    refusal(of: changes, at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Makes changes that the state must refuse for a certain reason, and checks that it refuses them for that reason.
  ///
  /// ```swift
  /// store.refuses(.withdraw(100), because: .overdrawn)
  /// ```
  ///
  /// - Parameters:
  ///   - changes: The changes: one atomic batch.
  ///   - reason: The expected reason.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  public func refuses(
    _ changes: State.Change..., because reason: State.Failure, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) where State.Failure: Equatable {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let failure = refusal(of: changes, at: place), failure != reason else { return }
    let (expected, actual) = (TestWording.describe(reason), TestWording.describe(failure))
    fail(.refusedOtherwise(TestWording.describe(changes), expected: expected, actual: actual), at: place)
  }

  private func refusal(of changes: [State.Change], at place: TestPlace) -> State.Failure? {
    let text = TestWording.describe(changes)
    guard passReceived(before: text, at: place) else { return nil }
    let before = store.state
    do {
      let id = try store.change(changes).id
      let after = taken(id)?.state ?? store.state
      progress.withLock { $0.asserted = after }
      fail(.notRefused(text, TestWording.differences(before, after)), at: place)
      return nil
    } catch {
      guard case .refused(let failure) = error else {
        fail(.notMade(text, reason: "\(error)", isRefused: false), at: place)
        return nil
      }
      return failure
    }
  }

  /// Undoes the last change together with the feedback answers that it caused, and checks how that changes the state.
  ///
  /// - Parameters:
  ///   - parts: The parts of the state that change, with their new values. All other parts must stay the same.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  ///   - expectation: Turns the previous state into the expected one, without a call of `alter`. Without parts and without a closure, the undo
  ///     must not change the state.
  public func undo(
    changing parts: ExpectedParts? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, expecting expectation: ((inout State) throws -> Void)? = nil
  ) async {
    await undo(TestExpectation(parts, expectation), at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private func undo(_ expectation: TestExpectation<State>, at place: TestPlace) async {
    guard passReceived(before: "an undo", at: place) else { return }
    do {
      let undone = try await store.undo()
      takeLast(undone.revision, "the undo", expectation, at: place)
    } catch {
      fail(.notMade("an undo", reason: "\(error)", isRefused: false), at: place)
    }
  }

  /// Undoes the last change, which must be refused, and checks that nothing changes.
  ///
  /// ```swift
  /// store.send(.pay(5), changing: ["payment": 5])
  /// await store.receive(.charging(id), changing: ["isCharging": true])
  /// await store.refusesUndo()                                      // the bank was asked
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  /// - Returns: The reason; nil if the undo was made.
  @discardableResult
  public func refusesUndo(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> UndoError? {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard passReceived(before: "an undo", at: place) else { return nil }
    let before = store.state
    do {
      let undone = try await store.undo()
      progress.withLock { progress in
        progress.received.removeAll { $0.record.revision == undone.revision }
        progress.asserted = store.state
      }
      fail(.notRefused("An undo", TestWording.differences(before, store.state)), at: place)
      return nil
    } catch {
      return error
    }
  }

  /// Redoes the last undone change, and checks how that changes the state.
  ///
  /// - Parameters:
  ///   - parts: The parts of the state that change, with their new values. All other parts must stay the same.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  ///   - expectation: Turns the previous state into the expected one, without a call of `alter`. Without parts and without a closure, the redo
  ///     must not change the state.
  public func redo(
    changing parts: ExpectedParts? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, expecting expectation: ((inout State) throws -> Void)? = nil
  ) async {
    await redo(TestExpectation(parts, expectation), at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private func redo(_ expectation: TestExpectation<State>, at place: TestPlace) async {
    guard passReceived(before: "a redo", at: place) else { return }
    do {
      let redone = try await store.redo()
      takeLast(redone.revision, "the redo", expectation, at: place)
    } catch {
      fail(.notMade("a redo", reason: "\(error)", isRefused: false), at: place)
    }
  }

  // MARK: - Checking confirmed records

  /// Reports answers that arrived before an action and were not asserted. They count as asserted afterwards.
  ///
  /// - Returns: Whether the action can be done. False after `finish()`.
  private func passReceived(before text: String, at place: TestPlace) -> Bool {
    guard goesOn(text, at: place) else { return false }
    let (passed, isExhaustive) = progress.withLock { progress in
      defer {
        if let last = progress.received.last { progress.asserted = last.state }
        progress.received = []
      }
      return (progress.received, progress.isExhaustive)
    }
    if isExhaustive, !passed.isEmpty {
      fail(.unassertedBefore(text, passed.map { TestWording.describe($0.record) }), at: place)
    }
    return true
  }

  private func taken(_ id: EntryID) -> Received? {
    progress.withLock { progress in
      progress.received.firstIndex { $0.record.id == id }.map { progress.received.remove(at: $0) }
    }
  }

  private func take(_ id: EntryID, _ text: String, _ expectation: TestExpectation<State>, at place: TestPlace) {
    guard let received = taken(id) else { return }
    check(received, text, isSent: true, expectation, at: place)
  }

  private func takeLast(_ revision: Revision, _ text: String, _ expectation: TestExpectation<State>, at place: TestPlace) {
    let received = progress.withLock { progress in
      progress.received.firstIndex { $0.record.revision == revision }.map { progress.received.remove(at: $0) }
    }
    if let received { check(received, text, isSent: true, expectation, at: place) }
  }

  /// Compares the state after a record with the one that the test expects.
  func check(_ received: Received, _ text: String, isSent: Bool, _ expectation: TestExpectation<State>, at place: TestPlace) {
    let stamp = received.record.stamp
    let (before, isExhaustive) = progress.withLock { progress in
      defer { progress.asserted = received.state }
      progress.stamp = stamp
      return (progress.asserted, progress.isExhaustive)
    }
    if expectation.isNothing, isExhaustive, before != received.state {
      let lines = PartsComparison(from: before, to: received.state, expecting: [:], at: stamp).lines
      fail(.unexpectedChange(text, TestWording.differences(before, received.state), lines, isSent: isSent), at: place)
    }
    if let closure = expectation.closure {
      // In a non-exhaustive part, the closure receives the actual state, and must not change it.
      var expected = isExhaustive ? before : received.state
      do { try closure(&expected) } catch {
        return fail(.expectationThrew(text, "\(error)"), at: place)
      }
      if expected != received.state { fail(.otherState(text, TestWording.differences(expected, received.state)), at: place) }
    }
    if let parts = expectation.parts {
      let comparison = PartsComparison(from: before, to: received.state, expecting: parts, at: stamp, isExhaustive: isExhaustive)
      if !comparison.deviations.isEmpty { fail(.otherParts(text, comparison.deviations, comparison.lines), at: place) }
    }
  }
}

/// The expectation of a test about a change. Without parts and without a closure, the state stays the same.
struct TestExpectation<State> {
  /// The parts that change; no others do.
  let parts: ExpectedParts?
  /// Changes the state as the change does.
  let closure: ((inout State) throws -> Void)?

  init(_ parts: ExpectedParts?, _ closure: ((inout State) throws -> Void)?) { (self.parts, self.closure) = (parts, closure) }

  var isNothing: Bool { parts == nil && closure == nil }
}

extension ChangeError {
  fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}
