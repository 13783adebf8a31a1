/// The life of a server's journal. The operator changes it after a restore; the laws hold within one generation.
package struct Generation: Sendable, Hashable, CustomStringConvertible {
  /// Random bits.
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  package var description: String { String(number, radix: 16) }
}

/// The present generation of a journal, and those before it.
///
/// A backup that is older than a change of the generation brings a former one back, without the operator's command. Only a device that knows
/// the former generations can distinguish this from a change of the generation.
package struct Lineage: Sendable, Hashable {
  package private(set) var generation: Generation
  /// The generations that have ended.
  package private(set) var former: Set<Generation>

  package init(_ generation: Generation, former: Set<Generation> = []) {
    self.generation = generation
    self.former = former.subtracting([generation])
  }

  /// Ends the present generation.
  package mutating func begin(_ next: Generation) { self = Lineage(next, former: former.union([generation])) }

  /// Takes another lineage's generation as the present one, and remembers all others.
  package mutating func follow(_ other: Lineage) {
    self = Lineage(other.generation, former: former.union(other.former).union([generation]))
  }

  /// Remembers the generations of another lineage as former ones.
  package mutating func learn(_ other: Lineage) {
    self = Lineage(generation, former: former.union(other.former).union([other.generation]))
  }

  /// Whether a generation is the present one or a former one.
  package func knows(_ generation: Generation) -> Bool { generation == self.generation || former.contains(generation) }
}
