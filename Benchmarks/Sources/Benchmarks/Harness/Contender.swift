/// Something that does a piece of work, to be timed. Its state is in a class, where the optimiser can't see through it.
final class Contender {
  let name: String
  /// How many times the thing that is counted (an update, an element visited) happens in one repetition.
  let operations: Int
  private let body: (_ repetitions: Int) -> Int

  /// - Parameters:
  ///   - name: What the table calls it.
  ///   - operations: How many operations one repetition is: the times are told per operation.
  ///   - state: What it works on, made once.
  ///   - step: One repetition. What it returns is consumed, so that the work can't be left out.
  init<State>(_ name: String, operations: Int = 1, state: State, step: @escaping (inout State) -> Int) {
    self.name = name
    self.operations = operations
    let box = Box(state)
    body = { repetitions in
      var sum = 0
      for _ in 0..<repetitions { sum &+= step(&box.state) }
      return sum
    }
  }

  /// The nanoseconds that one operation takes.
  func time(repetitions: Int, by clock: BenchmarkClock) -> Double {
    let start = clock.nanoseconds
    let result = body(repetitions)
    let duration = clock.nanoseconds - start
    consume(result)
    return Double(max(1, duration)) / Double(repetitions) / Double(operations)
  }

  /// How many repetitions take about a certain time.
  func repetitions(for nanoseconds: Double, by clock: BenchmarkClock) -> Int {
    var repetitions = 1
    while true {
      let total = time(repetitions: repetitions, by: clock) * Double(repetitions * operations)
      if total >= nanoseconds / 4 { return max(1, Int(Double(repetitions) * nanoseconds / total)) }
      repetitions *= 4
    }
  }
}

private final class Box<State> {
  var state: State

  init(_ state: State) { self.state = state }
}

extension Duration {
  var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

nonisolated(unsafe) private var consumed = 0

/// Takes a result, so that the work that led to it has a purpose.
@inline(never)
func consume(_ value: Int) { consumed &+= value }
