import TodoCore

/// The name of a tag as a user types it, parsed: the payload of the action that tags an item.
public struct TagName: Hashable, Sendable {
  /// The reason why a text can't become a tag.
  public enum Problem: Error, Hashable, CustomStringConvertible {
    /// The text is empty.
    case empty
    /// The text is not a single word.
    case words

    /// The next step.
    public var description: String {
      switch self {
      case .empty: "Type a tag, as in ‘home’ or ‘+garage’."
      case .words: "A tag is a single word, as in ‘home’ or ‘+garage’."
      }
    }
  }

  /// The name with its sign. A text without a sign becomes a context: 'home' is '@home'.
  public let name: String

  /// Parses a text.
  ///
  /// - Parameter typed: The text. Spaces at its ends are ignored.
  /// - Throws: ``Problem``.
  public init(_ typed: String) throws(Problem) {
    let text = typed.trimmingSpaces
    guard !text.isEmpty else { throw .empty }
    guard let name = Tag.name(of: text) else { throw .words }
    self.name = name
  }
}
