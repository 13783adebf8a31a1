/// Who may come in: decided before anything else looks at a request.
///
/// A page on this machine is reached by every program on it and, through a browser, by every page that a person has open. So:
///
/// - The `Host` must be a name of this server, or an address: a stranger's domain that is pointed at this machine (*DNS rebinding*) is refused.
/// - Away from the loopback interface a token is needed, and anywhere it may be asked for.
/// - What changes something, and all data, is refused to other origins (*cross-site request forgery*).
///
/// Source: the Fetch standard for `Origin`, Fetch Metadata for `Sec-Fetch-Site`, RFC 6265bis for `SameSite`.
package struct WebAccess: Sendable {
  /// What is known of a request before its body is read.
  package struct Visit: Sendable {
    package var method = "GET"
    package var path = "/"
    package var host: String?
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
    /// It brought the token in its address: the browser keeps it as a cookie, and asks again without.
    case welcome
    /// It is answered with this status and this text.
    case refuse(status: Int, why: String)
  }

  /// The names, beside addresses, by which this server may be asked: lower case, without a port.
  package let names: Set<String>
  /// What a visitor must know; nil when everybody on this machine may come in.
  package let token: String?
  /// Paths that have this in them hold data: other origins may not ask for them, even blindly.
  package static let data = "/api/"

  /// Who may come in.
  ///
  /// - Parameters:
  ///   - names: Names of this server beside "localhost".
  ///   - token: What a visitor must know; nil for none.
  package init(names: Set<String> = [], token: String? = nil) {
    self.names = Set(names.map { $0.lowercased() }).union(["localhost"])
    self.token = token
  }

  /// What becomes of a request.
  ///
  /// - Complexity: O(length of what it brings).
  package func decide(_ visit: Visit) -> Decision {
    guard let host = visit.host, let name = Self.name(of: host) else {
      return .refuse(status: 400, why: "The request names no host. HTTP/1.1 demands it.")
    }
    guard names.contains(name) || Self.isAddress(name) else {
      return .refuse(
        status: 421,
        why: "This server is not called '\(name)'. Ask for it by its address or as localhost; other names are allowed with --allow-host.")
    }
    let isSafe = visit.method == "GET" || visit.method == "HEAD"
    let isPage = isSafe && !visit.path.contains(Self.data)
    if let site = visit.site, site != "same-origin", site != "none", !isPage {
      return .refuse(status: 403, why: "The request comes from a page elsewhere. Open this server's own page.")
    }
    if !isPage, let origin = visit.origin, origin != "http://\(host)", origin != "https://\(host)" {
      return .refuse(status: 403, why: "The request comes from a page of '\(origin)'. Open this server's own page.")
    }
    guard let token else { return .allow }
    if let given = visit.queryToken, isSafe, Self.isSame(given, token) { return .welcome }
    for given in [visit.cookie, visit.bearer] where given.map({ Self.isSame($0, token) }) == true { return .allow }
    return .refuse(
      status: 401,
      why: "A token is needed. Open the address that the server printed when it started, or send 'Authorization: Bearer TOKEN'.")
  }

  /// The name in a `Host` header, in lower case, without the port; an IPv6 address in its brackets.
  static func name(of host: String) -> String? {
    let host = host.lowercased()
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      return String(host[...end])
    }
    let name = host.prefix { $0 != ":" }
    return name.isEmpty ? nil : String(name)
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
  package static func makeToken() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var generator = SystemRandomNumberGenerator()
    return String((0..<32).map { _ in letters[Int(generator.next(upperBound: UInt32(64)))] })
  }

  /// Whether a server that is bound to it is reached from this machine alone.
  package static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host == "[::1]" || (host.hasPrefix("127.") && isAddress(host))
  }
}
