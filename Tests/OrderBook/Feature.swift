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
  private(set) var counts: [Set<Feature>: Int] = [:]
  private var recent: [Set<Feature>] = []

  /// Notes a step.
  ///
  /// - Parameters:
  ///   - step: The features that the step used.
  ///   - standing: Those that are there all the time.
  mutating func note(_ step: Set<Feature>, beside standing: Set<Feature>) {
    let present = step.union(standing)
    for one in present {
      for other in present where one < other { counts[[one, other], default: 0] += 1 }
      for other in recent.reduce(Set<Feature>(), { $0.union($1) }).subtracting(present) { counts[[one, other], default: 0] += 1 }
    }
    recent = recent.suffix(5) + [step]
  }

  mutating func formUnion(_ other: Meetings) { counts.merge(other.counts, uniquingKeysWith: +) }
}
