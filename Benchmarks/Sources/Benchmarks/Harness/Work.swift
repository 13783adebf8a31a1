/// A piece of work at one size, which Alter and the baselines perform. It gives the rows of the table.
struct Work {
  let name: String
  let n: Int
  var unit = Unit.nanoseconds
  var clock = BenchmarkClock.wall
  let goals: [String: Goal]
  /// Creates the contenders: Alter first, then the baselines. Called once, right before the measurement.
  let contenders: () -> [Contender]
  /// For work that is not measured with a clock: the figures by name, Alter's first.
  var figures: (() -> [(name: String, value: Double)])?

  enum Unit: String {
    case nanoseconds = "ns", bytes, count
    /// A part of a processor.
    case share
  }

  /// - Parameters:
  ///   - name: The name of the work.
  ///   - n: The number of elements.
  ///   - goals: The goal for each baseline, by its name.
  ///   - contenders: Creates Alter's contender and then the baselines'.
  init(_ name: String, _ n: Int, goals: [String: Goal] = [:], contenders: @escaping () -> [Contender]) {
    self.name = name
    self.n = n
    self.goals = goals
    self.contenders = contenders
  }

  /// - Parameters:
  ///   - name: The name of the measurement.
  ///   - n: The number of elements.
  ///   - unit: The unit of the figures.
  ///   - goals: The goal for each baseline, by its name.
  ///   - figures: Measures the figures, Alter's first.
  init(_ name: String, _ n: Int, unit: Unit, goals: [String: Goal] = [:], figures: @escaping () -> [(name: String, value: Double)]) {
    self.init(name, n, goals: goals) { [] }
    self.unit = unit
    self.figures = figures
  }

  func timed(by clock: BenchmarkClock) -> Work {
    var work = self
    work.clock = clock
    return work
  }
}

/// A goal for a figure of Alter.
enum Goal {
  /// Alter's figure is at most this many times the baseline's.
  case ratio(atMost: Double)
  /// The baseline's figure is at least this many times Alter's.
  case faster(atLeast: Double)
  /// Alter's own figure is at most this, independently of the baseline.
  case figure(atMost: Double)
  /// Alter's figure exceeds the baseline's by at most this.
  case above(atMost: Double)

  func isMet(figure: Double, ratio: Double) -> Bool {
    switch self {
    case .ratio(let most): ratio <= most
    case .faster(let least): ratio * least <= 1
    case .figure(let most): figure <= most
    case .above(let most): figure - figure / ratio <= most
    }
  }

  func description(_ unit: Work.Unit) -> String {
    switch self {
    case .ratio(let most): "<= \(trimmed(most)) x"
    case .faster(let least): ">= \(trimmed(least)) x faster"
    case .figure(let most): "<= \(unit.format(most))"
    case .above(let most): "<= \(unit.format(most)) above"
    }
  }

  private func trimmed(_ number: Double) -> String { number == number.rounded() ? String(Int(number)) : String(number) }
}

extension Work.Unit {
  func format(_ value: Double) -> String {
    let steps: [(Double, String)] =
      switch self {
      case .nanoseconds: [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")]
      case .bytes: [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")]
      case .share: [(0.01, "%")]
      case .count: [(1, "")]
      }
    let (size, name) = steps.first { value >= $0.0 } ?? (1, steps[steps.count - 1].1)
    return name.isEmpty ? significant(value / size) : "\(significant(value / size)) \(name)"
  }
}

/// The number with three significant digits.
func significant(_ value: Double) -> String {
  guard value != 0, value.isFinite else { return "\(value)" }
  var scale = 1.0
  while (abs(value) * scale).rounded() < 100, scale < 1e9 { scale *= 10 }
  let rounded = (value * scale).rounded() / scale
  return rounded >= 100 ? String(Int(rounded)) : String(rounded)
}
