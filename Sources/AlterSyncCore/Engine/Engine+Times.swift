extension Engine {
  /// The pauses, in seconds.
  package struct Times: Sendable, Hashable {
    /// The first pause; it doubles.
    package var shortest = 0.1
    /// The longest pause.
    package var longest = 60.0
    /// The timeout of a request without enough progress, and of a token's refresh.
    package var timeout = 30.0
    /// The timeout of a whole request, however much progress it makes.
    package var longestRequest = 7_200.0
    /// The age from which a nudge sends a request again.
    package var patience = 10.0
    /// The pause between polls while there is no stream, and the longest pause before a stream is opened again.
    package var poll = 30.0
    /// The time after which the end of a stream is normal.
    package var shortStream = 3.0

    package init() {}
  }

  /// The pause that a server asks for, in seconds: at most an hour, so that a wrong number silences no device.
  func permitted(_ seconds: Int) -> Double { min(max(Double(seconds), 0), 3_600) }

  /// The pause after a hold, in seconds: the server's, twice as long for each further hold up to the longest pause.
  func holdPause(_ hold: SyncHold, _ random: Double) -> Double {
    let first = permitted(hold.seconds)
    var seconds = first
    for _ in 1..<max(holds, 1) where seconds < times.longest { seconds = min(seconds * 2, times.longest) }
    return max(first, seconds, backoff(holds, random))
  }

  /// The pause after a number of failures: exponential from the shortest to the longest, and between half of it and all of it.
  package func backoff(_ failures: Int, _ random: Double) -> Double {
    var seconds = times.shortest
    for _ in 1..<max(failures, 1) { seconds = min(seconds * 2, times.longest) }
    return min(seconds, times.longest) * (0.5 + 0.5 * min(max(random, 0), 1))
  }
}
