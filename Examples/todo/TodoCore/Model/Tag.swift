public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A tag of items: a `+project` or a `@context`.
@Wire public struct Tag: Identifiable, Hashable {
  /// The name with its sign, as in `@home` or `+garage`. It is the tag's identity.
  public let id: String
  /// The items of the tag, in the order in which they were added.
  public private(set) var items: [UUID]

  /// A tag. Add it to a list with `state.alter(.add(.tag(tag)))`.
  ///
  /// - Parameters:
  ///   - id: The name: `+` or `@` and a word.
  ///   - items: The items of the tag. Repeated items are ignored.
  public init(id: String, items: [UUID] = []) {
    self.id = id
    var seen: Set<UUID> = []
    self.items = items.filter { seen.insert($0).inserted }
  }

  /// The tag's name for a name as users type it: `home` becomes the context `@home`; `+garage` and `@home` stay unchanged.
  ///
  /// - Returns: The name with its sign; nil if the text is empty or contains a space or a line break.
  public static func name(of text: String) -> String? {
    let name = text.hasPrefix("+") || text.hasPrefix("@") ? text : "@" + text
    return isName(name) ? name : nil
  }

  /// Whether a text is a legal name of a tag: written into a line of todo.txt, it is one word and is parsed as this tag.
  static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count > 1, bytes[0] == Byte.plus || bytes[0] == Byte.at else { return false }
    return !bytes.contains { Byte.isBlank($0) || $0 == Byte.newline || $0 == Byte.carriageReturn }
  }
}

extension Tag: Alterable {
  /// The changes of a tag.
  @Wire public enum Change: Sendable, Hashable {
    /// Adds an item to the tag.
    case add(UUID)
    /// Removes an item from the tag.
    case remove(UUID)
  }

  /// Makes the change. A tag refuses nothing: adding a member and removing a non-member have no effect.
  ///
  /// - Complexity: O(items of the tag).
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .add(let item): if !items.contains(item) { items.append(item) }
    case .remove(let item): items.removeAll { $0 == item }
    }
  }
}
