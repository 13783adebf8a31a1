public import Alter

/// Checks properties of a state with random changes.
///
/// ```swift
/// let properties = ChangeProperties(of: Purse(), changes: { purse, random in
///   random.oneIn(2) ? .earn(random.below(10)) : .pay(random.below(10))
/// })
/// .invariant("the purse is never in debt") { $0.money >= 0 }
/// .rule("only paying makes it poorer") { before, change, after in
///   if case .pay = change { true } else { after.money >= before.money }
/// }
///
/// @Test func purse() { properties.check() }
/// ```
///
/// `check` makes many sequences of changes, each from the initial state, and checks all invariants and rules after each change. The state
/// may refuse a change. The check also covers the laws of every `Alterable`:
///
/// - The same changes and stamps give the same state, both for a single change and for the whole sequence.
/// - A `Codable` change and a `Codable` state are the same after a journal has encoded and decoded them.
///
/// A failing sequence is shortened as far as possible, and printed as Swift code that reproduces the failure.
///
/// The stamps are `Stamp.testing`. The iteration order of a `Set` differs between processes, so one run may miss a model that depends on
/// it. A trap in `apply` ends the process.
public struct ChangeProperties<State: Alterable & Equatable>: Sendable {
  struct Rule: Sendable {
    let name: String
    let isInvariant: Bool
    /// Whether the property holds. The change is nil for the initial state, for which only invariants are checked.
    let holds: @Sendable (_ before: State, _ change: State.Change?, _ after: State) -> Bool
  }

  let initial: State
  let generate: @Sendable (State, inout SeededGenerator) -> State.Change
  var rules: [Rule] = []
  var simpler: (@Sendable (State.Change) -> [State.Change])?

  /// Creates a check of the laws of every `Alterable`, without further properties.
  ///
  /// - Parameters:
  ///   - initial: The state at the start of each sequence.
  ///   - changes: Returns a random change for a state. It must use only the state and the generator, so that a seed reproduces its changes.
  ///     The state may refuse the change.
  public init(of initial: State, changes: @escaping @Sendable (_ state: State, _ random: inout SeededGenerator) -> State.Change) {
    self.initial = initial
    generate = changes
  }

  /// Returns these properties with an additional invariant. It must hold in every state, including the initial one.
  ///
  /// - Parameters:
  ///   - name: The name of the invariant, for the failure's message.
  ///   - holds: Whether the invariant holds.
  public func invariant(_ name: String, _ holds: @escaping @Sendable (_ state: State) -> Bool) -> ChangeProperties {
    adding(Rule(name: name, isInvariant: true) { _, _, after in holds(after) })
  }

  /// Returns these properties with an additional rule. It must hold for each change that was made, with the states before and after it.
  ///
  /// - Parameters:
  ///   - name: The name of the rule, for the failure's message.
  ///   - holds: Whether the rule holds.
  public func rule(
    _ name: String, _ holds: @escaping @Sendable (_ before: State, _ change: State.Change, _ after: State) -> Bool
  ) -> ChangeProperties {
    adding(Rule(name: name, isInvariant: false) { before, change, after in change.map { holds(before, $0, after) } ?? true })
  }

  /// Returns these properties with the invariant that the state refuses an answer to a request which it does not make: one that was just
  /// withdrawn or answered, and one that never was. Otherwise a late answer of an effect that acts would count.
  ///
  /// ```swift
  /// .refusingAnswers(to: { $0.payment.map { [$0.id] } ?? [] }) { [.paid($0), .unclear($0)] }
  /// ```
  ///
  /// - Parameters:
  ///   - requests: The ids of the requests that a state makes.
  ///   - answers: The answers to a request.
  public func refusingAnswers(
    to requests: @escaping @Sendable (_ state: State) -> [RequestID], answers: @escaping @Sendable (_ id: RequestID) -> [State.Change]
  ) -> ChangeProperties {
    adding(
      Rule(name: "an answer without its request is refused", isInvariant: true) { before, _, after in
        let open = requests(after)
        let absent = requests(before).filter { !open.contains($0) } + [RequestID(.testing(-1))]
        return absent.flatMap(answers).allSatisfy { (try? after.alter([$0], at: .testing(0))) == nil }
      })
  }

  /// Returns these properties with simpler forms of changes, which are tried when a failing sequence is shortened.
  ///
  /// ```swift
  /// .simplified { change in if case .earn(let n) = change, n > 0 { [.earn(0), .earn(n / 2), .earn(n - 1)] } else { [] } }
  /// ```
  ///
  /// - Parameter simpler: Returns the simpler forms of a change, the simplest first. Repeated simplification must end: no form may lead
  ///   back to the change.
  package func simplified(_ simpler: @escaping @Sendable (_ change: State.Change) -> [State.Change]) -> ChangeProperties {
    var copy = self
    copy.simpler = simpler
    return copy
  }

