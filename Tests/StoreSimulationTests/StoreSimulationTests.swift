import Foundation
import ProcessTesting
import Testing

#if os(Linux)
  private let isPossible = true
#else
  private let isPossible = false
#endif

/// Runs the real store with threads whose order a seed decides, in a separate process: `Tests/StoreSimulation`.
@Suite("The simulation of the store", .timeLimit(.minutes(30)), .enabled(if: isPossible, "the runtime's jobs can be taken on Linux only"))
struct StoreSimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// The extent of the simulation: about 20 seconds, given in steps, so that every machine runs the same schedules. The full run takes ten
  /// minutes.
  private static let extent = Effort.isFull ? ["--seconds", "600"] : ["--steps", "200000"]
  /// The full run uses another seed each day, so that it never repeats the schedules of the previous day.
  private static let seed = environment["ALTER_SEED"] ?? (Effort.isFull ? "\(Int(Date().timeIntervalSince1970) / 86_400 * 1_000_000)" : "1")

  @Test("finds no broken law, and everything happens that can")
  func laws() throws {
    let outcome = try simulation(Self.extent + ["--seed", Self.seed])
    print(outcome.output)
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test("does the same again for the same seed")
  func sameTrace() throws {
    let outcome = try simulation(["--twice", "--steps", "20000", "--seed", Self.seed])
    #expect(outcome.status == 0, "\(outcome)")
  }

  private func simulation(_ arguments: [String]) throws -> Outcome {
    try ChildProcess.run([Product.path("store-simulation")] + arguments)
  }
}
