#if Macros
  /// The texts and actions of the screen, as a pure function of the state. Any view can draw it.
  public struct CookieScreen: Hashable, Sendable {
    /// How close the seller is to the target.
    public struct Progress: Hashable, Sendable {
      /// The progress from 0 to 1. It stays at 1 when the seller exceeds the target.
      public let fraction: Double
      /// The progress in per cent. It is above 100 when the seller exceeds the target.
      public let percent: Int
    }

    /// The title at the top of the frame.
    public let title: String
    /// The text below the title.
    public let text: String
    /// The progress towards the target; nil when no seller is logged in.
    public let progress: Progress?
    /// The commands that the user can type.
    public let actions: [String]

    /// The screen for a state.
    public init(_ state: CookieState) {
      switch state {
      case .loggedOut:
        title = "Cookies"
        text = "No seller is logged in."
        progress = nil
        actions = ["login NAME TARGET"]
      case .loggedIn(let seller):
        title = "Cookies of \(seller.name)"
        text = seller.sold < seller.target ? "\(seller.sold) of \(seller.target) sold" : "\(seller.sold) sold: done!"
        let fraction = seller.target > 0 ? Double(seller.sold) / Double(seller.target) : 1
        progress = Progress(fraction: max(0, min(1, fraction)), percent: Int(fraction * 100))
        actions = ["sell NUMBER", "target NUMBER", "logout"]
      }
    }

    /// The screen as lines for a terminal.
    ///
    /// - Parameter columns: The width of the frame, at least 20.
    public func lines(columns: Int = 44) -> [String] {
      let inner = max(20, columns) - 4
      func row(_ text: String) -> String { "│ " + text.prefix(inner) + String(repeating: " ", count: max(0, inner - text.count)) + " │" }
      let title = title.prefix(inner)
      var lines = ["┌ \(title) " + String(repeating: "─", count: max(0, inner - title.count)) + "┐", row(text)]
      if let progress {
        let width = inner - 8
        let full = Int(progress.fraction * Double(width))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
        lines.append(row("\(bar)  \(progress.percent) %"))
      }
      lines.append("└" + String(repeating: "─", count: inner + 2) + "┘")
      lines.append("  " + actions.joined(separator: "   "))
      return lines
    }
  }
#endif
