import AlterSyncCore

/// The number of refusals that each principal may cause in a minute. A refusal is an entry of the journal, so they must not be free.
struct RefusalBudget: Sendable {
  /// The length of a period in microseconds.
  static var period: Int64 { 60_000_000 }

  private let limit: Int
  private var start = Int64.min
  private var spent: [Principal: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// Returns the number of refusals that a principal may still cause.
  ///
  /// - Parameter now: Microseconds since 1970 UTC. A clock that is set back by a period begins a new one.
  mutating func rest(of principal: Principal, at now: Int64) -> Int {
    // Pushes may take their turns in another order than that in which they have arrived.
    let (time, isFirst) = now.subtractingReportingOverflow(start)
    if isFirst || time >= Self.period || time <= -Self.period { (start, spent) = (now, [:]) }
    return max(0, limit - (spent[principal] ?? 0))
  }

  /// Records refusals that were appended.
  mutating func spend(_ count: Int, of principal: Principal) { if count > 0 { spent[principal, default: 0] += count } }
}
