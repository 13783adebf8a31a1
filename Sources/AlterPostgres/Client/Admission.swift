#if Postgres
  /// Decides when a process opens another connection to its server, and when it gives one back.
  ///
  ///     no refusal yet: as many attempts at once as there is work for
  ///          │ refused                        ^ an attempt succeeds long after the last refusal
  ///          v                                │
  ///     scarce: one attempt at a time, after a pause that each refusal doubles
  ///
  /// The pauses are random, so that processes which were refused together try at different times. A process that has more than two
  /// connections gives half of the others back at each refusal, and takes one at each success: processes that share a full server approach
  /// equal numbers.
  struct Admission {
    typealias Instant = ContinuousClock.Instant

    /// The number of open connections.
    private(set) var count = 0
    /// The earliest time of the next attempt.
    private(set) var nextAttempt: Instant
    /// The number of connections that the process gives back as they become idle.
    private(set) var owed = 0
    private var attempts = 0
    /// The longest pause before the next attempt; zero unless connections are scarce.
    private var pause = Duration.zero
    private var lastRefusal: Instant?

    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)
    /// The time for which a refusal counts.
    private static let memory = Duration.seconds(30)
    /// The time after which an idle connection is closed while a refusal counts.
    private static let brief = Duration.seconds(1)
    /// The number of connections that a process keeps.
    private static let enough = 2

    /// Creates the value for a process without connections.
    init(at now: Instant) { nextAttempt = now }

    /// Whether the server has refused a connection, and there is one attempt at a time since then.
    var isScarce: Bool { pause > .zero }
    /// Whether an attempt is under way.
    var isTrying: Bool { attempts > 0 }
    /// Whether there is no connection, and no attempt that may yet succeed.
    var isCutOff: Bool { count == 0 && attempts == 0 }

    /// Begins an attempt to open a connection.
    ///
    /// - Returns: Whether the attempt may be made now.
    mutating func begin(at now: Instant) -> Bool {
      guard !isScarce || !isTrying && now >= nextAttempt else { return false }
      attempts += 1
      return true
    }

    /// Records that an attempt has succeeded.
    mutating func open(at now: Instant) {
      attempts -= 1
      if count < Self.enough { pause = min(pause, Self.shortestPause) }
      if !remembersRefusal(at: now) { pause = .zero }
      count += 1
      nextAttempt = max(nextAttempt, now + pause)
    }

    /// Records that an attempt has failed. Attempts that were made together count once.
    ///
    /// - Parameter share: The part of the pause to wait: a random number from 0.5 to 1.
    mutating func refuse(at now: Instant, share: Double) {
      attempts -= 1
      guard now >= nextAttempt else { return }
      pause = min(max(pause * 2, Self.shortestPause), Self.longestPause)
      lastRefusal = now
      nextAttempt = now + pause * share
      owed = max(0, (count - Self.enough + 1) / 2)
    }

    /// Records that a connection was closed.
    mutating func close() {
      count -= 1
      owed = max(0, owed - 1)
    }

    /// The time after which an idle connection is closed.
    func patience(_ usual: Duration, at now: Instant) -> Duration { remembersRefusal(at: now) ? min(usual, Self.brief) : usual }

    private func remembersRefusal(at now: Instant) -> Bool { lastRefusal.map { now - $0 < Self.memory } ?? false }
  }
#endif
