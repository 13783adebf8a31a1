/// How a text looks where it is shown: in colours on a terminal, plain everywhere else.
public enum TextStyle: Sendable {
  /// As it is.
  case plain
  /// With the ANSI sequences of a terminal.
  case ansi

  /// What a text can be.
  public enum Look: Int, Sendable {
    /// What matters least.
    case dim = 2
    /// What matters most.
    case strong = 1
    /// What is chosen.
    case chosen = 7
    /// What is late.
    case late = 31
    /// What is due now.
    case now = 33
  }

  /// A text in a look.
  public func show(_ text: String, _ look: Look?) -> String {
    guard self == .ansi, let look, !text.isEmpty else { return text }
    return "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m"
  }
}
