/// How fast a client takes what waits for it: when it must have taken something, and all of it. A pure value; times are those of any clock.
///
/// Only the time in which something waits counts: a server that computes for long is no slow reader.
struct ReaderPace: Sendable {
  private var patience: Duration
  private let rate: Int

  /// How many bytes wait.
  private(set) var unsent = 0
  /// When something began to wait, and how long something had waited before.
  private var waitsSince: Duration = .zero
  private var waited: Duration = .zero
  /// When the client took something last, or could have begun to.
  private var tookLast: Duration = .zero
  /// How many bytes it has taken.
  private var taken = 0

  /// - Parameters:
  ///   - patience: How long the client may take nothing, and how long all may wait whatever its rate.
  ///   - rate: How many bytes a second it has to take beyond that.
  init(patience: Duration, rate: Int) {
    self.patience = patience
    self.rate = rate
  }

  /// Bytes wait.
  mutating func wait(_ count: Int, at now: Duration) {
    if unsent == 0 { (waitsSince, tookLast) = (now, now) }
    unsent += count
  }

  /// The client has taken bytes.
  mutating func took(_ count: Int, at now: Duration) {
    unsent -= count
    taken += count
    tookLast = now
    if unsent == 0 { waited += now - waitsSince }
  }

  /// All answers have ended: what follows is measured anew.
  mutating func end(at now: Duration) { (waited, taken, waitsSince) = (.zero, 0, now) }

  /// The client has no more time than this from now on.
  mutating func hurry(_ patience: Duration, at now: Duration) {
    self.patience = min(self.patience, patience)
    (waited, taken, waitsSince, tookLast) = (.zero, 0, now, now)
  }

  /// When the connection has to be closed unless the client takes more; nil when nothing waits.
  ///
  /// - Parameter isStream: Whether the answer has no end of its own, and may be slow.
  func deadline(isStream: Bool) -> Duration? {
    guard unsent > 0 else { return nil }
    let next = tookLast + patience
    return isStream ? next : min(next, waitsSince - waited + patience + .seconds(Double(taken) / Double(rate)))
  }
}
