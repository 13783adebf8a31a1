// The order book with every feature at once, as a program.
//
//   order-book steps PLACE FIRST COUNT …   the random steps of COUNT seeds, in each PLACE of `memory`, `sqlite`, `postgres`, `synced`
//   order-book work FOLDER BUILD SEED      one of several processes: random steps on FOLDER/orders.db until its input ends
//   order-book device FOLDER SEED          one of several processes of devices: random steps on FOLDER/ann.db or FOLDER/bob.db, which a server in
//                                          the process sends to FOLDER/served.db, until its input ends
//
// The first prints, after each place, a table of how often each two features have met so far, and ends as `order-book-simulation` does. The others
// print a line for each entry or draft that was acknowledged: `made ORIGIN SEQUENCE REVISION`, without the revision of a draft.

#if SQLite && Macros
  import Foundation

  @testable import OrderBook

  @main struct OrderBookProgram {
    static func main() async throws {
      let words = Array(CommandLine.arguments.dropFirst())
      switch (words.first, words.count) {
      case ("steps", 4...) where words.count % 3 == 1: await makeSteps(words.dropFirst())
      case ("work", 4):
        let seed = UInt64(words[3])!
        switch words[2] {
        case "1": try await Worker.work(Build1.self, in: words[1], seed: seed)
        case "2": try await Worker.work(Build2.self, in: words[1], seed: seed)
        default: try await Worker.work(Build3.self, in: words[1], seed: seed)
        }
      case ("device", 3):
        #if SyncServer
          try await DeviceWorker.work(in: words[1], seed: UInt64(words[2])!)
        #else
          fail("built without the trait SyncServer")
        #endif
      default: fail("usage: order-book steps PLACE FIRST COUNT … | work FOLDER BUILD SEED | device FOLDER SEED")
      }
    }

    private static func makeSteps(_ words: ArraySlice<String>) async {
      var tally = Tally()
      var words = words
      while let name = words.popFirst(), let first = words.popFirst(), let count = words.popFirst() {
        guard let place = Tally.Place(name) else { fail("there is no place '\(name)' here") }
        guard let seeds = Tally.seeds(first, count) else { fail("'\(first) \(count)' are no seeds") }
        let before = tally.steps
        for seed in seeds {
          do { try await tally.run(seed, in: place) } catch { fail("FAILED \(error)") }
          // For a reader of a long run.
          if tally.seeds % 100 == 0 { FileHandle.standardError.write(Data("\(place), seed \(seed): \(tally.steps) steps\n".utf8)) }
        }
        say("\(place): \(tally.steps - before) steps of the \(count) seeds from \(first)")
        // A long run may be read before its end.
        sayCounts(of: tally)
      }
      tally.end()
    }

    private static func sayCounts(of tally: Tally) {
      let counts = tally.counts
      for feature in Feature.allCases {
        let met = counts.filter { $0.pair.contains(feature) }.compactMap { pair, count in
          pair.first { $0 != feature }.map { "\($0.rawValue) \(count)" }
        }
        if !met.isEmpty { say("| \(feature.rawValue) | \(met.joined(separator: ", ")) |") }
      }
      say(tally.summary)
    }
  }
#else
  @main struct OrderBookProgram {
    static func main() { print("Built without the traits SQLite and Macros.") }
  }
#endif
