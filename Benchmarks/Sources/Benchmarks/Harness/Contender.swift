/// An implementation of a work, to be timed. Its state is in a class, so that the optimiser can't see through it.
final class Contender {
  let name: String
  /// The number of counted operations (an update, a visited element) in one repetition.
  let operations: Int
  private let body: (_ repetitions: Int) -> Int

  /// - Parameters:
  ///   - name: The name in the table.
  ///   - operations: The number of operations in one repetition. Times are given per operation.
  ///   - state: The initial state, created once.
  ///   - step: One repetition. Its result is consumed, so that the optimiser can't remove the work.
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

  func run(repetitions: Int) { consume(body(repetitions)) }

  /// The nanoseconds for one operation.
  func time(repetitions: Int, by clock: BenchmarkClock) -> Double {
    let start = clock.nanoseconds
    run(repetitions: repetitions)
    let duration = clock.nanoseconds - start
    return Double(max(1, duration)) / Double(repetitions) / Double(operations)
  }

  /// The number of repetitions that take approximately this time.
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

/// Consumes a result, so that the optimiser can't remove the work behind it.
@inline(never)
func consume(_ value: Int) { consumed &+= value }
