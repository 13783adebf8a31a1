import Alter
import AlterCore

// Scenarios: behaviour in words.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension TestStore {
  /// Begins a scenario, or adds to its beginning: the situation in words, and the changes that lead to it.
  ///
  /// ```swift
  /// @Test func aCompletedItemLeavesTheOpenOnes() async {
  ///   let list = TestStore(AppState())
  ///   list.given("a list with milk", .add(.item(milk)))
  ///   list.when("the milk is completed", .item(milk.id, .completed(true)))
  ///   await list.then("nothing is open") { $0.open.isEmpty }
  /// }
  /// ```
  ///
  /// A scenario asserts the behaviour that its words name, and nothing else. A failure repeats the words, with the state. The other methods of
  /// the store may stand between its steps, such as ``advance(by:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - words: The situation, without the word 'given'.
  ///   - changes: The changes that lead to it: one atomic batch. They must not be refused.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  public func given(
    _ words: String, _ changes: State.Change..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    step(.given, words, changes, at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// The event of a scenario: in words, and the changes that it makes.
  ///
  /// - Parameters:
  ///   - words: The event, without the word 'when'.
  ///   - changes: The changes: one atomic batch. They must not be refused.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  public func when(
    _ words: String, _ changes: State.Change..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    step(.when, words, changes, at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Runs the effects until none is ready, and checks the outcome of a scenario. The answers of the effects count as asserted.
  ///
  /// - Parameters:
  ///   - words: The outcome, without the word 'then'.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  ///   - holds: Whether the state shows the outcome.
  public func then(
    _ words: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ holds: @Sendable (State) -> Bool
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard goesOn("'then \(words)'", at: place), await settle(at: place) else { return }
    pass()
    let steps = tell(.then, words)
    if !holds(state) { fail(.scenario(steps, state: TestWording.describe(state)), at: place) }
  }

  private func step(_ word: ScenarioStep.Word, _ words: String, _ changes: [State.Change], at place: TestPlace) {
    guard goesOn("'\(word) \(words)'", at: place) else { return }
    let steps = tell(word, words)
    do {
      try store.change(changes)
    } catch {
      fail(.scenarioStopped(steps, change: TestWording.describe(changes), reason: "\(error)"), at: place)
    }
    pass()
  }

  /// Adds a step to the scenario; 'given' after 'then' begins another one.
  ///
  /// - Returns: The steps so far.
  private func tell(_ word: ScenarioStep.Word, _ words: String) -> [ScenarioStep] {
    progress.withLock { progress in
      if word == .given, progress.scenario.last?.word != .given { progress.scenario = [] }
      progress.scenario.append(ScenarioStep(word: word, words: words))
      return progress.scenario
    }
  }

  /// Takes the received answers as asserted.
  private func pass() {
    progress.withLock { progress in
      if let last = progress.received.last { progress.asserted = last.state }
      progress.received = []
    }
  }
}

/// A step of a scenario.
struct ScenarioStep: Sendable {
  enum Word: String, Sendable { case given, when, then }

  let word: Word
  let words: String

  /// The steps as lines: 'Given …', 'and …', 'when …', 'then …'.
  static func lines(_ steps: [ScenarioStep]) -> String {
    var last: Word?
    return steps.map { step in
      defer { last = step.word }
      return "  \(step.word == last ? "and" : step.word.rawValue) \(step.words)"
    }.joined(separator: "\n")
  }
}
