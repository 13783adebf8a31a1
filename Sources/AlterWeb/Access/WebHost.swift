/// The names by which a server may be asked: what its `Host` fields are compared with.
///
/// A page's own server is the only one that a browser names as such: a stranger's domain that is pointed at this machine (*DNS rebinding*) keeps its name.
struct WebHost: Sendable {
  /// The names that are right with the server's own port, or without a port when that is 80.
  private let names: Set<String>
  /// What else is right, to the letter.
  private let allowed: Set<String>
  /// Whether any address of this machine is right, since the server listens on all of them.
  private let isWildcard: Bool

  /// - Parameters:
  ///   - host: What the server listens on.
  ///   - allowed: Other names, each with a port or without, as a browser sends them: those of a tunnel or a proxy.
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
  ///   - field: The field's value.
  ///   - port: The port that the client has connected to; nil when it isn't known.
  func isNamed(by field: String, port: Int?) -> Bool {
    let field = field.lowercased()
    // Browsers leave the usual ports out.
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

  /// The port in a `Host` field, or 80.
  static func port(in field: String) -> Int {
    guard !field.hasSuffix("]"), let colon = field.lastIndex(of: ":") else { return 80 }
    return Int(field[field.index(after: colon)...]) ?? 80
  }
}
