import _AlterTerminal

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The name of an item, as users type it: its number in the list, or the beginning of its id.
///
/// A name of digits alone is a number, from 1. Any other name is the beginning of an id, of at least four characters. A displayed id is
/// long enough to be unambiguous *and* to contain a character that is not a digit, so that an id is never taken for a number.
public enum ItemName {
  /// The minimum length of the beginning of an id.
  public static let shortest = 4

  /// The reason why a name denotes no item.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The list has no item with this number.
    case noNumber(String, count: Int)
    /// No id begins with this text.
    case noID(String)
    /// The text is too short to search for.
    case tooShort(String)
    /// Several ids begin with this text: the ids of these items.
    case ambiguous(String, [String])

    /// The problem and the next step.
    public var description: String {
      switch self {
      case .noNumber(let name, 0): "there is no item \(name.printable): the list is empty"
      case .noNumber(let name, let count): "there is no item \(name.printable): the list has 1 to \(count) (see 'todo list')"
      case .noID(let name): "no item's id begins with \(name.quoted) (see 'todo list')"
      case .tooShort(let name): "\(name.quoted) is too short for an id: give its number, or at least \(shortest) characters of its id"
      case .ambiguous(let name, let candidates):
        "\(name.quoted) is the beginning of several ids: give more of it\n" + candidates.map { "  \($0)" }.joined(separator: "\n")
      }
    }
  }

  /// The item that a name denotes.
  ///
  /// - Parameters:
  ///   - name: A number in the list, or the beginning of an id, in any case.
  ///   - state: The list.
  /// - Returns: The item's id. Changes use it, because the item's number may change.
  /// - Throws: ``Problem``.
  /// - Complexity: O(1) for a number, O(items) for an id.
  public static func find(_ name: String, in state: AppState) throws(Problem) -> UUID {
    if !name.isEmpty, name.utf8.allSatisfy(Byte.isDigit) {
      guard let number = Int(name), number >= 1, number <= state.items.count else { throw .noNumber(name, count: state.items.count) }
      return state.items[number - 1].id
    }
    guard name.utf8.count >= shortest else { throw .tooShort(name) }
    let wanted = name.lowercased()
    let found = state.items.filter { text(of: $0.id).hasPrefix(wanted) }
    guard let item = found.first else { throw .noID(name) }
    guard found.count == 1 else {
      let short = self.short(in: state)
      throw .ambiguous(name, found.prefix(10).map { "\(short[$0.id] ?? text(of: $0.id))  \($0.text.printable)" })
    }
    return item.id
  }

  /// The shortest beginning of each item's id that names it unambiguously.
  ///
  /// - Complexity: O(n log n).
  public static func short(in state: AppState) -> [UUID: String] {
    let ids = state.items.map { (id: $0.id, text: Array(text(of: $0.id).utf8)) }.sorted { $0.text.lexicographicallyPrecedes($1.text) }
    var short: [UUID: String] = [:]
    for (place, id) in ids.enumerated() {
      // In sorted order, the longest common prefix of an id with any other id is the one with a neighbour.
      let before = place > 0 ? common(id.text, ids[place - 1].text) : 0
      let after = place + 1 < ids.count ? common(id.text, ids[place + 1].text) : 0
      short[id.id] = beginning(of: id.text, atLeast: max(before, after) + 1)
    }
    return short
  }

  /// The shortest beginning of an id that names it unambiguously.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - neighbours: Those before and after it among the sorted ids of the list.
  public static func short(_ id: UUID, between neighbours: [UUID?]) -> String {
    let text = Array(text(of: id).utf8)
    let length = neighbours.map { other in other.map { common(text, Array(self.text(of: $0).utf8)) } ?? 0 }.max() ?? 0
    return beginning(of: text, atLeast: length + 1)
  }

  /// The beginning of an id that is very likely unique. Messages about one item use it, to avoid a search of the list.
  public static func likely(_ id: UUID) -> String { beginning(of: Array(text(of: id).utf8), atLeast: 8) }

  private static func text(of id: UUID) -> String { id.uuidString.lowercased() }

  private static func common(_ first: [UInt8], _ second: [UInt8]) -> Int { zip(first, second).prefix { $0 == $1 }.count }

  private static func beginning(of id: [UInt8], atLeast length: Int) -> String {
    var end = min(max(length, shortest), id.count)
    while end < id.count, id[..<end].allSatisfy(Byte.isDigit) { end += 1 }
    return String(decoding: id[..<end], as: UTF8.self)
  }
}
