// The order book with every feature at once, on simulated threads: a seed also decides which thread or task goes on where more than one could.
//
//   order-book-simulation FIRST COUNT   the random steps of COUNT seeds
//
// It ends with lines that say how many steps were made, and which two features met least often; or with `FAILED`, the seed and the law, and the
// status 1.

#if SQLite && Macros
  import AlterTesting
  import Foundation
  import SimulatedThreads

  @testable import OrderBook

  @main enum Simulation {
    // Only the thread that has the baton uses them.
    nonisolated(unsafe) private static var tally = Tally()
    nonisolated(unsafe) private static var hasEnded = false

    static func main() {
      let words = Array(CommandLine.arguments.dropFirst())
      guard words.count == 2 else { fail("usage: order-book-simulation FIRST COUNT") }
      guard simulation_is_possible() == 1 else {
        return say("skipped: the runtime's jobs can be taken on Linux only, and not under a sanitizer")
      }
      simulation_hash_alike(CommandLine.unsafeArgv)
      simulation_begin()
      simulation_let_sleep()
      for seed in Tally.seeds(words[0], words[1]) { run(seed) }
      say("\(simulation_steps()) decisions, \(simulation_hand_overs()) of them for another thread")
      tally.end()
    }

    private static func run(_ seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      hasEnded = false
      Task {
        await tally.run(seed, in: .memory, isSimulated: true)
        hasEnded = true
      }
      let settings = simulation_settings(
        seed: seed, threads: random.pick([2, 3, 4]), one_in: random.pick([2, 4, 16, 100]), has_priorities: 0, demotions: 1_000)
      simulation_run(settings, {}, { 0 })
      guard hasEnded else { fail("FAILED seed \(seed): every task waits for ever") }
    }
  }
#else
  @main enum Simulation {
    static func main() { print("Built without the traits SQLite and Macros.") }
  }
#endif
