#if SQLite && Macros
  import Foundation
  import ProcessTesting

  /// Writes a line at once.
  func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  func fail(_ text: String) -> Never {
    say(text)
    exit(1)
  }

  /// A place in which random steps are made. After each step the laws are checked.
  protocol RandomSteps {
    var meetings: Meetings { get }
    func step() async throws
    func close() async throws
  }

  /// The random steps of several seeds, and how often each two features met in them.
  struct Tally {
    /// A place in which random steps are made.
    enum Place: Hashable, Sendable, CustomStringConvertible {
      case shared(Workplace.Place)
      /// A server in memory, and devices with a file each.
      case synced

      /// The places of this machine.
      static var all: [Place] {
        var places = Workplace.Place.all.map(Place.shared)
        #if SyncServer
          places.append(.synced)
        #endif
        return places
      }

      /// Those whose threads can be simulated.
      static var simulated: [Place] { all.filter { $0 == .shared(.memory) || $0 == .synced } }

      init?(_ name: String) {
        guard let place = Self.all.first(where: { $0.description == name }) else { return nil }
        self = place
      }

      var description: String {
        switch self {
        case .shared(let place): "\(place)"
        case .synced: "synced"
        }
      }

      /// The number of steps of a seed.
      var steps: Int { self == .synced ? 60 : 80 }

      /// The seeds of a test: in the short form as many as take a few seconds.
      var seeds: Range<UInt64> {
        switch self {
        case .shared(.memory): Effort.seeds(1, short: 16, full: 2_000)
        case .shared(.sqlite): Effort.seeds(1, short: 12, full: 500)
        case .shared(.postgres): Effort.seeds(1, short: 5, full: 100)
        case .synced: Effort.seeds(1, short: 4, full: 100)
        }
      }

      /// The features that can meet here.
      func features(isSimulated: Bool) -> Set<Feature> {
        let devices: Set<Feature> = [.device, .served, .policy]
        var features = Set(Feature.allCases)
        switch self {
        case .shared(let place):
          features.subtract(devices.union([.memory, .sqlite, .postgres, .backup]))
          features.insert(place.feature)
          if place == .sqlite { features.insert(.backup) }
        case .synced: features = features.filter { feature in !devices.contains { Feature.apart.contains([$0, feature]) } }
        }
        // The library for SQL has threads of its own.
        if isSimulated { features.remove(.rows) }
        return features
      }
    }

    /// A step after which a law does not hold.
    struct Failure: Error, CustomStringConvertible { let description: String }

    private(set) var steps = 0
    private(set) var seeds = 0
    private var meetings = Meetings()
    private var places: Set<Place> = []
    private var possible: Set<Set<Feature>> = []

    /// The seeds of a command: the first one, and their number; nil if they are no numbers.
    static func seeds(_ first: String, _ count: String) -> Range<UInt64>? {
      guard let first = UInt64(first), let count = UInt64(count) else { return nil }
      return first..<first + count
    }

    /// Makes the steps of a seed.
    ///
    /// - Throws: ``Failure``, with the place, the seed and the step.
    mutating func run(_ seed: UInt64, in place: Place, isSimulated: Bool = false) async throws {
      expectMeetings(in: place, isSimulated)
      var step = 0
      do {
        let workplace = try await Self.workplace(seed, in: place, isSimulated)
        while step < place.steps {
          (step, steps) = (step + 1, steps + 1)
          try await workplace.step()
        }
        try await workplace.close()
        meetings.formUnion(workplace.meetings)
      } catch { throw Failure(description: "\(place), seed \(seed), step \(step), the \(steps)th in all: \(error)") }
      seeds += 1
    }

    private static func workplace(_ seed: UInt64, in place: Place, _ isSimulated: Bool) async throws -> any RandomSteps {
      switch place {
      case .shared(let place): return try await Workplace(seed: seed, in: place, isSimulated: isSimulated)
      case .synced:
        #if SyncServer
          return try await SyncedWorkplace(seed: seed, isSimulated: isSimulated)
        #else
          throw Failure(description: "there is no server")
        #endif
      }
    }

    private mutating func expectMeetings(in place: Place, _ isSimulated: Bool) {
      guard places.insert(place).inserted else { return }
      let features = place.features(isSimulated: isSimulated)
      for one in features {
        for other in features where one < other && !Feature.apart.contains([one, other]) { possible.insert([one, other]) }
      }
    }

    /// The pairs of features that can meet in the places, with their counts: the rarest first.
    var counts: [(pair: [Feature], count: Int)] {
      possible.map { $0.sorted() }.map { (pair: $0, count: meetings.count($0[0], $0[1])) }
        .sorted { ($0.count, $0.pair[0], $0.pair[1]) < ($1.count, $1.pair[0], $1.pair[1]) }
    }

    /// The pairs that have not met.
    var missing: [String] { counts.filter { $0.count == 0 }.map { "'\($0.pair[0].rawValue)' and '\($0.pair[1].rawValue)'" } }

    var summary: String {
      let counts = counts
      let least = counts.first.map { "'\($0.pair[0].rawValue)' and '\($0.pair[1].rawValue)' least often: \($0.count) times" } ?? ""
      let met = counts.count { $0.count > 0 }
      return "\(steps) steps of \(seeds) seeds: \(met) of \(counts.count) pairs of features have met, \(least)"
    }

    /// Ends a command. With some hundred seeds, a pair that has not met is a failure.
    func end() {
      say(summary)
      guard seeds >= 100, !missing.isEmpty else { return }
      fail("FAILED: \(missing.joined(separator: ", ")) have not met")
    }
  }
#endif
