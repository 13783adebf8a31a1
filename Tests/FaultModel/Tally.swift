import Alter

/// What several writers have counted, each in batches of its own: a state that refuses whatever is lost, doubled, torn or out of order.
public struct Tally: Journaled, Hashable {
  /// One part of a batch.
  public struct Part: Hashable, Codable, Sendable {
    /// Who counts.
    public let writer: String
    /// The batch's number there: 1, 2, 3 …
    public let number: Int
    /// The part's number in its batch: 0 up to ``Tally/parts``.
    public let part: Int
    /// Takes space.
    public let padding: String

    /// One part of a batch.
    public init(writer: String, number: Int, part: Int, padding: String = "") {
      (self.writer, self.number, self.part, self.padding) = (writer, number, part, padding)
    }
  }

  /// A part was counted.
  public enum Change: Hashable, Codable, Sendable { case count(Part) }

  /// How many parts a batch has.
  public static let parts = 3

  /// How many parts each writer has counted.
  public private(set) var counted: [String: Int] = [:]

  /// Nothing is counted yet.
  public init() {}

  /// How many whole batches a writer has counted.
  public func batches(of writer: String) -> Int { counted[writer, default: 0] / Self.parts }

  /// The next part of a writer, and no other.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    guard case .count(let part) = change else { return }
    let expected = counted[part.writer, default: 0]
    guard (part.number - 1) * Self.parts + part.part == expected else {
      throw .custom("\(part.writer) counts part \(part.part) of \(part.number) after \(expected) parts.")
    }
    counted[part.writer] = expected + 1
  }

  /// A whole batch.
  public static func batch(_ number: Int, of writer: String, padding: String = "") -> [Change] {
    (0..<parts).map { .count(Part(writer: writer, number: number, part: $0, padding: padding)) }
  }
}
