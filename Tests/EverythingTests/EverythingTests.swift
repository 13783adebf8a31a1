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
      var meetings = Meetings()
      var total = 0
      for place in Workplace.Place.all {
        for seed in place.seeds {
          let workplace = try await Workplace(seed: seed, in: place)
          var step = 0
          do {
            while step < 80 {
              (step, total) = (step + 1, total + 1)
              try await workplace.step()
            }
          } catch { return Self.report(error, "\(place)", seed, step, total) }
          try await workplace.close()
          meetings.formUnion(workplace.meetings)
        }
      }
      // Without a server, half of the features are missing.
      #if SyncServer
        for seed in Effort.seeds(1, short: 4, full: 100) {
          let workplace = try await SyncedWorkplace(seed: seed)
          var step = 0
          do {
            while step < 60 {
              (step, total) = (step + 1, total + 1)
              try await workplace.step()
            }
          } catch { return Self.report(error, "synced", seed, step, total) }
          await workplace.close()
          meetings.formUnion(workplace.meetings)
        }
        var features = Set(Feature.allCases)
        if !Workplace.Place.all.contains(.postgres) { features.remove(.postgres) }
        for one in Feature.allCases {
          for other in Feature.allCases
          where one < other && !Feature.apart.contains([one, other]) && features.isSuperset(of: [one, other]) {
            #expect(meetings.counts[[one, other], default: 0] > 0, "'\(one.rawValue)' and '\(other.rawValue)' have not met")
          }
        }
        let least = meetings.counts.filter { !Feature.apart.contains($0.key) }.min { $0.value < $1.value }
        let names = least.map { $0.key.map(\.rawValue).sorted().joined(separator: " and ") } ?? ""
        print("\(total) steps: \(meetings.counts.count) pairs of features have met, '\(names)' least often: \(least?.value ?? 0) times")
      #endif
    }

    private static func report(_ error: any Error, _ place: String, _ seed: UInt64, _ step: Int, _ total: Int) {
      Issue.record("\(place), seed \(seed), step \(step), the \(total)th in all: \(error)")
    }
  }
#endif
