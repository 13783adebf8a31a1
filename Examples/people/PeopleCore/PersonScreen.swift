import Alter

/// The screen of one person. It distinguishes another person from the same person, changed.
///
/// Equality can't tell the two apart: both values differ from the shown one. The identity can. A changed person stays on the screen, which
/// marks the difference; another person begins with a fresh screen.
public struct PersonScreen: Hashable, Sendable {
  /// The difference between the shown value and the next one.
  public enum Step: Hashable, Sendable {
    /// Another person is shown, or none.
    case switched
    /// The shown person has changed. The screen stays, and marks each property that differs from the older value.
    case changed(from: Person)
  }

  /// The shown person; nil for an empty screen.
  public private(set) var person: Person?
  /// The last step.
  public private(set) var step = Step.switched

  /// An empty screen.
  public init() {}

  /// Shows the next value.
  public mutating func show(_ next: Person?) {
    if let person, let next, isTheSameIdentity(person, next) { step = .changed(from: person) } else { step = .switched }
    person = next
  }

  /// The screen as lines for a terminal. A fresh screen has a title; a changed person has only the lines that differ.
  public var lines: [String] {
    guard let person else { return ["┌ no person"] }
    switch step {
    case .switched: return ["┌ \(person.name) (\(person.id))", "│ earns \(person.salary)"]
    case .changed(let old):
      return [
        old.name == person.name ? nil : "│ \(old.name) ──▶ \(person.name)",
        old.salary == person.salary ? nil : "│ earns \(old.salary) ──▶ \(person.salary)",
      ].compactMap { $0 }
    }
  }
}
