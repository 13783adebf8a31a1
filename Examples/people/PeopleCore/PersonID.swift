/// Who somebody is, whatever else may change: a department, and a number in it.
///
/// A type of its own for each part and for the whole: a salary can't be taken for a number, nor a department's name for a person's.
public struct PersonID: Hashable, Codable, Sendable, CustomStringConvertible {
  /// Where a person works.
  public enum Department: String, Codable, Sendable { case sales, research, kitchen }

  /// The number that somebody has in a department; another department may give it, too.
  public struct Number: Hashable, Codable, Sendable {
    /// The number.
    public let value: Int

    /// A number.
    public init(_ value: Int) { self.value = value }
  }

  /// Where.
  public let department: Department
  /// Which of them there.
  public let number: Number

  /// Somebody's identity.
  public init(_ department: Department, _ number: Int) { (self.department, self.number) = (department, Number(number)) }

  /// An identity as people write it: `sales/7`; nil when it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "/")
    guard parts.count == 2, let department = Department(rawValue: String(parts[0])), let number = Int(parts[1]) else { return nil }
    self.init(department, number)
  }

  /// As people write it: `sales/7`.
  public var description: String { "\(department.rawValue)/\(number.value)" }
}
