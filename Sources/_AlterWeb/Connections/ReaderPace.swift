/// Measures how fast a client takes the bytes that wait for it, and computes when it must have taken some and all of them. A pure value;
/// times are those of any monotonic clock.
///
/// Only the time during which bytes wait counts, so a long computation on the server does not make a reader slow.
struct ReaderPace: Sendable {
  private var patience: Duration
  private let rate: Int

  /// The number of bytes that wait.
  private(set) var unsent = 0
  /// The time at which bytes began to wait; `waited` is the total of earlier waits.
  private var waitsSince: Duration = .zero
  private var waited: Duration = .zero
  /// The time at which the client last took bytes, or at which bytes began to wait, if that is later.
  private var tookLast: Duration = .zero
  /// The number of bytes that the client has taken.
  private var taken = 0

  /// - Parameters:
  ///   - patience: The maximum time without progress. It is also the total waiting time that is allowed in addition to the time at the
  ///     given rate.
  ///   - rate: The minimum average rate, in bytes per second.
  init(patience: Duration, rate: Int) {
    self.patience = patience
    self.rate = rate
  }

  /// Adds bytes that wait for the client.
  mutating func wait(_ count: Int, at now: Duration) {
    if unsent == 0 { (waitsSince, tookLast) = (now, now) }
    unsent += count
  }

  /// Records that the client has taken bytes.
  mutating func took(_ count: Int, at now: Duration) {
    unsent -= count
    taken += count
    tookLast = now
    if unsent == 0 { waited += now - waitsSince }
  }

  /// Starts a new measurement, because all answers have ended.
  mutating func end(at now: Duration) { (waited, taken, waitsSince) = (.zero, 0, now) }

  /// Limits the remaining time of the client, because the server stops.
  mutating func hurry(_ patience: Duration, at now: Duration) {
    self.patience = min(self.patience, patience)
    (waited, taken, waitsSince, tookLast) = (.zero, 0, now, now)
  }

  /// The time at which the connection must be closed unless the client takes more bytes; nil if none wait.
  ///
  /// - Parameter isStream: Whether the answer is a stream of events. The minimum rate does not apply to it.
  func deadline(isStream: Bool) -> Duration? {
    guard unsent > 0 else { return nil }
    let next = tookLast + patience
    return isStream ? next : min(next, waitsSince - waited + patience + .seconds(Double(taken) / Double(rate)))
  }
}
