import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if DEBUG
  /// Applies a store's own changes a second time, in debug builds, and compares: `apply` must be deterministic.
  ///
  /// A check costs the copying of what the change touches, the change and a comparison. All checks together take no longer than 20 ms and all changes that are
  /// not checked, so that a debug build takes at most about twice the time.
  @usableFromInline
  struct DeterminismCheck<State: Alterable>: Sendable {
    /// The state before a change that is to be checked.
    @usableFromInline
    struct Probe: Sendable {
      fileprivate let before: State?
      fileprivate let start: ContinuousClock.Instant
    }

    /// How long checks may take.
    var budget: Duration = .milliseconds(20)
    private var isReported = false

    @usableFromInline init() {}

    /// Begins with a change.
    @usableFromInline
    func begin(with state: State) -> Probe { Probe(before: !isReported && budget > .zero ? state : nil, start: .now) }

    /// Ends with a change that was made.
    ///
    /// - Returns: What to report, once: that `apply` gives another state when it is called again.
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

/// Whether two states are the same, for types that may not be comparable.
enum StateComparison {
  /// By `==` or by the stored form, whichever says so: NaN is not equal to itself. The order of arrays in the stored form doesn't count, because sets and
  /// dictionaries are arrays there. True where there is neither.
  static func areEqual<State>(_ state: State, _ other: State) -> Bool {
    let equatable = state as? any Equatable
    if let equatable, isEqual(equatable, other) { return true }
    guard let first = state as? any Encodable, let second = other as? any Encodable, let form = unordered(first) else {
      return equatable == nil
    }
    return form == unordered(second)
  }

  private static func unordered(_ value: any Encodable) -> JSONValue? {
    guard let bytes = try? JournalCoding.encode(value) else { return nil }
    return (try? JSONValue(parsing: bytes))?.unordered
  }

  private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool { (other as? Value).map { $0 == value } ?? false }
}

extension JSONValue {
  /// The value with the elements of each array in the order of their text.
  fileprivate var unordered: JSONValue {
    switch self {
    case .array(let values): .array(values.map(\.unordered).sorted { $0.data.lexicographicallyPrecedes($1.data) })
    case .object(let members): .object(members.mapValues(\.unordered))
    default: self
    }
  }
}
