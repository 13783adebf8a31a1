/// The connection of a synced list to its server, as the user sees it.
public enum Connection: Hashable, Sendable {
  /// The server is reached, and changes of others arrive as they are made.
  case live
  /// The first exchange is in progress.
  case connecting
  /// The server cannot be reached. Changes are kept on this device.
  case offline
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

  /// The connection in words, complete as a sentence without a period.
  public var text: String {
    switch self {
    case .live: "connected"
    case .connecting: "connecting"
    case .offline: "offline: the server can't be reached; changes are kept on this device"
    case .notAServer: "offline: the address answers, but not as a server of lists; changes are kept on this device"
    case .waiting: "connected, but the server does not decide changes now; they are kept on this device"
    case .signedOut: "signed out: the server has rejected the token; 'todo sync --token' takes a new one"
    case .forbidden: "no access: the server does not permit this user to use the list"
    case .outdated: "outdated: the list has changes of a newer version of this program; please update it"
    case .restarted: "stopped: the server has lost a part of the list; its operator must decide"
    case .broken: "stopped: this device's file can't be read or written"
    }
  }
}
