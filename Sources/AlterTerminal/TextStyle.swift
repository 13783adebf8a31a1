/// How a text looks where it is shown: in colours on a terminal, plain everywhere else.
public enum TextStyle: Sendable {
  /// As it is.
  case plain
  /// With the ANSI sequences of a terminal.
  case ansi

  /// What a text can be.
  public enum Look: Sendable {
    /// What matters least.
    case dim
    /// What matters most.
    case strong
    /// What is chosen.
    case chosen
    /// What is late.
    case late
    /// What is due now.
    case now
    /// What is undone.
    case undone
    /// What was added.
    case added
    /// What was removed.
    case removed
    /// What was changed.
    case changed
    /// What was moved.
    case moved

    /// The parameters of the sequence that begins it (ECMA-48, SGR).
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

  /// A text in a look, safe to be printed on one line: the sequences of the look are the only ones in it.
  ///
  /// - Parameters:
  ///   - text: The text, which is escaped.
  ///   - look: The look; nil for none.
  /// - Complexity: O(length).
  public func show(_ text: String, _ look: Look?) -> String {
    let text = text.printable
    guard self == .ansi, let look, !text.isEmpty else { return text }
    return "\u{1B}[\(look.parameters)m\(text)\u{1B}[0m"
  }
}
