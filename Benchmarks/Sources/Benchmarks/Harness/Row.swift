/// A row of the table: Alter and one baseline for one work.
struct Row {
  let work: String
  let n: Int
  let unit: Work.Unit
  let baseline: String
  let alter: Double
  let figure: Double
  let ratio: Double
  let goal: Goal?

  init(_ work: Work, baseline: String, alter: Double, figure: Double, ratio: Double) {
    self.work = work.name
    n = work.n
    unit = work.unit
    self.baseline = baseline
    self.alter = alter
    self.figure = figure
    self.ratio = ratio
    goal = work.goals[baseline]
  }

  var isMet: Bool? { goal?.isMet(figure: alter, ratio: ratio) }

  /// `work`, `n`, `alter_ns`, `baseline`, `baseline_ns`, `ratio`, and `goal`, `met` if there is a goal. Other units have another
  /// suffix than `_ns`, for example `_bytes`.
  var json: String {
    let suffix = unit.rawValue
    var fields = [
      "\"work\":\"\(work)\"", "\"n\":\(n)", "\"alter_\(suffix)\":\(alter)", "\"baseline\":\"\(baseline)\"",
      "\"baseline_\(suffix)\":\(figure)", "\"ratio\":\(ratio)",
    ]
    if let goal, let isMet { fields += ["\"goal\":\"\(goal.description(unit))\"", "\"met\":\(isMet)"] }
    return "{\(fields.joined(separator: ","))}"
  }

  static let header = columns("work", "n", "Alter", "baseline", "", "ratio", "goal", "met")

  var description: String {
    Self.columns(
      work, String(n), unit.format(alter), baseline, unit.format(figure), significant(ratio), goal?.description(unit) ?? "",
      isMet.map { $0 ? "yes" : "NO" } ?? "")
  }

  private static func columns(
    _ work: String, _ n: String, _ alter: String, _ baseline: String, _ figure: String, _ ratio: String, _ goal: String, _ met: String
  ) -> String {
    func right(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
    func left(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
    return [
      left(work, 26), right(n, 8), right(alter, 9), "  " + left(baseline, 24), right(figure, 9), right(ratio, 10), right(goal, 17),
      right(met, 4),
    ].joined(separator: " ")
  }
}
