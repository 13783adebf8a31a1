import AlterTerminal

/// Who may come in: decided before anything else looks at a request.
///
/// A page on this machine is reached by every program of every user on it and, through a browser, by every page that a person has open. So:
///
/// - The one `Host` must be a name of this server.
/// - A visitor brings a token, unless the server was started without one.
/// - What changes something, and all data, is refused to other origins (*cross-site request forgery*).
///
/// Source: the Fetch standard for `Origin`, Fetch Metadata for `Sec-Fetch-Site`, RFC 6265bis for `SameSite`.
public struct WebAccess: Sendable {
  /// What is known of a request before its body is read.
  package struct Visit: Sendable {
    package var method = "GET"
    package var path = "/"
    /// The query, without its question mark.
    package var query: String?
    /// The values of all `Host` fields.
    package var hosts: [String] = []
    /// The port that the client has connected to.
    package var port: Int?
    package var origin: String?
    package var site: String?
    package var cookie: String?
    package var queryToken: String?
    package var bearer: String?

    package init() {}
  }

  /// What becomes of a request.
  package enum Decision: Sendable, Equatable {
    /// It is answered.
    case allow
    /// It brought the token in its address: the browser keeps it as a cookie, and asks again without, at this place of the same server.
    case welcome(location: String)
    /// It is answered with this status and this text.
    case refuse(status: Int, why: String)
  }

  /// The names by which this server may be asked.
  private let names: WebHost
  /// What a visitor must bring; nil when everybody may come in who reaches the server.
  public let token: String?
  /// Paths that have this in them hold data: other origins may not ask for them, even blindly.
  public static let data = "/api/"

  /// Who may come in.
  ///
  /// - Parameters:
  ///   - host: What the server listens on.
  ///   - names: Other names of this server, each with a port or without.
  ///   - token: What a visitor must bring; nil for none.
  public init(host: String = "127.0.0.1", names: Set<String> = [], token: String? = nil) {
    self.names = WebHost(host, allowing: names)
    self.token = token
  }

  /// What becomes of a request.
  ///
  /// - Complexity: O(length of what it brings).
  package func decide(_ visit: Visit) -> Decision {
    guard visit.hosts.count == 1, let host = visit.hosts.first else {
      return .refuse(status: 400, why: "The request must name its host in one 'Host' field.")
    }
    guard names.isNamed(by: host, port: visit.port) else {
      return .refuse(
        status: 421,
        why:
          "This server is not called '\(host.printable)'. Ask for it as the address says that it printed; other names are allowed with --allow-host, with the port if there is one."
      )
    }
    let isSafe = visit.method == "GET" || visit.method == "HEAD"
    let isPage = isSafe && !visit.path.contains(Self.data)
    if let site = visit.site, site != "same-origin", site != "none", !isPage {
      return .refuse(status: 403, why: "The request comes from a page elsewhere. Open this server's own page.")
    }
    if !isPage, let origin = visit.origin, origin != "http://\(host)", origin != "https://\(host)" {
      return .refuse(status: 403, why: "The request comes from a page of '\(origin.printable)'. Open this server's own page.")
    }
    guard let token else { return .allow }
    if let given = visit.queryToken, isSafe, Self.isSame(given, token) {
      return .welcome(location: Self.location(visit.path, query: visit.query))
    }
    for given in [visit.cookie, visit.bearer] where given.map({ Self.isSame($0, token) }) == true { return .allow }
    return .refuse(
      status: 401,
      why: "A token is needed. Open the address that the server printed when it started, or send 'Authorization: Bearer TOKEN'.")
  }

  /// The place to ask for again: on the same server, and with the same query but the token.
  static func location(_ path: String, query: String?) -> String {
    // Two slashes begin another server's name, and browsers take a backslash for one (WHATWG URL standard, section 4.4).
    let place = "/" + path.drop { $0 == "/" || $0 == "\\" }
    let rest = (query ?? "").split(separator: "&").filter { $0 != "token" && !$0.hasPrefix("token=") }.joined(separator: "&")
    return rest.isEmpty ? place : "\(place)?\(rest)"
  }

  /// Whether it is an address and not a name: nobody can point an address elsewhere.
  static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") {
      return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Compares without telling by its time where the difference is.
  static func isSame(_ given: String, _ token: String) -> Bool {
    let (given, token) = (Array(given.utf8), Array(token.utf8))
    guard given.count == token.count else { return false }
    return zip(given, token).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// A fresh token: 192 random bits.
  public static func makeToken() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var generator = SystemRandomNumberGenerator()
    return String((0..<32).map { _ in letters[Int(generator.next(upperBound: UInt32(64)))] })
  }

  /// Whether a server that is bound to it is reached from this machine alone.
  public static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host == "[::1]" || (host.hasPrefix("127.") && isAddress(host))
  }
}
