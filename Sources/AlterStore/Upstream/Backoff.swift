/// Pauses between retries. They double from 10 ms to 1 s.
package struct Backoff {
  private var pause: Duration = .milliseconds(10)

  /// Begins with the shortest pause.
  package init() {}

  /// Returns the next pause.
  package mutating func next() -> Duration {
    defer { pause = min(pause * 2, .seconds(1)) }
    return pause
  }
}
