/// An event of a device's engine.
package enum EngineEvent: Sendable, Hashable {
  /// The process wants a link.
  case start
  /// The lock beside the file is granted: this process talks to the server.
  case lockGranted
  /// The lock was lost, for example with the file.
  case lockLost
  /// A process of the device has added a draft.
  case drafted
  /// The app asks for an exchange now: the user has pulled to refresh, a push notification has arrived, or another user has signed in.
  case nudged
  /// The answer to a request was absorbed.
  case replied(Int, Reply)
  /// A request has failed: no connection, or the connection broke.
  case failed(Int)
  /// A timer has fired.
  case fired(Int)
  /// The stream is open.
  case streamOpened
  /// The stream has announced a newer head than the mirror's.
  case hinted
  /// The stream has ended, or missed two heartbeats.
  case streamEnded
  /// The token was refreshed.
  case tokenRefreshed
  /// The token could not be refreshed.
  case refreshFailed
  /// The system suspends the app.
  case suspended
  /// The system resumes the app.
  case resumed
  /// The journal is closed.
  case closed

  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case start, lockGranted, lockLost, drafted, nudged, replied, failed, fired, streamOpened, hinted, streamEnded, tokenRefreshed,
      refreshFailed, suspended, resumed, closed

    /// Whether an exchange may follow. The other events concern the process and its lock alone.
    var isTalk: Bool {
      switch self {
      case .start, .lockLost, .suspended, .resumed, .closed: false
      case .lockGranted, .drafted, .nudged, .replied, .failed, .fired, .streamOpened, .hinted, .streamEnded, .tokenRefreshed,
        .refreshFailed:
        true
      }
    }
  }

  package var kind: Kind {
    switch self {
    case .start: .start
    case .lockGranted: .lockGranted
    case .lockLost: .lockLost
    case .drafted: .drafted
    case .nudged: .nudged
    case .replied: .replied
    case .failed: .failed
    case .fired: .fired
    case .streamOpened: .streamOpened
    case .hinted: .hinted
    case .streamEnded: .streamEnded
    case .tokenRefreshed: .tokenRefreshed
    case .refreshFailed: .refreshFailed
    case .suspended: .suspended
    case .resumed: .resumed
    case .closed: .closed
    }
  }
}

/// An instruction of the engine to its shell.
package enum EngineCommand: Sendable, Hashable {
  package enum Exchange: Sendable, Hashable {
    case pull, push, fetch
    /// A push of the first draft alone, after a hold or to a server that was busy.
    case probe
  }

  /// Wait for the lock beside the file.
  case takeLock
  case releaseLock
  /// Send a request made from the file. The shell absorbs its answer and passes the reply on, with this number.
  case send(Int, Exchange)
  /// Give a request up. Its answer is ignored.
  case cancel(Int)
  /// Fire after a number of seconds.
  case setTimer(Int, seconds: Double)
  case cancelTimer(Int)
  case openStream
  case closeStream
  case refreshToken
  case report(Link)
}

/// The facts about the file that the engine needs. The shell reads them with each event.
package struct Situation: Sendable, Hashable {
  /// Whether a draft has no known verdict.
  package let hasUndecided: Bool
  /// Whether drafts wait for entries whose verdict is known.
  package let awaitsEntries: Bool
  /// Whether the fold has stopped at a newer schema.
  package let isOutdated: Bool
  /// Whether the file is locked for the signed-in user.
  package let isLocked: Bool
  /// Whether the mirror ends where the last announcement says. The answer to a push often comes after the announcement of its entries.
  package let isAtHint: Bool
  /// Microseconds since 1970 UTC.
  package let now: Int64
  /// A random number from 0 to 1, for the jitter.
  package let random: Double

  package init(
    hasUndecided: Bool, awaitsEntries: Bool = false, isOutdated: Bool = false, isLocked: Bool = false, isAtHint: Bool = false,
    now: Int64 = 0, random: Double = 0.5
  ) {
    self.hasUndecided = hasUndecided
    self.awaitsEntries = awaitsEntries
    self.isOutdated = isOutdated
    self.isLocked = isLocked
    self.isAtHint = isAtHint
    self.now = now
    self.random = random
  }
}
