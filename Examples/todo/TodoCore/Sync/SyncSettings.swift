/// The settings of a synced list: the server, the list there, and the user's token.
public struct SyncSettings: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The reason why settings are not legal. It never repeats the token.
  public enum Problem: Error, Hashable, CustomStringConvertible {
    case malformedURL
    case secretInURL
    case insecure
    case malformedToken
    case malformedList

    /// The problem, and the next step.
    public var description: String {
      switch self {
      case .malformedURL: "that is not the address of a server; it looks like https://todo.example/sync"
      case .secretInURL: "the address may have no user, password, query or fragment: others can see it. The token is read separately."
      case .insecure: "the address must begin with https:, because the token is sent there; http: is only for this machine (127.0.0.1)"
      case .malformedToken: "that is not a token of a todo-server; it looks like ann.0123456789abcdef"
      case .malformedList: "that is not the name of a list; it looks like ann/todo, the name of its owner first"
      }
    }
  }

  /// The address of the server.
  public let url: String
  /// The key of the list on the server, as in `ann/todo`.
  public let list: String
  /// The secret that identifies the user.
  public let token: String

  /// The name of the user, which a token begins with.
  public var user: String { Self.user(of: token) ?? "" }

  /// The list and the server, without the token.
  public var description: String { "\(list) on \(url)" }

  /// Checks the settings.
  ///
  /// - Parameters:
  ///   - url: The address of the server.
  ///   - list: The key of the list; nil for the user's own list `todo`.
  ///   - token: The token; white space around it is ignored.
  public init(url: String, list: String?, token: String) throws(Problem) {
    self.url = try Self.checked(url)
    let token = String(token.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    guard let user = Self.user(of: token) else { throw .malformedToken }
    self.token = token
    self.list = list ?? "\(user)/todo"
    guard Self.isList(self.list) else { throw .malformedList }
  }

  /// Whether a text is the key of a list: the name of its owner, a slash, and its own name.
  public static func isList(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { isName(String($0)) }
  }

  /// Whether a text is the name of a user: 1 to 64 letters, digits, - and _.
  public static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }

  private static func user(of token: String) -> String? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, isName(parts[0]), parts[1].utf8.count >= 16, isName(parts[1]) else { return nil }
    return parts[0]
  }

  private static func checked(_ url: String) throws(Problem) -> String {
    let isSecure = url.hasPrefix("https://")
    guard isSecure || url.hasPrefix("http://"), url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .malformedURL }
    let rest = url.dropFirst(isSecure ? 8 : 7)
    let authority = rest.prefix { $0 != "/" }
    guard !rest.contains("@"), !rest.contains("?"), !rest.contains("#") else { throw .secretInURL }
    var host = String(authority)
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { throw .malformedURL }
      host = String(authority[...end])
    } else if let colon = authority.firstIndex(of: ":") {
      host = String(authority[..<colon])
      guard UInt16(authority[authority.index(after: colon)...]) != nil else { throw .malformedURL }
    }
    guard !host.isEmpty else { throw .malformedURL }
    guard isSecure || ["127.0.0.1", "localhost", "[::1]"].contains(host) else { throw .insecure }
    return url
  }
}
