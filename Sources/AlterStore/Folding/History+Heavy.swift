public import AlterCore

extension History {
  /// The heavy records of a history. They limit undo by size: it reaches back at most as far as the last ``limit`` bytes of heavy records.
  @usableFromInline
  struct Heavy: Sendable {
    /// The number of bytes of heavy entries that an undo reaches back: 64 MiB. All replicas use the same limit, so all give the same
    /// answer.
    var limit: Int64 = 64 << 20
    private var records: [(revision: Revision, weight: Int64)] = []
    private(set) var total: Int64 = 0
    /// The bytes since the last kept state.
    var unkept: Int64 = 0
    /// An undo reverts no entry up to this revision.
    @usableFromInline private(set) var horizon: Revision = .zero

    @usableFromInline init() {}

    /// Whether the kept records have more than twice the bytes that an undo reaches back.
    @usableFromInline var isTooMuch: Bool { total > 2 * limit }
    /// Whether a state should be kept now, so that a trim can release nearly all records before the horizon.
    @usableFromInline var needsCheckpoint: Bool { unkept > limit / 4 }

    @usableFromInline
    mutating func add(_ weight: Int64, at revision: Revision) {
      records.append((revision, weight))
      total += weight
      unkept += weight
      var rest = limit
      // The last one can always be undone.
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
