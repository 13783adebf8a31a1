/// The features of docs/crossings.md that the order book uses.
enum Feature: String, CaseIterable, Hashable, Comparable {
  case macroStruct = "macro struct"
  case macroEnum = "macro enum"
  case handwritten
  case batch
  case requires
  case lease
  case undo
  case redo
  case scope
  case reset
  case importing = "import"
  case resuming
  case migration
  case newerSchema = "newer schema"
  case olderSnapshot = "older snapshot"
  case observation
  case durableEffect = "durable effect"
  case actingEffect = "acting effect"
  case localEffect = "local effect"
  case stores = "Stores"
  case sqlite = "SQLite"
  case postgres = "PostgreSQL"
  case memory
  case device
  case served
  case policy
  case compaction
  case erasure
  case export
  case copy
  case backup
  case typedInspector = "inspector with types"
  case untypedInspector = "inspector without types"
  case rows

  /// Pairs that never meet in an order book: docs/crossings.md names another test, or the reason.
  static let apart: Set<Set<Feature>> = {
    let synced: [Feature] = [.device, .served, .policy]
    var apart: Set<Set<Feature>> = [[.memory, .backup], [.memory, .postgres], [.postgres, .sqlite], [.postgres, .backup]]
    for one in synced {
      apart.insert([one, .postgres])
      for other in [.handwritten, .lease, .importing, .migration, .newerSchema, .olderSnapshot, .stores, .backup] as [Feature] {
        apart.insert([one, other])
      }
    }
    return apart
  }()

  static func < (left: Feature, right: Feature) -> Bool { left.rawValue < right.rawValue }
}

/// How often two features met: both belonged to a step, or one to it and the other to one of the steps just before.
struct Meetings {
  /// A row of counts for each feature. A long run spends its time on the steps, and not on sets of features.
  private var counts = [Int](repeating: 0, count: Feature.allCases.count * Feature.allCases.count)
  private var recent: [Set<Feature>] = []

  private static let numbers = Dictionary(uniqueKeysWithValues: Feature.allCases.enumerated().map { ($1, $0) })

  private static func place(_ one: Feature, _ other: Feature) -> Int {
    let (one, other) = (numbers[one, default: 0], numbers[other, default: 0])
    return min(one, other) * Feature.allCases.count + max(one, other)
  }

  /// The number of times that two features met.
  func count(_ one: Feature, _ other: Feature) -> Int { counts[Self.place(one, other)] }

  /// Notes a step.
  ///
  /// - Parameters:
  ///   - step: The features that the step used.
  ///   - standing: Those that are there all the time.
  mutating func note(_ step: Set<Feature>, beside standing: Set<Feature>) {
    let present = Array(step.union(standing))
    let before = recent.reduce(Set<Feature>()) { $0.union($1) }.subtracting(present)
    for (index, one) in present.enumerated() {
      for other in present[(index + 1)...] { counts[Self.place(one, other)] += 1 }
      for other in before { counts[Self.place(one, other)] += 1 }
    }
    recent = recent.suffix(5) + [step]
  }

  mutating func formUnion(_ other: Meetings) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}
