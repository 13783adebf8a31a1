import Alter
import AlterCore

/// Everything that is not asserted, and the effects in flight, as text.
struct TestLeftovers: Sendable {
  var received: [String] = []
  var problems: [String] = []
  var effects: [String] = []
  /// The errors that effects have thrown.
  var errors: [String] = []
  /// The time until the first sleeping task wakes; nil if none is sleeping.
  var untilNext: Duration?

  var isEmpty: Bool { received.isEmpty && problems.isEmpty && effects.isEmpty && errors.isEmpty }
}

/// The message of a failure: the facts, the likely reason, and the remedy.
enum TestWording: Sendable {
  case otherState(String, [String])
  case unexpectedChange(String, [String], [String], isSent: Bool)
  case otherParts(String, [PartsComparison.Deviation], [String])
  case expectationThrew(String, String)
  case notMade(String, reason: String, isRefused: Bool)
  case notRefused(String, [String])
  case refusedOtherwise(String, expected: String, actual: String)
  case unassertedBefore(String, [String])
  case nothingReceived(String, TestLeftovers)
  case otherReceived(expected: String, actual: String, [String], waiting: [String])
  case otherProblem(expected: String, actual: String)
  case leftOver(TestLeftovers)
  case unfinished(TestLeftovers)
  case restless(TestLeftovers)
  case endless([String])
  case finished(String)
  case scenario([ScenarioStep], state: String)
  case scenarioStopped([ScenarioStep], change: String, reason: String)

