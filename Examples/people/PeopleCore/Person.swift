public import Alter

/// Somebody, at one moment. After a raise it is another value, and still the same person.
public struct Person: Identifiable, Hashable, Codable, Alterable, CustomStringConvertible {
  /// What can happen to a person.
  public enum Change: Hashable, Codable, Sendable { case name(String), raise(by: Int) }

  /// Who it is. No change alters it.
  public let id: PersonID
  /// What they are called now.
  public private(set) var name: String
  /// What they earn now, in a month.
  public private(set) var salary: Int

  /// Somebody who has just come.
  public init(_ id: PersonID, _ name: String, salary: Int) { (self.id, self.name, self.salary) = (id, name, salary) }

  /// Makes the change. None is refused.
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .name(let name): self.name = name
    case .raise(let amount): salary += amount
    }
  }

  /// As in `Jack (sales/1) earns 2000`.
  public var description: String { "\(name) (\(id)) earns \(salary)" }
}
