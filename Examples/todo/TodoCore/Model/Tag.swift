public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A name that items share: a `+project` or a `@context`.
public struct Tag: Identifiable, Hashable, Codable {
  /// Its name with the sign before it, which is its identity: `@home`, `+garage`.
  public let id: String
  /// The items that belong to it, in the order they came.
  public private(set) var items: [UUID]

  /// A tag, which becomes part of a list by `state.alter(.add(.tag(tag)))`.
  ///
  /// - Parameters:
  ///   - id: Its name: `+` or `@` and a word.
  ///   - items: The items that belong to it; of repeated ones the first counts.
  public init(id: String, items: [UUID] = []) {
    self.id = id
    var seen: Set<UUID> = []
    self.items = items.filter { seen.insert($0).inserted }
  }

  /// The tag of a name as people write it: `home` is the context `@home`; `+garage` and `@home` are meant as they are.
  ///
  /// - Returns: The name with its sign, or nil when it has none: it is empty, or has a space or a line break in it.
  public static func name(of text: String) -> String? {
    let name = text.hasPrefix("+") || text.hasPrefix("@") ? text : "@" + text
    return isName(name) ? name : nil
  }

  /// Whether a text is a tag's name: one that stands in a line of todo.txt as a word and is read back as that tag.
  static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count > 1, bytes[0] == Byte.plus || bytes[0] == Byte.at else { return false }
    return !bytes.contains { Byte.isBlank($0) || $0 == Byte.newline || $0 == Byte.carriageReturn }
  }
}

extension Tag: Alterable {
  /// What can happen to a tag.
  public enum Change: Sendable, Hashable {
    /// An item belongs to it from now on.
    case add(UUID)
    /// An item no longer belongs to it.
    case remove(UUID)
  }

  /// Makes the change. A tag refuses none: an item that belongs already, or that doesn't, is as it should be.
  ///
  /// - Complexity: O(items of the tag).
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .add(let item): if !items.contains(item) { items.append(item) }
    case .remove(let item): items.removeAll { $0 == item }
    }
  }
}
