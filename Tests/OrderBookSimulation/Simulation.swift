// The order book with every feature at once, on simulated threads: a seed also decides which thread or task goes on where more than one could.
//
//   order-book-simulation PLACE FIRST COUNT   the random steps of COUNT seeds, in `memory`, or `synced`: on devices of a server
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
      guard words.count == 3, let place = Tally.Place(words[0]), Tally.Place.simulated.contains(place),
        let seeds = Tally.seeds(words[1], words[2])
      else { fail("usage: order-book-simulation memory|synced FIRST COUNT") }
      guard simulation_is_possible() == 1 else {
        return say("skipped: the runtime's jobs can be taken on Linux only, and not under a sanitizer")
      }
      simulation_hash_alike(CommandLine.unsafeArgv)
      simulation_begin()
      for seed in seeds { run(seed, in: place) }
      let counts = "\(simulation_steps()) decisions, \(simulation_hand_overs()) of them for another thread"
      say("\(counts); \(simulation_blocks()) pieces of work on files")
      tally.end()
    }

    private static func run(_ seed: UInt64, in place: Tally.Place) {
      var random = SeededGenerator(seed: seed)
      hasEnded = false
      let (threads, oneIn): (Int32, Int32) = (random.pick([2, 3, 4]), random.pick([2, 4, 16, 100]))
      if place == .synced {
        // The driver of a device gives signs of life while it lives, so its sleeps take a time: from one that is long to one that is short beside
        // the work.
        simulation_let_sleep(random.pick([10_000, 100_000, 1_000_000]))
        simulation_take_blocks()
      } else {
        simulation_let_sleep(0)
      }
      Task {
        do { try await tally.run(seed, in: place, isSimulated: true) } catch { fail("FAILED \(error)") }
        hasEnded = true
      }
      let settings = simulation_settings(seed: seed, threads: threads, one_in: oneIn, has_priorities: 0, demotions: 1_000)
      simulation_run(settings, {}, { 0 })
      guard hasEnded else { fail("FAILED \(place), seed \(seed): every task waits for ever") }
    }
  }
#else
  @main enum Simulation {
    static func main() { print("Built without the traits SQLite and Macros.") }
  }
#endif
