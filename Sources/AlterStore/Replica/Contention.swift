/// Whether other writers append to the journal so often that an append without a turn would fail.
///
/// After a conflict every flight takes a turn first, and reads the missed entries with it, until several turns in a row have missed nothing.
struct Contention: Sendable {
  /// The number of turns without others' entries after which there is no contention.
  private static let calm = 4
  private var turnsLeft = 0
  /// The time of the last turn.
  private var lastTurn: ContinuousClock.Instant?

  /// Whether a flight should take a turn first.
  var isHigh: Bool { turnsLeft > 0 }

  /// Another writer came first.
  mutating func lost() { turnsLeft = Self.calm }

  /// A turn began.
  ///
  /// - Parameters:
  ///   - missed: Whether there were entries that the store did not know.
  ///   - now: The present time.
  mutating func tookTurn(missed: Bool, now: ContinuousClock.Instant) {
    turnsLeft = missed ? Self.calm : max(0, turnsLeft - 1)
    lastTurn = now
  }

  /// Returns whether the writer has taken turns so recently that its next one will probably read others' entries before a reader could.
  func isFresh(now: ContinuousClock.Instant) -> Bool { isHigh && lastTurn.map { now - $0 < .milliseconds(50) } ?? false }
}
