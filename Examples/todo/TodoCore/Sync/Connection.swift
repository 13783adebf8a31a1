/// The connection of a synced list to its server, as the user sees it.
public enum Connection: Hashable, Sendable {
  /// The reason why the server cannot be reached.
  public enum Trouble: Hashable, Sendable {
    /// There is no answer.
    case network
    /// The server is too busy to answer.
    case busy
    /// The server rejects the form of the requests.
    case rejected
    /// The program pauses the connection.
    case paused
  }

  /// The server is reached, and changes of others arrive as they are made.
  case live
  /// The first exchange is in progress.
  case connecting
  /// Another process of this device talks to the server, also for this one.
  case elsewhere
  /// The server cannot be reached. Changes are kept on this device. The time is in microseconds since 1970 UTC.
  case offline(Trouble, since: Int64)
  /// A program answers at the address, but not a server of lists.
  case notAServer
  /// The server is reached, and does not decide changes for now.
  case waiting
  /// The token was rejected.
  case signedOut
  /// The user may not read or write this list (any more).
  case forbidden
  /// The list was written by a newer version of this program.
  case outdated
  /// The server lost a part of the list. Its operator must decide.
  case restarted
  /// The file of this device can't be read or written.
  case broken

  /// Whether the server is reached and decides changes.
  public var isLive: Bool { self == .live }

  /// The connection in a few words.
  ///
  /// - Parameter time: The text of a time in microseconds since 1970 UTC, as in `14:03`.
  public func headline(_ time: (Int64) -> String) -> String { word + (since.map { " since \(time($0))" } ?? "") }

  /// The time since which the server cannot be reached, in microseconds since 1970 UTC.
  public var since: Int64? { if case .offline(_, let since) = self { since } else { nil } }

  /// The connection in a few words, without a time.
  public var word: String {
    switch self {
    case .live: "connected"
    case .connecting: "connecting"
    case .elsewhere: "synced by another process"
    case .offline, .notAServer: "offline"
    case .waiting: "waiting"
    case .signedOut: "signed out"
    case .forbidden: "no access"
    case .outdated: "outdated"
    case .restarted, .broken: "stopped"
    }
  }

  /// The reason and the next step, without a period; nil if the headline says everything.
  public var advice: String? {
    switch self {
    case .live, .connecting: nil
    case .elsewhere: "another process of this device talks to the server, and shows whether it is connected"
    case .offline(.network, _): "the server can't be reached; changes are kept on this device"
    case .offline(.busy, _): "the server is busy; changes are kept on this device"
    case .offline(.rejected, _): "the server rejects the requests of this version; changes are kept on this device"
    case .offline(.paused, _): "the program pauses the connection; changes are kept on this device"
    case .notAServer: "the address answers, but not as a server of lists; changes are kept on this device"
    case .waiting: "the server is reached, but does not decide changes now; they are kept on this device"
    case .signedOut: "the server has rejected the token; 'todo sync --token' takes a new one"
    case .forbidden: "the server does not permit this user to change the list, or to use it at all"
    case .outdated: "the list has changes of a newer version of this program; please update it"
    case .restarted: "the server has lost a part of the list; its operator must decide"
    case .broken: "this device's file can't be read or written"
    }
  }

  /// The connection in words, complete as a sentence without a period.
  ///
  /// - Parameter time: The text of a time in microseconds since 1970 UTC.
  public func text(_ time: (Int64) -> String) -> String {
    let headline = headline(time)
    return advice.map { "\(headline): \($0)" } ?? headline
  }
}
