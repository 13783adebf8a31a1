extension Engine {
  /// The pauses, in seconds.
  package struct Times: Sendable, Hashable {
    /// The first pause; it doubles.
    package var shortest = 0.1
    /// The longest pause.
    package var longest = 60.0
    /// The timeout of a request, and of a token's refresh.
    package var timeout = 30.0
    /// The pause between polls while there is no stream, and the longest pause before a stream is opened again.
    package var poll = 30.0
    /// The time after which the end of a stream is normal.
    package var shortStream = 3.0

    package init() {}
  }
}