  private func adding(_ rule: Rule) -> ChangeProperties {
    var copy = self
    copy.rules.append(rule)
    return copy
  }

  // MARK: - Checking

  /// The numbers of changes that a check has tried.
  package struct Tally: Sendable, Hashable {
    /// The number of changes that were made.
    package var made = 0
    /// The number of changes that the state refused. If most are refused, let the generator take the state into account. If all are, the
    /// check fails.
    package var refused = 0
  }

  /// Tries random sequences of changes, and reports the first failure to the test library. A check in which the state refuses every change
  /// fails, too: nothing was tried.
  ///
  /// - Parameters:
  ///   - sequences: The number of sequences.
  ///   - length: The number of changes in each sequence.
  ///   - seed: The seed of the first sequence; each further sequence uses the next number. It is the same in every run, unless you pass
  ///     `.random(in: 0 ... .max)`.
  ///   - reporter: The receiver of the failure.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  /// - Complexity: O(sequences · length) applications of a change, each of them at least twice; up to 20,000 short sequences more after a
  ///   failure.
  public func check(
    sequences: Int = 200, length: Int = 50, seed: UInt64 = 1, reporter: FailureReporter = .current,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let (tally, failure) = firstFailure(sequences: sequences, length: length, seed: seed)
    var text = failure?.description
    if failure == nil, tally.made == 0, tally.refused > 0 {
      text = """
        The state refused all \(tally.refused) changes, so that no property was checked with any of them. Let `changes` return changes that the \
        state can make.
        """
    }
    if let text {
      reporter.report(TestFailure(text, at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)))
    }
  }

  /// Checks all properties with one sequence of changes. The code that a failure prints calls this method.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order. Each has a stamp of its own.
  ///   - reporter: The receiver of the failure.
  ///   - fileID: The source location of the call.
  ///   - filePath: The source location of the call.
  ///   - line: The source location of the call.
  ///   - column: The source location of the call.
  public func check(
    _ changes: [State.Change], reporter: FailureReporter = .current, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    guard let failure = failure(of: changes) else { return }
    reporter.report(
      TestFailure(failure.description, at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)))
  }

  /// Tries random sequences of changes, and returns the first failure, shortened as far as possible.
  ///
  /// - Parameters:
  ///   - sequences: The number of sequences.
  ///   - length: The number of changes in each sequence.
  ///   - seed: The seed of the first sequence; each further sequence uses the next number.
  /// - Returns: The numbers of changes that were made and refused, and the failure; nil if there is none.
  package func firstFailure(
    sequences: Int = 200, length: Int = 50, seed: UInt64 = 1
  ) -> (tally: Tally, failure: PropertyFailure<State>?) {
    var tally = Tally()
    for number in 0..<max(sequences, 0) {
      let seed = seed &+ UInt64(number)
      var random = SeededGenerator(seed: seed)
      var trial = Trial(self)
      var broken = trial.begin()
      for _ in 0..<max(length, 0) where broken == nil {
        broken = trial.make(generate(trial.state, &random))
      }
      broken = broken ?? trial.end()
      tally.made += trial.changes.count - trial.refused
      tally.refused += trial.refused
      if let broken { return (tally, smallest(broken, trial.changes, seed: seed, length: length)) }
    }
    return (tally, nil)
  }

  /// Checks all properties with one sequence of changes, and returns the failure; nil if there is none.
  ///
  /// - Parameter changes: The changes, in order.
  package func failure(of changes: [State.Change]) -> PropertyFailure<State>? {
    broken(by: changes).map { broken, tried in
      PropertyFailure(broken: broken.what, detail: broken.detail, changes: tried, found: tried.count, seed: nil, length: nil)
    }
  }

  /// The property that a sequence breaks, and the part of the sequence up to that point.
  func broken(by changes: [State.Change]) -> (broken: Broken, changes: [State.Change])? {
    var trial = Trial(self)
    var broken = trial.begin()
    for change in changes where broken == nil { broken = trial.make(change) }
    broken = broken ?? trial.end()
    return broken.map { ($0, trial.changes) }
  }
}

extension Stamp {
  /// Returns the stamp of the n-th change of a test. It is the same in every run and on every machine.
  ///
  /// - Parameter place: The index of the change, from 0. Each stamp is a second later than the previous one. The origin is
  ///   `Origin.testing`.
  public static func testing(_ place: Int) -> Stamp {
    // 2020-09-13 12:26:40 UTC.
    Stamp(time: 1_600_000_000_000_000 + Int64(place) * 1_000_000, origin: .testing, sequence: Int64(place) + 1)
  }
}
