import _AlterTerminal

/// The access rules of a server. They are applied to a request before any other code reads it.
///
/// Every program of every user can reach a page on this machine. So can every web page that a browser on this machine has open. Therefore:
///
/// - A request needs exactly one `Host` field, with a name of this server.
/// - A client needs the token, unless the server was started without one.
/// - Requests from other origins are refused if they change something or read data (*cross-site request forgery*).
///
/// Source: the Fetch standard for `Origin`, Fetch Metadata for `Sec-Fetch-Site`, RFC 6265bis for `SameSite`.
public struct WebAccess: Sendable {
  /// The parts of a request that the rules read. All are known before its body is read.
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

  /// The result of the rules for a request.
  package enum Decision: Sendable, Equatable {
    /// The request is passed on.
    case allow
    /// The request has the token in its query. The response sets a cookie with the token, and redirects to this location, without the
    /// token, on the same server.
    case welcome(location: String)
    /// The request is refused with this status and this message.
    case refuse(status: Int, why: String)
  }

  /// The names of this server.
  private let names: WebHost
  /// The token that a client must send; nil if every client is admitted.
  public let token: String?
  /// A path that contains this part serves data. Requests of other origins for it are refused, even GET requests.
  public static let data = "/api/"

  /// Creates the access rules.
  ///
  /// - Parameters:
  ///   - host: The address or name that the server listens on.
  ///   - names: Other names of this server, each with or without a port.
  ///   - token: The token that a client must send; nil for none.
  public init(host: String = "127.0.0.1", names: Set<String> = [], token: String? = nil) {
    self.names = WebHost(host, allowing: names)
    self.token = token
  }

  /// Applies the rules to a request.
  ///
  /// - Complexity: O(length of the fields of the request).
  package func decide(_ visit: Visit) -> Decision {
    guard visit.hosts.count == 1, let host = visit.hosts.first else {
      return .refuse(status: 400, why: "The request must name its host in one 'Host' field.")
    }
    guard names.isNamed(by: host, port: visit.port) else {
      return .refuse(
        status: 421,
        why:
          "This server is not called '\(host.printable)'. Use the address that the server printed, or allow another name with --allow-host, with its port if it has one."
      )
    }
    let isSafe = visit.method == "GET" || visit.method == "HEAD"
    let isPage = isSafe && !visit.path.contains(Self.data)
    if let site = visit.site, site != "same-origin", site != "none", !isPage {
      return .refuse(status: 403, why: "The request comes from a page of another origin. Open this server's own page.")
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

  /// Returns the target of the redirect: a path on the same server, with the query of the request but without the token.
  static func location(_ path: String, query: String?) -> String {
    // Two slashes begin the name of another server, and browsers read a backslash as a slash (WHATWG URL standard, section 4.4).
    let place = "/" + path.drop { $0 == "/" || $0 == "\\" }
    let rest = (query ?? "").split(separator: "&").filter { $0 != "token" && !$0.hasPrefix("token=") }.joined(separator: "&")
    return rest.isEmpty ? place : "\(place)?\(rest)"
  }

  /// Whether the text is an IP address. A name can be pointed at another machine by its DNS entry; an address cannot.
  static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") {
      return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Compares two tokens in a time that does not depend on the position of the first difference.
  static func isSame(_ given: String, _ token: String) -> Bool {
    let (given, token) = (Array(given.utf8), Array(token.utf8))
    guard given.count == token.count else { return false }
    return zip(given, token).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Generates a token of 192 random bits: 32 characters of the URL-safe Base64 alphabet.
  public static func makeToken() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var generator = SystemRandomNumberGenerator()
    return String((0..<32).map { _ in letters[Int(generator.next(upperBound: UInt32(64)))] })
  }

  /// Whether a server that listens on this address or name can be reached only from this machine.
  public static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host == "[::1]" || (host.hasPrefix("127.") && isAddress(host))
  }
}
