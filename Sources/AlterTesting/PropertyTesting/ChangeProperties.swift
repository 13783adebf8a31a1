public import Alter

/// What must hold for a state whatever happens to it, tried with random changes.
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
/// `check` makes many sequences of changes, each from the initial state, and checks every invariant and rule after every change. A change
/// that the state refuses is an allowed outcome. What every `Alterable` must keep is checked on the side:
///
/// - The same change and stamp give the same state, when they are applied again, and when the whole sequence is.
/// - A `Codable` change, and a `Codable` state, are the same after they have been written and read as a journal does.
///
/// A failing sequence is made as short as it can be, and printed as Swift code that shows the failure again.
///
/// The stamps are `Stamp.testing`. An order that comes from a hash differs from process to process only: a model that iterates over a `Set`
/// is not found out by one run. A trap in `apply` ends the process, as anywhere.
public struct ChangeProperties<State: Alterable & Equatable>: Sendable {
  struct Rule: Sendable {
    let name: String
    let isInvariant: Bool
    /// The change is nil for the initial state, and only invariants are asked then.
    let holds: @Sendable (_ before: State, _ change: State.Change?, _ after: State) -> Bool
  }

  let initial: State
  let generate: @Sendable (State, inout SeededGenerator) -> State.Change
  var rules: [Rule] = []
  var simpler: (@Sendable (State.Change) -> [State.Change])?

  /// Nothing but the laws of every `Alterable`, to begin with.
  ///
  /// - Parameters:
  ///   - initial: The state that each sequence begins with.
  ///   - changes: Makes a random change for a state, by the generator alone: the same state and generator give the same change. It may well
  ///     be one that is refused.
  public init(of initial: State, changes: @escaping @Sendable (_ state: State, _ random: inout SeededGenerator) -> State.Change) {
    self.initial = initial
    generate = changes
  }

  /// The same properties and one more: what holds in every state, the initial one included.
  ///
  /// - Parameters:
  ///   - name: Says it, for the failure's text.
  ///   - holds: Whether it does.
  public func invariant(_ name: String, _ holds: @escaping @Sendable (_ state: State) -> Bool) -> ChangeProperties {
    adding(Rule(name: name, isInvariant: true) { _, _, after in holds(after) })
  }

  /// The same properties and one more: what holds between the states before and after a change that was made.
  ///
  /// - Parameters:
  ///   - name: Says it, for the failure's text.
  ///   - holds: Whether it does.
  public func rule(
    _ name: String, _ holds: @escaping @Sendable (_ before: State, _ change: State.Change, _ after: State) -> Bool
  ) -> ChangeProperties {
    adding(Rule(name: name, isInvariant: false) { before, change, after in change.map { holds(before, $0, after) } ?? true })
  }

  /// The same properties, knowing how a change can be simpler: tried when a failing sequence is made small.
  ///
  /// ```swift
  /// .simplified { change in if case .earn(let n) = change, n > 0 { [.earn(0), .earn(n / 2), .earn(n - 1)] } else { [] } }
  /// ```
  ///
  /// - Parameter simpler: The simpler forms of a change, the simplest first. It must come to an end: none of them may lead back to the
  ///   change itself.
  public func simplified(_ simpler: @escaping @Sendable (_ change: State.Change) -> [State.Change]) -> ChangeProperties {
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

  /// What a check has done.
  public struct Tally: Sendable, Hashable {
    /// How many changes were made.
    public var made = 0
    /// How many were refused. When they are most of all, the generator doesn't look at the state.
    public var refused = 0
  }

  /// Tries random sequences of changes, and tells the test library of the first that fails.
  ///
  /// - Parameters:
  ///   - sequences: How many sequences.
  ///   - length: How many changes in each.
  ///   - seed: What the first sequence comes from; the next one comes from the next number. The same at every run unless you pass
  ///     `.random(in: 0 ... .max)`.
  ///   - reporter: Who is told.
  ///   - fileID: Where the call stands.
  ///   - filePath: Where the call stands.
  ///   - line: Where the call stands.
  ///   - column: Where the call stands.
  /// - Returns: How many changes were made and refused.
  @discardableResult
  public func check(
    sequences: Int = 200, length: Int = 50, seed: UInt64 = 1, reporter: FailureReporter = .current,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Tally {
    let (tally, failure) = firstFailure(sequences: sequences, length: length, seed: seed)
    if let failure {
      reporter.report(
        TestFailure(failure.description, at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)))
    }
    return tally
  }

  /// Makes one sequence of changes and checks everything after each: what a failure prints.
  ///
  /// - Parameters:
  ///   - changes: What happens, in order, each with a stamp of its own.
  ///   - reporter: Who is told of a failure.
  ///   - fileID: Where the call stands.
  ///   - filePath: Where the call stands.
  ///   - line: Where the call stands.
  ///   - column: Where the call stands.
  public func check(
    _ changes: [State.Change], reporter: FailureReporter = .current, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    guard let failure = failure(of: changes) else { return }
    reporter.report(
      TestFailure(failure.description, at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)))
  }

  /// The first failure of random sequences, made as short as it can be; nil when all is well.
  ///
  /// - Parameters:
  ///   - sequences: How many sequences.
  ///   - length: How many changes in each.
  ///   - seed: What the first sequence comes from; the next one comes from the next number.
  /// - Returns: How many changes were made and refused, and the failure.
  public func firstFailure(
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

  /// The failure of one sequence of changes; nil when all is well.
  ///
  /// - Parameter changes: What happens, in order.
  public func failure(of changes: [State.Change]) -> PropertyFailure<State>? {
    broken(by: changes).map { broken, tried in
      PropertyFailure(broken: broken.what, detail: broken.detail, changes: tried, found: tried.count, seed: nil, length: nil)
    }
  }

  /// What a sequence breaks, and its part that does.
  func broken(by changes: [State.Change]) -> (broken: Broken, changes: [State.Change])? {
    var trial = Trial(self)
    var broken = trial.begin()
    for change in changes where broken == nil { broken = trial.make(change) }
    broken = broken ?? trial.end()
    return broken.map { ($0, trial.changes) }
  }
}

extension Stamp {
  /// The stamp of the n-th change of a test: the same at every run, on every machine.
  ///
  /// - Parameter place: From 0. Each is a second later than the one before, and of the origin `Origin.testing`.
  public static func testing(_ place: Int) -> Stamp {
    // 2020-09-13 12:26:40 UTC.
    Stamp(time: 1_600_000_000_000_000 + Int64(place) * 1_000_000, origin: .testing, sequence: Int64(place) + 1)
  }
}
