/// Pauses between retries. They double from 10 ms to 1 s.
struct Backoff {
  private var pause: Duration = .milliseconds(10)

  /// Returns the next pause.
  mutating func next() -> Duration {
    defer { pause = min(pause * 2, .seconds(1)) }
    return pause
  }
}
