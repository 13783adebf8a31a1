public import AlterCore

extension History {
  /// Heavy records, and what follows from them: an undo reaches no farther back than the last entries that take ``limit`` bytes together.
  @usableFromInline
  struct Heavy: Sendable {
    /// How many bytes of heavy entries an undo reaches back. Every replica has the same, so that all give the same answer.
    var limit: Int64 = 64 << 20
    private var records: [(revision: Revision, weight: Int64)] = []
    private(set) var total: Int64 = 0
    /// The bytes since the last kept state.
    var unkept: Int64 = 0
    /// An undo takes back nothing up to here.
    @usableFromInline private(set) var horizon: Revision = .zero

    @usableFromInline init() {}

    /// Whether more is kept than twice what an undo reaches.
    @usableFromInline var isTooMuch: Bool { total > 2 * limit }
    /// Whether a state should be kept, so that what is let go of can be chosen well.
    @usableFromInline var needsCheckpoint: Bool { unkept > limit / 4 }

    @usableFromInline
    mutating func add(_ weight: Int64, at revision: Revision) {
      records.append((revision, weight))
      total += weight
      unkept += weight
      var rest = limit
      // The last one can always be taken back.
      for (offset, record) in records.reversed().enumerated() {
        rest -= record.weight
        guard rest < 0, offset > 0 else { continue }
        horizon = max(horizon, record.revision)
        return
      }
    }

    @usableFromInline
    mutating func removeAll(through revision: Revision) {
      records.removeAll { $0.revision <= revision }
      total = records.reduce(0) { $0 + $1.weight }
    }
  }
}
