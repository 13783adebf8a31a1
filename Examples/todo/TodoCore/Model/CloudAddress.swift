import _AlterTerminal

/// The URL of a copy of the list. The journal stores it permanently, so it must not contain a password.
public struct CloudAddress: Sendable, Hashable {
  /// The URL.
  public let text: String

  /// The reason why a text is not such a URL. It doesn't repeat the text, which may contain a password.
  public struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem and the next step.
    public let description: String
  }

  /// The maximum length of a URL, in bytes.
  public static let longest = 8_192

  /// Parses a URL that the user has typed.
  ///
  /// - Throws: ``Malformed`` if it is not an http or https URL, or if it may contain a user or a password.
  /// - Complexity: O(length).
  public init(_ text: String) throws(Malformed) {
    guard text.utf8.count <= Self.longest else { throw Malformed(description: "the URL is longer than \(Self.longest) bytes") }
    guard let end = text.firstRange(of: "://"), ["http", "https"].contains(text[..<end.lowerBound].lowercased()) else {
      throw Malformed(description: "this is not an http or https URL")
    }
    guard !text.unicodeScalars.contains(where: { $0.actsOnTerminal || $0.properties.isWhitespace || $0 == "\\" }) else {
      throw Malformed(description: "the URL holds a space, a backslash or a control character: percent-encode it")
    }
    // The check covers the whole text: a '/' or '?' in a password ends the part of the URL to which a user and a password belong.
    guard !text.contains("@") else {
      throw Malformed(
        description:
          "the URL holds an '@', and so perhaps a password, which the list would keep permanently. Give user and password in TODO_CLOUD_USER or ~/.netrc; percent-encode an '@' in a path as %40."
      )
    }
    let place = text[end.upperBound...].prefix { !"/?#".contains($0) }
    guard Self.isHost(place) else { throw Malformed(description: "the URL has no host, or its port is not a number") }
    self.text = text
  }

  private static func isHost(_ place: Substring) -> Bool {
    var port = place[...]
    if place.hasPrefix("[") {
      guard let end = place.firstIndex(of: "]") else { return false }
      port = place[place.index(after: end)...]
      guard port.isEmpty || port.hasPrefix(":") else { return false }
    } else {
      port = place.drop { $0 != ":" }
      guard port.startIndex > place.startIndex else { return false }
    }
    return port.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// A URL from the journal as it may be shown: on one line, and without the part before an '@', which an older version may have stored.
  ///
  /// - Complexity: O(length).
  public static func shown(_ url: String) -> String {
    guard let at = url.lastIndex(of: "@") else { return url.printable }
    let begin = url.firstRange(of: "://").map(\.upperBound) ?? url.startIndex
    return begin <= at ? (url[..<begin] + "•••" + url[at...]).printable : url.printable
  }
}
