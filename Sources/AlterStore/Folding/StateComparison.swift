import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Compares two states whose type may not be `Equatable`.
enum StateComparison {
  /// Returns whether the states are equal by `==` or have the same stored form. The stored form is needed because NaN is not equal to
  /// itself. The order of its arrays is ignored, because sets and dictionaries are stored as arrays. The result is true for a type that is
  /// neither `Equatable` nor `Encodable`.
  static func areEqual<State>(_ state: State, _ other: State) -> Bool {
    let equatable = state as? any Equatable
    if let equatable, isEqual(equatable, other) { return true }
    guard let first = state as? any Encodable, let second = other as? any Encodable, let form = unordered(first) else {
      return equatable == nil
    }
    return form == unordered(second)
  }

  /// Returns whether the states are equal by `==`, as observers compare them; if their type has no `==`, whether
  /// `differences(from:to:)` finds nothing.
  ///
  /// The result is the same in each process. A state with NaN is equal to none.
  static func haveNoDifference<State>(_ state: State, _ other: State) -> Bool {
    if let state = state as? any Equatable { return isEqual(state, other) }
    return partDifferences(from: state, to: other, limit: 1).isEmpty
  }

  private static func unordered(_ value: any Encodable) -> JSONValue? {
    guard let bytes = try? JournalCoding.encode(value) else { return nil }
    return (try? JSONValue(parsing: bytes))?.unordered
  }

  private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool { (other as? Value).map { $0 == value } ?? false }
}

extension JSONValue {
  /// The value with the elements of each array sorted by their text.
  fileprivate var unordered: JSONValue {
    switch self {
    case .array(let values): .array(values.map(\.unordered).sorted { $0.data.lexicographicallyPrecedes($1.data) })
    case .object(let members): .object(members.mapValues(\.unordered))
    default: self
    }
  }
}

#if DEBUG
  /// Applies a store's own changes a second time, in debug builds, and compares the results: `apply` must be deterministic.
  ///
  /// A check costs a copy of the modified parts, the change, and a comparison. All checks together take at most 20 ms plus the time of the
  /// unchecked changes. A debug build therefore takes at most about twice the time.
  @usableFromInline
  struct DeterminismCheck<State: Alterable>: Sendable {
    /// The state before a change, if the change is to be checked.
    @usableFromInline
    struct Probe: Sendable {
      fileprivate let before: State?
      fileprivate let start: ContinuousClock.Instant
    }

    /// The remaining time for checks.
    var budget: Duration = .milliseconds(20)
    private var isReported = false

    @usableFromInline init() {}

    /// Begins before a change.
    @usableFromInline
    func begin(with state: State) -> Probe { Probe(before: !isReported && budget > .zero ? state : nil, start: .now) }

    /// Ends after a change was made.
    ///
    /// - Returns: A problem if `apply` gives another state when it is called again. Only the first one is reported.
    @usableFromInline
    mutating func end(_ probe: Probe, _ content: Record<State>.Content, at replica: Replica<State>) -> StoreProblem? {
      guard let before = probe.before else {
        budget += ContinuousClock.now - probe.start
        return nil
      }
      defer { budget -= ContinuousClock.now - probe.start }
      guard let made = replica.made else { return nil }
      var again = before
      do throws(State.Failure) {
        try again.apply(content, indices: made.indices, at: made.stamp)
      } catch {
        return report(at: made.revision, "the second time it refuses the change: \(error)")
      }
      return StateComparison.areEqual(again, replica.state) ? nil : report(at: made.revision, "the second time it gives another state")
    }

    private mutating func report(at revision: Revision, _ difference: String) -> StoreProblem {
      isReported = true
      return .nondeterministic(
        revision,
        reason: "This debug build calls `apply` twice with the same state, change and stamp, and \(difference).")
    }
  }
#endif
