/// The location of a journal as a user writes it: a file, or a database.
///
/// An address may contain a password. So a text counts as a file only if it cannot be an address, and no error repeats the text. A typing
/// error in an address neither prints the password nor creates a file of that name.
public enum JournalAddress: Sendable, Hashable {
  /// The path of a file.
  case file(String)
  /// The address of a PostgreSQL database, for libpq.
  case database(String)

  /// The reason why a text is not a location. It does not repeat the text.
  public struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message, with the remedy.
    public let description: String
  }

  /// The advice about passwords in `--help`.
  public static let advice = """
    Other users of this machine can see arguments: keep a password in PGPASSWORD, in the password file (~/.pgpass or PGPASSFILE) or in a section of the service file.
    """

  /// Parses a location.
  ///
  /// A text that begins with './', '../' or '/' is a path, unless it begins with two slashes, like the rest of a URL.
  ///
  /// - Throws: ``Malformed`` if the text begins like an address and is not a valid one.
  /// - Complexity: O(length).
  public init(_ text: String) throws(Malformed) {
    if ["./", "../", "/"].contains(where: text.hasPrefix), !text.hasPrefix("//") {
      self = .file(text)
      return
    }
    let address = text.drop(while: \.isWhitespace)
    if let scheme = Self.scheme(of: address) {
      guard scheme == "postgres" || scheme == "postgresql" else { throw .unknown }
      let rest = address.dropFirst(scheme.count + 1)
      guard rest.hasPrefix("//"), Self.isUnderstood(rest.dropFirst(2)) else { throw .notUnderstood }
      self = .database("\(scheme):\(rest)")
      return
    }
    switch Self.keywords(in: address) {
    case .values(let values):
      guard values.allSatisfy(Self.isUnderstood) else { throw .notUnderstood }
      self = .database(String(address))
    case .malformed: throw .notUnderstood
    case .unknown: throw .unknown
    case .none:
      guard !Self.hasPassword(address), !address.contains("://") else { throw .unknown }
      self = .file(text)
    }
  }

  // MARK: URLs

  /// The scheme of a URL in lower case (RFC 3986, section 3.1). The scheme of a database counts even without the slashes.
  private static func scheme(of address: Substring) -> String? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let name = address[..<colon]
    guard name.first?.isASCII == true, name.first?.isLetter == true,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return nil }
    let scheme = name.lowercased()
    let isDatabase = scheme == "postgres" || scheme == "postgresql"
    return isDatabase || address[colon...].hasPrefix("://") ? scheme : nil
  }

  /// Whether libpq reads the part after the slashes as its author means it. After a password that is not percent-encoded, libpq would read
  /// the rest of the password as a port, a host or a name.
  private static func isUnderstood(_ rest: Substring) -> Bool {
    guard !rest.contains(where: { $0.isWhitespace || $0 == "#" }) else { return false }
    // As in libpq, the user and the password end at the first '@' before a slash.
    let authority = rest.prefix { $0 != "/" }
    var hosts = rest
    if let end = authority.firstIndex(of: "@") { hosts = rest[rest.index(after: end)...] }
    let place = hosts.prefix { $0 != "/" && $0 != "?" }
    let path = hosts[place.endIndex...].prefix { $0 != "?" }
    // In the addresses of other libraries, a semicolon ends a value. The text after it may be a password.
    return !hosts.contains(";") && !place.contains { "@=".contains($0) } && !path.contains { "@:=".contains($0) }
      && place.split(separator: ",").allSatisfy(isHost)
  }

  /// Whether the text is a host, optionally with a port.
  private static func isHost(_ text: Substring) -> Bool {
    var rest = text
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return false }
      rest = rest[rest.index(after: end)...]
      return rest.isEmpty || (rest.hasPrefix(":") && rest.dropFirst().allSatisfy(\.isNumber))
    }
    rest = rest.drop { $0 != ":" }
    return rest.isEmpty || rest.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  // MARK: Keywords

  /// The parameters of libpq 18 that are not secret.
  private static let keywords: Set<String> = [
    "host", "hostaddr", "port", "dbname", "user", "passfile", "service", "servicefile", "require_auth", "channel_binding",
    "connect_timeout",
    "client_encoding", "options", "application_name", "fallback_application_name", "keepalives", "keepalives_idle", "keepalives_interval",
    "keepalives_count", "tcp_user_timeout", "replication", "gssencmode", "sslmode", "sslnegotiation", "sslcompression", "sslcert", "sslkey",
    "sslkeylogfile", "sslcertmode", "sslrootcert", "sslcrl", "sslcrldir", "sslsni", "requirepeer", "ssl_min_protocol_version",
    "ssl_max_protocol_version", "min_protocol_version", "max_protocol_version", "krbsrvname", "gsslib", "gssdelegation",
    "target_session_attrs", "load_balance_hosts", "oauth_issuer", "oauth_client_id", "oauth_scope",
  ]

  /// The secret parameters.
  private static let secrets: Set<String> = ["password", "sslpassword", "scram_client_key", "scram_server_key", "oauth_client_secret"]

  /// The result of parsing a text of the form `host=… dbname=…`.
  private enum Keywords {
    /// The text has another form.
    case none
    /// The text begins with a known keyword, and is malformed.
    case malformed
    /// The text begins with an assignment to a word that this list does not contain.
    case unknown
    case values([(keyword: String, value: Substring)])
  }

  private static func keywords(in address: Substring) -> Keywords {
    var rest = address
    var values: [(keyword: String, value: Substring)] = []
    while true {
      rest = rest.drop(while: \.isWhitespace)
      if rest.isEmpty { return values.isEmpty ? .none : .values(values) }
      let name = rest.prefix { !$0.isWhitespace && $0 != "=" }
      let next = rest[name.endIndex...].drop(while: \.isWhitespace)
      let keyword = name.lowercased()
      guard next.hasPrefix("="), keywords.contains(keyword) || secrets.contains(keyword) else {
        if !values.isEmpty || mentionsPassword(rest) { return .malformed }
        // This may be a keyword of a newer libpq, or a typing error; it is hardly the name of a file.
        return next.hasPrefix("=") && !keyword.isEmpty && keyword.allSatisfy { $0.isASCII && (("a"..."z").contains($0) || $0 == "_") }
          ? .unknown : .none
      }
      guard let (value, end) = value(next.dropFirst().drop(while: \.isWhitespace)) else { return .malformed }
      values.append((keyword, value))
      rest = end
    }
  }

  /// Parses a value, with or without quotes. Returns it with the rest of the text.
  private static func value(_ text: Substring) -> (value: Substring, rest: Substring)? {
    guard text.hasPrefix("'") else {
      let value = text.prefix { !$0.isWhitespace }
      return (value, text[value.endIndex...])
    }
    var place = text.index(after: text.startIndex)
    while place < text.endIndex, text[place] != "'" {
      if text[place] == "\\" { place = text.index(after: place) }
      if place < text.endIndex { place = text.index(after: place) }
    }
    guard place < text.endIndex else { return nil }
    return (text[text.index(after: text.startIndex)..<place], text[text.index(after: place)...])
  }

  /// Whether a value contains only the value of its keyword. A value that is shown as a name must not contain an address, or another value
  /// after a semicolon.
  private static func isUnderstood(_ keyword: String, _ value: Substring) -> Bool {
    if secrets.contains(keyword) { return true }
    guard !value.contains("://"), !mentionsPassword(value), !hasPassword(value) else { return false }
    switch keyword {
    case "options": return true
    case "host", "hostaddr", "port", "user": return !value.contains { ";=".contains($0) }
    default: return !value.contains(";")
    }
  }

  private static func mentionsPassword(_ text: Substring) -> Bool {
    let words = text.lowercased().split { $0.isWhitespace || "=;&?,".contains($0) }
    return text.contains("=") && words.contains { secrets.contains(String($0)) }
  }

  /// Whether the text may contain a password in front of an '@', as in `jack:password@host`.
  private static func hasPassword(_ text: Substring) -> Bool { text.firstIndex(of: ":").map { text[$0...].contains("@") } ?? false }
}

extension JournalAddress.Malformed {
  static let notUnderstood = JournalAddress.Malformed(
    description: """
      The address of the postgres database can't be parsed. It isn't repeated here, because it may contain a password. Write it as \
      postgres://user@host:port/database or as 'host=… dbname=…'. In a URL, percent-encode the special characters of a password ('/' is %2F, '@' is %40, '#' is %23).
      """)
  static let unknown = JournalAddress.Malformed(
    description: """
      The address of the journal can't be parsed. It isn't repeated here, because it may contain a password. Name a file, or a database as \
      postgres://user@host:port/database. If the name of a file looks like an address, put './' before it.
      """)
}
