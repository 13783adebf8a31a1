/// Small charts for the page, as plain SVG that is readable on a light and on a dark background.
enum Chart {
  private static let style = """
    <style>
      text { font: 12px system-ui, sans-serif; fill: #444 }
      .title { font-weight: 600 }
      .grid { stroke: #8884; stroke-width: 1 }
      .one { stroke: #888; stroke-width: 1.5 }
      .met { fill: #2a7de1 } .unmet { fill: #d9480f } .free { fill: #868e96 }
      .goal { stroke: #2b8a3e; stroke-width: 2 }
      .line { fill: none; stroke-width: 2 }
      @media (prefers-color-scheme: dark) { text { fill: #ccc } }
    </style>
    """

  private static let colours = [
    "#2a7de1", "#d9480f", "#2b8a3e", "#9c36b5", "#e8590c", "#0b7285", "#c2255c", "#5f3dc4", "#868e96", "#846358",
  ]

  /// The ratios on a logarithmic scale. Left of 1, Alter is faster.
  static func ratios(_ rows: [Row]) -> String {
    let (left, width, step) = (430.0, 420.0, 20.0)
    let exponents = rows.map { log10(of: $0.ratio) }
    let low = min(-1, exponents.min() ?? 0).rounded(.down)
    let high = max(1, exponents.max() ?? 0).rounded(.up)
    func x(_ ratio: Double) -> Double { left + (log10(of: ratio) - low) / (high - low) * width }
    let height = Double(rows.count) * step + 50
    var parts: [String] = []
    var exponent = low
    while exponent <= high {
      let place = left + (exponent - low) / (high - low) * width
      parts.append(line(place, 28, place, height - 14, exponent == 0 ? "one" : "grid"))
      parts.append(
        text(place, 20, exponent == 0 ? "1 ×" : exponent > 0 ? "\(Int(power(exponent))) ×" : "1/\(Int(power(-exponent)))", "middle"))
      exponent += 1
    }
    for (number, row) in rows.enumerated() {
      let y = 42 + Double(number) * step
      parts.append(text(left - 12, y + 4, "\(row.work), \(row.n): \(row.baseline)", "end"))
      if case .ratio(let most)? = row.goal { parts.append(line(x(most), y - 7, x(most), y + 7, "goal")) }
      if case .faster(let least)? = row.goal { parts.append(line(x(1 / least), y - 7, x(1 / least), y + 7, "goal")) }
      let kind = row.isMet.map { $0 ? "met" : "unmet" } ?? "free"
      parts.append("<circle class=\"\(kind)\" cx=\"\(short(x(row.ratio)))\" cy=\"\(short(y))\" r=\"5\"/>")
      parts.append(text(left + width + 12, y + 4, "\(significant(row.ratio)) ×", "start"))
    }
    return svg(width: left + width + 90, height: height, parts)
  }

  /// The growth of each work's cost with n, both on logarithmic scales.
  static func growth(_ works: [(name: String, points: [(n: Int, value: Double)])]) -> String {
    let (left, top, width, plot) = (70.0, 20.0, 360.0, 300.0)
    let values = works.flatMap { $0.points.map(\.value) }
    let sizes = works.flatMap { $0.points.map { Double($0.n) } }
    guard let lowest = values.min(), let highest = values.max(), let smallest = sizes.min(), let largest = sizes.max() else { return "" }
    let low = log10(of: lowest).rounded(.down)
    let high = max(low + 1, log10(of: highest).rounded(.up))
    let from = log10(of: smallest)
    let span = max(1, log10(of: largest) - from)
    func x(_ n: Int) -> Double { left + (log10(of: Double(n)) - from) / span * width }
    func y(_ value: Double) -> Double { top + plot - (log10(of: value) - low) / (high - low) * plot }
    var parts: [String] = []
    var exponent = low
    while exponent <= high {
      let place = y(power(exponent))
      parts.append(line(left, place, left + width, place, "grid"))
      parts.append(text(left - 8, place + 4, Work.Unit.nanoseconds.format(power(exponent)), "end"))
      exponent += 1
    }
    for n in Set(works.flatMap { $0.points.map(\.n) }).sorted() {
      parts.append(line(x(n), top, x(n), top + plot, "grid"))
      parts.append(text(x(n), top + plot + 18, "\(n)", "middle"))
    }
    for (number, work) in works.enumerated() {
      let colour = colours[number % colours.count]
      let points = work.points.map { "\(short(x($0.n))),\(short(y($0.value)))" }.joined(separator: " ")
      parts.append("<polyline class=\"line\" stroke=\"\(colour)\" points=\"\(points)\"/>")
      let place = top + 6 + Double(number) * 18
      parts.append("<rect x=\"\(short(left + width + 16))\" y=\"\(short(place - 5))\" width=\"12\" height=\"4\" fill=\"\(colour)\"/>")
      parts.append(text(left + width + 34, place, work.name, "start"))
    }
    return svg(width: left + width + 270, height: max(top + plot + 34, top + Double(works.count) * 18 + 20), parts)
  }

  private static func svg(width: Double, height: Double, _ parts: [String]) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(short(width)) \(short(height))" width="\(short(width))" height="\(short(height))" role="img">
    \(style)
    \(parts.joined(separator: "\n"))
    </svg>

    """
  }

  private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ kind: String) -> String {
    "<line class=\"\(kind)\" x1=\"\(short(x1))\" y1=\"\(short(y1))\" x2=\"\(short(x2))\" y2=\"\(short(y2))\"/>"
  }

  private static func text(_ x: Double, _ y: Double, _ text: String, _ anchor: String) -> String {
    let escaped = text.map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : $0 == ">" ? "&gt;" : String($0) }.joined()
    return "<text x=\"\(short(x))\" y=\"\(short(y))\" text-anchor=\"\(anchor)\">\(escaped)</text>"
  }

  /// The value with one decimal.
  private static func short(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
