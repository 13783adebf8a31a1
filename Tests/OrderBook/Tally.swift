#if SQLite && Macros
  import Foundation

  /// Writes a line at once.
  func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  func fail(_ text: String) -> Never {
    say(text)
    exit(1)
  }

  /// The steps of several seeds.
  struct Tally {
    private var steps = 0
    private var seeds = 0
    private var meetings = Meetings()

    /// The seeds of a command.
    static func seeds(_ first: String, _ count: String) -> Range<UInt64> { UInt64(first)!..<UInt64(first)! + UInt64(count)! }

    /// Makes the steps of a seed.
    mutating func run(_ seed: UInt64, in place: Workplace.Place, isSimulated: Bool = false) async {
      var step = 0
      do {
        let workplace = try await Workplace(seed: seed, in: place, isSimulated: isSimulated)
        while step < 80 {
          (step, steps) = (step + 1, steps + 1)
          try await workplace.step()
        }
        try await workplace.close()
        meetings.formUnion(workplace.meetings)
        seeds += 1
      } catch { fail("FAILED seed \(seed), step \(step), the \(steps)th in all: \(error)") }
    }

    func end() {
      let least = meetings.counts.min { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }
      let names = least.map { $0.key.map(\.rawValue).sorted().joined(separator: " and ") } ?? ""
      let pairs = "\(meetings.counts.count) pairs of features have met, '\(names)' least often: \(least?.value ?? 0) times"
      say("\(steps) steps of \(seeds) seeds: \(pairs)")
    }
  }
#endif
