/// The names of a server. The `Host` field of a request is compared with them.
///
/// The check prevents *DNS rebinding*: if an attacker points a domain at this machine, the browser still sends the name of that domain.
struct WebHost: Sendable {
  /// The names that are accepted with the server's own port, or without a port if that is 80.
  private let names: Set<String>
  /// The names that are accepted exactly as given, with or without a port.
  private let allowed: Set<String>
  /// Whether every IP address is accepted, because the server listens on all interfaces.
  private let isWildcard: Bool

  /// - Parameters:
  ///   - host: The address or name that the server listens on.
  ///   - allowed: Other names, each with or without a port, as a browser sends them. Use them for a tunnel or a proxy.
  init(_ host: String, allowing allowed: Set<String>) {
    let host = host.lowercased()
    isWildcard = host == "0.0.0.0" || host == "::" || host == "[::]"
    let own = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    let loopback: Set<String> = WebAccess.isLoopback(host) || isWildcard ? ["localhost", "127.0.0.1", "[::1]"] : ["localhost"]
    let others = Set(allowed.map { $0.lowercased() })
    names = loopback.union([own]).union(others)
    self.allowed = others
  }

  /// Whether a `Host` field names this server.
  ///
  /// - Parameters:
  ///   - field: The value of the field.
  ///   - port: The port that the client has connected to; nil if it is unknown.
  func isNamed(by field: String, port: Int?) -> Bool {
    let field = field.lowercased()
    // Browsers omit the default ports.
    let usual = [":80", ":443"].first { field.hasSuffix($0) } ?? ""
    if allowed.contains(field) || allowed.contains(String(field.dropLast(usual.count))) { return true }
    var name = field
    if let port, port != 80 {
      guard field.hasSuffix(":\(port)") else { return false }
      name = String(field.dropLast(":\(port)".count))
    } else if field.hasSuffix(":80") {
      name = String(field.dropLast(3))
    }
    return names.contains(name) || (isWildcard && WebAccess.isAddress(name))
  }

  /// The port in a `Host` field; 80 if it has none.
  static func port(in field: String) -> Int {
    guard !field.hasSuffix("]"), let colon = field.lastIndex(of: ":") else { return 80 }
    return Int(field[field.index(after: colon)...]) ?? 80
  }
}
