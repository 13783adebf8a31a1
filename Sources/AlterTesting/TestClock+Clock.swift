extension TestClock {
  /// The same clock for those who take an `any Clock<Duration>`: the environment of an effect, `retrying`, `withTimeout`.
  ///
  /// ```swift
  /// let clock = TestClock()
  /// let world = World(api: .fake, clock: clock.clock)
  /// ```
  public var clock: any Clock<Duration> { Steady(clock: self) }

  /// Shows the time passed since the test clock was made.
  private struct Steady: Clock {
    struct Instant: InstantProtocol {
      let elapsed: Duration

      func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
      func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
      static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
    }

    let clock: TestClock

    var now: Instant { Instant(elapsed: clock.elapsed) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      // Even one who waits for no time lets others run: a loop of such pauses must not keep a thread for itself.
      if deadline.elapsed <= clock.elapsed { await Task.yield() }
      try await clock.sleep(until: deadline.elapsed)
    }
  }
}
