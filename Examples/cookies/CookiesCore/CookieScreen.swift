/// What there is to see and to do: a pure function of the state, for whatever draws it.
public struct CookieScreen: Hashable, Sendable {
  /// How far somebody is.
  public struct Progress: Hashable, Sendable {
    /// From 0 to 1, also for those who sell more than they have to.
    public let fraction: Double
    /// In per cent, and above 100 for those.
    public let percent: Int
  }

  /// What stands at the top.
  public let title: String
  /// What is said.
  public let text: String
  /// The way to the target; nil when nobody is on it.
  public let progress: Progress?
  /// What can be typed.
  public let actions: [String]

  /// What a state looks like.
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

  /// The lines of a terminal.
  ///
  /// - Parameter columns: How wide the frame is, at least 20.
  public func lines(columns: Int = 44) -> [String] {
    let inner = max(20, columns) - 4
    func row(_ text: String) -> String { "│ " + text.prefix(inner) + String(repeating: " ", count: max(0, inner - text.count)) + " │" }
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