  var text: String { paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n") }

  private var paragraphs: [String] {
    switch self {
    case .otherState(let change, let differences):
      [
        "The state after \(change) is not the expected one.", Self.list(differences),
        "Either the change has an unexpected effect, or the expectation omits a part of its effect.",
      ]
    case .unexpectedChange(let change, let differences, let lines, let isSent):
      [
        "\(change) changes the state, but the test expects no change.", Self.list(differences),
        "State the expected change: `\(isSent ? "send" : "receive")(…, changing: […])`. To ignore it: `nonExhaustively { … }`.",
        Self.expectation(lines),
      ]
    case .otherParts(let change, let deviations, let lines):
      ["The state after \(change) is not the expected one."] + Self.parts(deviations) + [
        Self.expectation(lines), "Either the change has an unexpected effect, or the expectation differs from the intended effect.",
      ]
    case .expectationThrew(let change, let error):
      [
        "The expectation for \(change) threw an error: \(error)",
        "Does the closure make a change that the state refuses? The closure receives the state before the change.",
      ]
    case .notMade(let change, let reason, let isRefused):
      [
        "\(Self.capital(change)) was not made. \(reason)",
        isRefused
          ? "If the refusal is intended, use `refuses(…)`. Otherwise check the state before the change, and the `throw` statements of `apply`."
          : "",
      ]
    case .notRefused(let change, let differences):
      [
        "\(change) was made, but the test expects a refusal.", Self.list(differences.isEmpty ? ["It changes nothing."] : differences),
        "Does `apply` refuse this change in this state?",
      ]
    case .refusedOtherwise(let change, let expected, let actual):
      ["\(change) was refused for a different reason than expected.", "  expected: \(expected)\n  actual:   \(actual)"]
    case .unassertedBefore(let change, let received):
      [
        "\(received.count == 1 ? "An answer was" : "\(received.count) answers were") received but not asserted before \(change):",
        Self.list(received), "Assert with `receive(…)`, in this order. To ignore answers: `nonExhaustively { … }`.",
      ]
    case .nothingReceived(let expected, let left):
      [
        "\(Self.capital(expected)) was expected, but \(left.received.isEmpty ? "nothing" : "it") was \(left.received.isEmpty ? "" : "not ")received."
      ] + Self.stillness(left)
    case .otherReceived(let expected, let actual, let differences, let waiting):
      [
        "An unexpected answer was received.", "  expected: \(expected)\n  actual:   \(actual)", Self.list(differences),
        waiting.isEmpty ? "" : "Received after it:\n\(Self.list(waiting))",
        "Assert answers in the order of their arrival. If the order is not guaranteed, use `receive(inAnyOrder: …)`.",
      ]
    case .otherProblem(let expected, let actual):
      ["An unexpected problem was reported.", "  expected: \(expected)\n  actual:   \(actual)"]
    case .leftOver(let left):
      ["The test ends, but some answers, problems or effects are left over."] + Self.remains(left)
    case .unfinished(let left):
      ["This test store was released without `finish()`, and some answers, problems or effects are left over."] + Self.remains(left) + [
        "End the test with `await store.finish()`."
      ]
    case .restless(let left):
      ["The effects do not come to rest."] + [
        left.effects.isEmpty ? "" : "In flight:\n\(Self.list(left.effects))",
        "Does one of them loop without waiting for the test's clock?",
      ]
    case .finished(let what):
      ["The test store is finished: \(what) was called after `finish()`.", "Call `finish()` at the end of the test."]
    case .scenario(let steps, let state):
      ["The scenario fails:\n\(ScenarioStep.lines(steps))", "The state is \(state)."]
    case .scenarioStopped(let steps, let change, let reason):
      ["The scenario stops, because \(change) was not made:\n\(ScenarioStep.lines(steps))", reason]
    case .endless(let effects):
      [
        "The feedbacks were stopped, but an effect is still running.",
        effects.isEmpty ? "" : "In flight before the stop:\n\(Self.list(effects))",
        "It waits for something that does not end when its task is cancelled: a continuation, a separate task, or `Task.sleep` in a `try?` loop. Make it end when its task is cancelled.",
      ]
    }
  }

  // MARK: - Parts

  /// The effects in flight, and what they may be waiting for.
  private static func stillness(_ left: TestLeftovers) -> [String] {
    guard left.received.isEmpty else { return ["Received instead:\n\(list(left.received))"] }
    guard !left.effects.isEmpty else {
      return [
        left.problems.isEmpty ? "" : "Problems were reported:\n\(list(left.problems))",
        "No effect is in flight. Does the state request the effect, and is its feedback in the store's list?",
      ]
    }
    var paragraphs = ["In flight:\n\(list(left.effects))"]
    if !left.problems.isEmpty { paragraphs.append("Problems were reported:\n\(list(left.problems))") }
    if let next = left.untilNext {
      paragraphs.append("A task waits for the clock: `await store.advance(by: \(source(next)))` wakes the first one.")
    } else {
      paragraphs.append(
        "No task waits for the test's clock, so the effect waits for something outside of the test: a network, `Task.sleep`, another clock, or a continuation that is never resumed. Give the effect an environment without it."
      )
    }
    return paragraphs
  }

  /// The deviations from the expected parts, by kind.
  private static func parts(_ deviations: [PartsComparison.Deviation]) -> [String] {
    var (other, unexpected, kept, unknown): ([String], [String], [String], [String]) = ([], [], [], [])
    for deviation in deviations {
      switch deviation {
      case .otherValue(let path, let expected, let actual):
        other.append("\(name(path))\n  expected: \(expected)\n  actual:   \(actual)")
      case .otherPlace(let path, let expected, let actual):
        other.append("\(name(path))\n  expected: at place \(expected)\n  actual:   at place \(actual)")
      case .unexpected(let difference): unexpected.append((difference.path.isEmpty ? "the state: " : "") + difference.description)
      case .kept(let path, let value, let expected):
        kept.append("\(name(path))\n  kept:     \(value)" + (value == expected ? "" : "\n  expected: \(expected)"))
      case .notMoved(let path): kept.append("\(path): not moved")
      case .within(let path, let whole): unknown.append("\(path): \(name(whole)) has changed as a whole. Name it instead.")
      case .missing(let path, let similar):
        unknown.append("\(path)" + (similar.isEmpty ? "" : ": did you mean \(similar.map { "'\($0)'" }.joined(separator: " or "))?"))
      }
    }
    return [
      limited(other),
      unexpected.isEmpty ? "" : "Changed, but not expected to change:\n\(limited(unexpected))",
      kept.isEmpty ? "" : "Expected to change, but unchanged:\n\(limited(kept))",
      unknown.isEmpty ? "" : "Paths without a change of their own:\n\(limited(unknown))",
    ]
  }

  private static func name(_ path: String) -> String { path.isEmpty ? "the state" : path }

  /// The first 20 items.
  private static func limited(_ items: [String]) -> String {
    list(items.prefix(20) + (items.count > 20 ? ["… and \(items.count - 20) more."] : []))
  }

  /// The expectation that would have passed, to paste.
  private static func expectation(_ lines: [String]) -> String {
    lines.isEmpty ? "Nothing has changed: `changing: [:]`." : "All changes of the state:\n\(list(lines))"
  }

  private static func remains(_ left: TestLeftovers) -> [String] {
    [
      left.received.isEmpty ? "" : "Received but not asserted:\n\(list(left.received))",
      left.problems.isEmpty ? "" : "Reported problems:\n\(list(left.problems))",
      left.errors.isEmpty ? "" : "Thrown but not asserted:\n\(list(left.errors))",
      left.effects.isEmpty ? "" : "Effects in flight:\n\(list(left.effects))",
      left.received.isEmpty ? "" : "Assert the received answers with `receive(…)`.",
      left.problems.isEmpty ? "" : "Assert the problems with `receiveProblem(…)`, or fix their cause.",
      left.errors.isEmpty ? "" : "Assert the errors with `undecided(…)`.",
      left.effects.isEmpty
        ? ""
        : left.untilNext.map {
          "Let the effects end: `await store.advance(by: \(source($0)))` wakes the first one, or a change withdraws its request."
        }
          ?? "Let the effects end, or withdraw their requests by a change.",
    ]
  }

  // MARK: - Values as text

  private static let length = 300

  static func describe<Change>(_ changes: [Change]) -> String {
    short(changes.map { SwiftSource($0).text }.joined(separator: ", "))
  }

  static func describe(_ value: some Any) -> String { short(SwiftSource(value).text) }

  static func describe<State: Alterable>(_ record: Record<State>) -> String {
    let what =
      switch record.kind {
      case .changes(let changes): describe(changes)
      case .reset: "a reset of the whole state"
      case .initial: "the initial state"
      case .undo: "an undo"
      case .redo: "a redo"
      }
    return record.cause?.feedback.map { "\(what), from the feedback '\($0)'" } ?? what
  }

  static func describe(_ effect: EffectStatus) -> String {
    let subject = effect.subject.isEmpty ? "" : " for \(effect.subject)"
    let phase =
      switch effect.phase {
      case .waiting: "waits for its turn"
      case .running: "is running"
      case .pausing(_, let attempt, let error):
        "pauses after \(attempt == 1 ? "an attempt" : "\(attempt) attempts") that threw \(short(error))"
      case .settling: "is answering"
      case .stuck: "is stuck"
      }
    return "'\(effect.feedback)'\(subject) \(phase): \(short(effect.request))"
  }

  /// The expected and the actual value of each differing part, at most 20.
  static func differences<Value>(_ expected: Value, _ actual: Value) -> [String] {
    let limit = 20
    let found = AlterCore.differences(from: expected, to: actual, limit: limit + 1)
    return found.prefix(limit).map { difference in
      let place = difference.path.isEmpty ? "" : "\(difference.path)\n"
      if difference.isMove { return "\(place)  expected: at place \(difference.old ?? "?")\n  actual:   at place \(difference.new ?? "?")" }
      return "\(place)  expected: \(difference.old ?? "nothing")\n  actual:   \(difference.new ?? "nothing")"
    } + (found.count > limit ? ["… and more."] : [])
  }

  /// The items on lines of their own, indented by two.
  private static func list(_ items: [String]) -> String {
    let indented = items.map { $0.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n") }
    return indented.joined(separator: "\n")
  }

  private static func short(_ text: String) -> String { text.count > length ? text.prefix(length) + "…" : text }

  private static func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private static func source(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    if attoseconds == 0 { return ".seconds(\(seconds))" }
    if attoseconds % 1_000_000_000_000_000 == 0 { return ".milliseconds(\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))" }
    return ".nanoseconds(\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))"
  }
}
