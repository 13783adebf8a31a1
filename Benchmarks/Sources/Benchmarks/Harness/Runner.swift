/// Measures works in rounds. In every round all contenders take a turn, so that a load on the machine affects them equally. The result is
/// the median of the rounds' ratios.
struct Runner {
  let options: Options

  func run(_ work: Work) -> [Row] {
    if let figures = work.figures { return rows(work, figures: figures()) }
    let contenders = work.contenders()
    let budget = options.isQuick ? 4_000_000.0 : 25_000_000
    let repetitions = contenders.map { $0.repetitions(for: budget, by: work.clock) }
    var times = contenders.map { _ in [Double]() }
    for round in 0..<options.rounds {
      for turn in contenders.indices {
        let place = (turn + round) % contenders.count
        times[place].append(contenders[place].time(repetitions: repetitions[place], by: work.clock))
      }
    }
    return contenders.indices.dropFirst().map { place in
      Row(
        work, baseline: contenders[place].name, alter: median(times[0]), figure: median(times[place]),
        ratio: median(zip(times[0], times[place]).map { $0 / $1 }))
    }
  }

  private func rows(_ work: Work, figures: [(name: String, value: Double)]) -> [Row] {
    figures.dropFirst().map { name, value in
      Row(work, baseline: name, alter: figures[0].value, figure: value, ratio: figures[0].value / value)
    }
  }
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
