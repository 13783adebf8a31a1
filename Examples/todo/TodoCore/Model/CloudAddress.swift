import AlterTerminal

/// The URL under which a copy of the list is kept. The journal keeps it for ever, so it holds no password.
public struct CloudAddress: Sendable, Hashable {
  /// The URL.
  public let text: String

  /// Why a text is no such URL. It doesn't repeat the text, which may hold a password.
  public struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and what to do next.
    public let description: String
  }

  /// The longest URL, in bytes.
  public static let longest = 8_192

  /// A URL as a user names it.
  ///
  /// - Throws: ``Malformed`` when it is none of http or https, or when a user or a password may be in it.
  /// - Complexity: O(length).
  public init(_ text: String) throws(Malformed) {
    guard text.utf8.count <= Self.longest else { throw Malformed(description: "the URL is longer than \(Self.longest) bytes") }
    guard let end = text.firstRange(of: "://"), ["http", "https"].contains(text[..<end.lowerBound].lowercased()) else {
      throw Malformed(description: "this is not an http or https URL")
    }
    guard !text.unicodeScalars.contains(where: { $0.actsOnTerminal || $0.properties.isWhitespace || $0 == "\\" }) else {
      throw Malformed(description: "the URL holds a space, a backslash or a control character: percent-encode it")
    }
    // Anywhere: a '/' or '?' in a password ends the part in which a user and a password belong.
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

  /// A URL from the journal as it may be shown: on one line, and without what stands before an '@', if an older version has kept that.
  ///
  /// - Complexity: O(length).
  public static func shown(_ url: String) -> String {
    guard let at = url.lastIndex(of: "@") else { return url.printable }
    let begin = url.firstRange(of: "://").map(\.upperBound) ?? url.startIndex
    return begin <= at ? (url[..<begin] + "•••" + url[at...]).printable : url.printable
  }
}
