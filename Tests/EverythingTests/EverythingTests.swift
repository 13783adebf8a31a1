#if SQLite && Macros
  import AlterTesting
  import ProcessTesting
  import Testing

  @testable import OrderBook

  /// An order book with every feature at once, against a naive model: see docs/crossings.md.
  @Suite("An app with everything on", .serialized, .timeLimit(.minutes(240)))
  struct EverythingTests {
    @Test("has the state, the undo and the effects of the naive model after each random step, and each pair of its features meets")
    func steps() async throws {
      var tally = Tally()
      for place in Tally.Place.all {
        for seed in place.seeds {
          do { try await tally.run(seed, in: place) } catch { return _ = Issue.record("\(error)") }
        }
      }
      #expect(tally.missing.isEmpty)
      print(tally.summary)
    }
  }
#endif
