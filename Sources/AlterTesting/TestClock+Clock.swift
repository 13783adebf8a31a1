extension TestClock {
  /// This clock as an `any Clock<Duration>`, for the environment of an effect, for `retrying` and for `withTimeout`.
  ///
  /// ```swift
  /// let clock = TestClock()
  /// let world = World(api: .fake, clock: clock.clock)
  /// ```
  public var clock: any Clock<Duration> { Steady(clock: self) }

  /// A clock that shows the time since the creation of a test clock.
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
      // Even a sleep of no time must yield: a loop of such sleeps must not occupy a thread.
      if deadline.elapsed <= clock.elapsed { await Task.yield() }
      try await clock.sleep(until: deadline.elapsed)
    }
  }
}
