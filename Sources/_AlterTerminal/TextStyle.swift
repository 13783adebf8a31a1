/// The form of styled text: with colours for a terminal, plain for any other output.
public enum TextStyle: Sendable {
  /// Without styling.
  case plain
  /// With the ANSI escape sequences of a terminal.
  case ansi

  /// The role of a text, which determines its style.
  public enum Look: Sendable {
    /// Text of minor importance: faint.
    case dim
    /// Text of major importance: bold.
    case strong
    /// The selected item: reversed colours.
    case chosen
    /// An overdue item: red.
    case late
    /// An item that is due now: yellow.
    case now
    /// An undone change: faint and struck through.
    case undone
    /// An addition: green.
    case added
    /// A removal: red.
    case removed
    /// A modification: yellow.
    case changed
    /// A move: cyan.
    case moved

    /// The parameters of the escape sequence that begins the style (ECMA-48, SGR).
    fileprivate var parameters: String {
      switch self {
      case .dim: "2"
      case .strong: "1"
      case .chosen: "7"
      case .late, .removed: "31"
      case .now, .changed: "33"
      case .undone: "9;2"
      case .added: "32"
      case .moved: "36"
      }
    }
  }

  /// Returns a text in a style, safe to print on one line: it contains no other escape sequences than those of the style.
  ///
  /// - Parameters:
  ///   - text: The text. It is escaped as by `printable`.
  ///   - look: The role of the text; nil for no style.
  /// - Complexity: O(length).
  public func show(_ text: String, _ look: Look?) -> String {
    let text = text.printable
    guard self == .ansi, let look, !text.isEmpty else { return text }
    return "\u{1B}[\(look.parameters)m\(text)\u{1B}[0m"
  }
}
