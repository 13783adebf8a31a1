public import Alter

/// A person at one moment. A raise makes another value with the same identity.
public struct Person: Identifiable, Hashable, Codable, Alterable, CustomStringConvertible {
  /// The changes of a person.
  public enum Change: Hashable, Codable, Sendable { case name(String), raise(by: Int) }

  /// The identity. No change alters it.
  public let id: PersonID
  /// The current name.
  public private(set) var name: String
  /// The current monthly salary.
  public private(set) var salary: Int

  /// A new person.
  public init(_ id: PersonID, _ name: String, salary: Int) { (self.id, self.name, self.salary) = (id, name, salary) }

  /// Makes the change. A person refuses nothing.
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .name(let name): self.name = name
    case .raise(let amount): salary += amount
    }
  }

  /// A description as in `Jack (sales/1) earns 2000`.
  public var description: String { "\(name) (\(id)) earns \(salary)" }
}
