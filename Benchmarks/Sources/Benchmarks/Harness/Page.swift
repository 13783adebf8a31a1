import Foundation

/// The decimal logarithm. This name avoids ambiguity between the functions of the platforms' C libraries.
func log10(of value: Double) -> Double { log10(max(value, .leastNormalMagnitude)) }
func power(_ exponent: Double) -> Double { pow(10, exponent) }

/// The results as a Markdown page, with its charts in a folder beside it.
struct Page {
  let rows: [Row]
  let options: Options
  let seconds: Int

  /// Writes the page and its charts.
  ///
  /// - Parameter path: A Markdown file. The charts go into the folder `images` beside it.
  func write(to path: String) throws {
    let file = URL(fileURLWithPath: path)
    let images = file.deletingLastPathComponent().appendingPathComponent("images")
    try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
    try Chart.ratios(rows.filter { $0.goal != nil && $0.unit == .nanoseconds && $0.ratio.isFinite && $0.ratio > 0 })
      .write(to: images.appendingPathComponent("benchmarks-ratios.svg"), atomically: true, encoding: .utf8)
    // Zero has no position on a logarithmic scale.
    let positive = growing.filter { $0.unit == .nanoseconds }.map { (name: $0.name, points: $0.points.filter { $0.n > 0 }) }
    try Chart.growth(positive.filter { $0.points.count > 1 })
      .write(to: images.appendingPathComponent("benchmarks-growth.svg"), atomically: true, encoding: .utf8)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  /// The works that were measured at several sizes, by name, in order.
  private var growing: [(name: String, unit: Work.Unit, points: [(n: Int, value: Double)])] {
    var order: [String] = []
    var points: [String: [(n: Int, value: Double)]] = [:]
    var units: [String: Work.Unit] = [:]
    for row in rows where points[row.work]?.contains(where: { $0.n == row.n }) != true {
      if points[row.work] == nil { order.append(row.work) }
      points[row.work, default: []].append((row.n, row.alter))
      units[row.work] = row.unit
    }
    return order.compactMap { name in
      guard let found = points[name], found.count > 1, let unit = units[name] else { return nil }
      return (name, unit, found.sorted { $0.n < $1.n })
    }
  }

  private var text: String {
    let unmet = rows.filter { $0.isMet == false }
    let goals = rows.filter { $0.goal != nil }
    return """
      # The whole run of the benchmarks

      [benchmarks.md](benchmarks.md) has the goals, the main works, and the reasons for each goal that is missed. A test compares its figures with this page.

      `script/benchmark --page docs/benchmarks-run.md` generated this page in one run of \(seconds) seconds (\(options.isQuick ? "the quick form" : "the full form")). Each work ran \(options.rounds) rounds. In each round Alter and
      its baselines take turns, and the table shows the medians. The machine (\(ProcessInfo.processInfo.activeProcessorCount) cores, \(Self.system)) is shared, so absolute times are unreliable. A ratio compares two contenders under the same load: below 1, Alter is faster.

      \(unmet.isEmpty ? "All \(goals.count) goals are met." : "\(goals.count - unmet.count) of \(goals.count) goals are met.")

      ![Ratios to the baselines](images/benchmarks-ratios.svg)

      The sync works are compared with bare databases and with servers that promise less: `Design/0013-performance.md` has the list.

      The chart shows the works with a goal. A dot is blue if its goal is met, and orange if it is not. A green line marks a goal that is a ratio.

      | work | n | Alter | baseline | | ratio | goal | met |
      |---|---:|---:|---|---:|---:|---|---|
      \(rows.map(line).joined(separator: "\n"))
      \(notes.isEmpty ? "" : "\n" + notes.map { "- \($0)" }.joined(separator: "\n") + "\n")
      ## How costs grow

      ![Growth](images/benchmarks-growth.svg)

      | work | \(growthHeader) |
      |---|\(String(repeating: "---:|", count: growthSizes.count + 1))
      \(growing.map(growthLine).joined(separator: "\n"))

      The last column is the factor by which the cost grows from the smallest size to the largest.

      """
  }

  private func line(_ row: Row) -> String {
    let met = row.isMet.map { $0 ? "yes" : "**no**" } ?? ""
    return
      "| \(row.work) | \(row.n) | \(row.unit.format(row.alter)) | \(row.baseline) | \(row.unit.format(row.figure)) | \(significant(row.ratio)) | "
      + "\(row.goal?.description(row.unit) ?? "") | \(met) |"
  }

  private var growthSizes: [Int] { Set(growing.flatMap { $0.points.map(\.n) }).sorted() }

  private var growthHeader: String { growthSizes.map { "n = \($0)" }.joined(separator: " | ") + " | growth" }

  private func growthLine(_ work: (name: String, unit: Work.Unit, points: [(n: Int, value: Double)])) -> String {
    let cells = growthSizes.map { size in work.points.first { $0.n == size }.map { work.unit.format($0.value) } ?? "" }
    let growth = (work.points.last?.value ?? 1) / (work.points.first?.value ?? 1)
    return "| \(work.name) | \(cells.joined(separator: " | ")) | \(significant(growth)) × |"
  }

  private static var system: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: &name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
