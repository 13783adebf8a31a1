/// The identity of a person: a department, and a number in it. All other properties may change.
///
/// Each part has its own type, so that a salary can't be passed as a number, or a department's name as a person's.
public struct PersonID: Hashable, Codable, Sendable, CustomStringConvertible {
  /// A department of the company.
  public enum Department: String, Codable, Sendable { case sales, research, kitchen }

  /// The number of a person, unique within the department. Another department may use the same number.
  public struct Number: Hashable, Codable, Sendable {
    /// The number as an integer.
    public let value: Int

    /// A number.
    public init(_ value: Int) { self.value = value }
  }

  /// The department.
  public let department: Department
  /// The number within the department.
  public let number: Number

  /// An identity from its parts.
  public init(_ department: Department, _ number: Int) { (self.department, self.number) = (department, Number(number)) }

  /// Parses an identity as in `sales/7`; nil if the text is not one.
  public init?(_ text: String) {
    let parts = text.split(separator: "/")
    guard parts.count == 2, let department = Department(rawValue: String(parts[0])), let number = Int(parts[1]) else { return nil }
    self.init(department, number)
  }

  /// The written form, as in `sales/7`.
  public var description: String { "\(department.rawValue)/\(number.value)" }
}
