// The order book with every feature at once, as a program.
//
//   order-book steps PLACE FIRST COUNT   the random steps of COUNT seeds, in `memory` or in files (`sqlite`)
//   order-book work FOLDER BUILD SEED    one of several processes: random steps on FOLDER/orders.db until its input ends
//
// The first ends as `order-book-simulation` does. The second prints a line for each entry that was acknowledged: `made ORIGIN SEQUENCE REVISION`.

#if SQLite && Macros
  @testable import OrderBook

  @main struct OrderBookProgram {
    static func main() async throws {
      let words = Array(CommandLine.arguments.dropFirst())
      switch (words.first, words.count) {
      case ("steps", 4):
        var tally = Tally()
        for seed in Tally.seeds(words[2], words[3]) { await tally.run(seed, in: words[1] == "sqlite" ? .sqlite : .memory) }
        tally.end()
      case ("work", 4):
        let seed = UInt64(words[3])!
        switch words[2] {
        case "1": try await Worker.work(Build1.self, in: words[1], seed: seed)
        case "2": try await Worker.work(Build2.self, in: words[1], seed: seed)
        default: try await Worker.work(Build3.self, in: words[1], seed: seed)
        }
      default: fail("usage: order-book steps PLACE FIRST COUNT | work FOLDER BUILD SEED")
      }
    }
  }
#else
  @main struct OrderBookProgram {
    static func main() { print("Built without the traits SQLite and Macros.") }
  }
#endif
