import Alter

/// A sequence of changes that breaks a property.
package struct PropertyFailure<State: Alterable>: Error, Sendable, CustomStringConvertible {
  /// The kinds of properties.
  package enum Broken: Sendable, Hashable {
    /// An invariant, by its name.
    case invariant(String)
    /// A rule, by its name.
    case rule(String)
    /// The same change and stamp must give the same state.
    case determinism
    /// A change must be the same after encoding and decoding.
    case changeCoding
    /// A state must be the same after encoding and decoding.
    case stateCoding
  }

  /// The property that does not hold.
  package let broken: Broken
  /// The details: the differing parts, or an error.
  package let detail: String
  /// The shortened sequence, including refused changes. Each change has the stamp `Stamp.testing` of its index.
  package let changes: [State.Change]
  /// The number of changes before the sequence was shortened.
  package let found: Int
  /// The seed of the original sequence; nil for a given sequence.
  package let seed: UInt64?
  let length: Int?

  /// Swift code that reproduces the failure. It assumes that `properties` are the checked properties.
  package var source: String {
    guard !changes.isEmpty else { return "properties.check([])" }
    return "properties.check([\n\(changes.map { "  \(SwiftSource($0).text),\n" }.joined())])"
  }

  /// The failure, the likely reason, and the code that reproduces it.
  package var description: String {
    let gaps = changes.reduce(into: [String]()) { gaps, change in
      gaps += SwiftSource(change).gaps.filter { !gaps.contains($0) }
    }
    var paragraphs = [sentence, detail]
    if let advice { paragraphs.append(advice) }
    var again = "To reproduce it:"
    if let seed, let length {
      again = "Found with seed \(seed)\(found > changes.count ? ", among \(found) changes" : ""). \(again)"
      if !gaps.isEmpty {
        paragraphs.append(
          "The code is incomplete; this call finds the failure again: `properties.check(sequences: 1, length: \(length), seed: \(seed))`.")
      }
    }
    if !gaps.isEmpty {
      paragraphs.append(
        "No Swift code is known for: \(gaps.joined(separator: ", ")). Conform these types to `SwiftSourceConvertible`.")
    }
    paragraphs += [again, source.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")]
    return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var sentence: String {
    let last = changes.last.map { TestWording.describe([$0]) } ?? ""
    let after =
      changes.isEmpty
      ? "in the initial state" : changes.count == 1 ? "after \(last)" : "after \(changes.count) changes, the last of which is \(last)"
    return switch broken {
    case .invariant(let name): "The invariant '\(name)' does not hold \(after)."
    case .rule(let name):
      "The rule '\(name)' does not hold for \(last)\(changes.count > 1 ? ", the last of \(changes.count) changes" : "")."
    case .determinism: "The same changes give a different state when they are applied again, \(after)."
    case .changeCoding: "Encoding and decoding gives a different change, \(after)."
    case .stateCoding: "Encoding and decoding gives a different state, \(after)."
    }
  }

  private var advice: String? {
    switch broken {
    case .invariant, .rule: nil
    case .determinism:
      "`apply` may use only its value, the change and the stamp: no `Date()`, no `UUID()`, no random numbers, no globals. The stamp has the time and fresh ids."
    case .changeCoding, .stateCoding:
      "A journal stores encoded values. Do `init(from:)` and `encode(to:)` mirror each other, for every case and property?"
    }
  }
}
