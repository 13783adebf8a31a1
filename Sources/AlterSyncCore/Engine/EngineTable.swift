/// The state of a device's engine, without its data.
package enum EnginePhase: String, Sendable, Hashable, CaseIterable {
  /// Not started.
  case new
  /// Another process of the device may be talking to the server; this one waits for the lock.
  case standby
  /// A request of this kind is in progress.
  case pulling, pushing, fetching
  /// The token is being refreshed.
  case refreshing
  /// All is exchanged. The stream announces news.
  case resting
  /// A pause before the next attempt.
  case waiting
  /// The server has rejected the principal, or lacks the head. Another attempt follows after the longest pause.
  case frozen
  /// The system has suspended the app. The lock is released.
  case suspended
  /// The end.
  case closed
}

/// The effect of an event in a phase.
package enum EngineCell: Sendable, Hashable {
  /// The event leads to a decision.
  case handled
  /// The event is normal here, and changes at most what the engine remembers.
  case ignored
  /// The shell has made a mistake.
  case illegal(IllegalEvent)
}

/// An event that a correct shell never passes on in a phase. Each combination has a code of its own.
package struct IllegalEvent: Error, Sendable, Hashable, CustomStringConvertible {
  package let phase: EnginePhase
  package let event: EngineEvent.Kind
  package let reason: String

  /// The code: the event and the phase.
  package var code: String { "\(event.rawValue)-in-\(phase.rawValue)" }

  package var description: String { "The engine is \(phase.rawValue), and '\(event.rawValue)' is illegal there: \(reason)." }
}

/// Every phase with every event.
package enum EngineTable {
  package static func cell(_ phase: EnginePhase, _ event: EngineEvent.Kind) -> EngineCell {
    func illegal(_ reason: String) -> EngineCell { .illegal(IllegalEvent(phase: phase, event: event, reason: reason)) }
    switch phase {
    case .new:
      switch event {
      case .start, .closed: return .handled
      case .drafted, .nudged, .suspended, .resumed: return .ignored
      case .lockGranted, .lockLost: return illegal("no lock was requested")
      case .replied, .failed: return illegal("no request was sent")
      case .fired: return illegal("no timer was set")
      case .streamOpened, .hinted, .streamEnded: return illegal("no stream was opened")
      case .tokenRefreshed, .refreshFailed: return illegal("no refresh was requested")
      }
    case .standby:
      switch event {
      case .lockGranted, .suspended, .closed: return .handled
      // Late events of an earlier turn as the talker.
      case .drafted, .nudged, .replied, .failed, .fired, .streamOpened, .hinted, .streamEnded, .tokenRefreshed, .refreshFailed, .resumed:
        return .ignored
      case .start: return illegal("the engine has started already")
      case .lockLost: return illegal("the lock is not held")
      }
    case .pulling, .pushing, .fetching:
      switch event {
      case .replied, .failed, .fired, .lockLost, .suspended, .closed: return .handled
      case .streamOpened, .streamEnded, .hinted, .drafted, .nudged: return .handled
      case .resumed: return .ignored
      // The refresh belongs to all journals together, and may end late.
      case .tokenRefreshed, .refreshFailed: return .ignored
      case .start: return illegal("the engine has started already")
      case .lockGranted: return illegal("the lock is held already")
      }
    case .refreshing:
      switch event {
      case .tokenRefreshed, .refreshFailed, .fired, .lockLost, .suspended, .closed: return .handled
      case .streamOpened, .streamEnded, .hinted: return .handled
      case .drafted, .nudged, .resumed, .replied, .failed: return .ignored
      case .start: return illegal("the engine has started already")
      case .lockGranted: return illegal("the lock is held already")
      }
    case .resting:
      switch event {
      case .drafted, .nudged, .hinted, .fired, .streamOpened, .streamEnded, .lockLost, .suspended, .closed: return .handled
      case .replied, .failed, .tokenRefreshed, .refreshFailed, .resumed: return .ignored
      case .start: return illegal("the engine has started already")
      case .lockGranted: return illegal("the lock is held already")
      }
    case .waiting:
      switch event {
      case .fired, .nudged, .hinted, .streamOpened, .streamEnded, .lockLost, .suspended, .closed: return .handled
      case .drafted, .replied, .failed, .tokenRefreshed, .refreshFailed, .resumed: return .ignored
      case .start: return illegal("the engine has started already")
      case .lockGranted: return illegal("the lock is held already")
      }
    case .frozen:
      switch event {
      case .fired, .nudged, .tokenRefreshed, .lockLost, .suspended, .closed: return .handled
      case .drafted, .replied, .failed, .refreshFailed, .resumed, .streamOpened, .hinted, .streamEnded: return .ignored
      case .start: return illegal("the engine has started already")
      case .lockGranted: return illegal("the lock is held already")
      }
    case .suspended:
      switch event {
      case .resumed, .closed: return .handled
      case .drafted, .nudged, .replied, .failed, .fired, .streamOpened, .hinted, .streamEnded, .tokenRefreshed, .refreshFailed, .suspended:
        return .ignored
      case .start: return illegal("the engine has started already")
      case .lockGranted: return illegal("the lock was released before the suspension; release it again")
      case .lockLost: return illegal("the lock was released before the suspension")
      }
    case .closed:
      switch event {
      case .replied, .failed, .fired, .streamOpened, .hinted, .streamEnded, .tokenRefreshed, .refreshFailed, .suspended, .resumed:
        return .ignored
      case .start: return illegal("a closed engine does not start again")
      case .lockGranted: return illegal("the request for the lock was withdrawn")
      case .lockLost: return illegal("the lock was released")
      case .drafted: return illegal("a closed journal takes no drafts")
      case .nudged: return illegal("a closed journal is not nudged")
      case .closed: return illegal("the engine is closed already")
      }
    }
  }
}

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
  case report(SyncLink)
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
