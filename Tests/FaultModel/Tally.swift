import Alter

/// A count of each writer's batches. The state refuses entries that are lost, duplicated, torn or out of order.
public struct Tally: Journaled, Hashable {
  /// One part of a batch.
  public struct Part: Hashable, Codable, Sendable {
    /// The name of the writer.
    public let writer: String
    /// The batch's number for this writer: 1, 2, 3 …
    public let number: Int
    /// The part's number in its batch, from 0 up to but not including ``Tally/parts``.
    public let part: Int
    /// Text that only takes space.
    public let padding: String

    /// One part of a batch.
    public init(writer: String, number: Int, part: Int, padding: String = "") {
      (self.writer, self.number, self.part, self.padding) = (writer, number, part, padding)
    }
  }

  /// Counts a part.
  public enum Change: Hashable, Codable, Sendable { case count(Part) }

  /// The number of parts in a batch.
  public static let parts = 3

  /// The number of parts counted for each writer.
  public private(set) var counted: [String: Int] = [:]

  /// A tally without parts.
  public init() {}

  /// The number of complete batches of a writer.
  public func batches(of writer: String) -> Int { counted[writer, default: 0] / Self.parts }

  /// Counts the next part of a writer, and refuses any other.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    guard case .count(let part) = change else { return }
    let expected = counted[part.writer, default: 0]
    guard (part.number - 1) * Self.parts + part.part == expected else {
      throw .custom("\(part.writer) counts part \(part.part) of \(part.number) after \(expected) parts.")
    }
    counted[part.writer] = expected + 1
  }

  /// The changes of a whole batch.
  public static func batch(_ number: Int, of writer: String, padding: String = "") -> [Change] {
    (0..<parts).map { .count(Part(writer: writer, number: number, part: $0, padding: padding)) }
  }
}
