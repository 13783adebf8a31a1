import Foundation
import Testing

/// Checks that the code which a message quotes, as in 'StateSchema', `undo(_:)` or '--journal', exists.
@Suite("The messages' code")
struct NamesInMessages {
  /// Names of the system, of other programs, and placeholders.
  private static let foreign: Set = [
    "Authorization", "Bearer", "Host", "HttpOnly", "SameSite", "Support", "chmod", "ulimit", "dbname", "libpq5", "synchronous_commit",
    "BoringSSL", "samefile",
    "PostgreSQL", "absoluteURL", "KiB", "MiB", "HOST", "KEY", "NAME", "TOKEN", "refused_at_replay", "snapshot_ignored", "revoke",
    "secondsComponent",
    "attosecondsComponent",
  ]

  /// A file of Swift, divided.
  private struct Source {
    /// The names that appear outside of comments and strings.
    var names: Set<String> = []
    /// The texts of the string literals, with a zero byte for each interpolation.
    var strings: [String] = []
    private let bytes: [UInt8]
    private var next = 0

    init(_ text: String) {
      bytes = Array(text.utf8)
      while next < bytes.count { readCode() }
    }

    private func isAt(_ text: StaticString) -> Bool {
      text.withUTF8Buffer { text in next + text.count <= bytes.count && text.elementsEqual(bytes[next..<(next + text.count)]) }
    }

    /// Reads code up to the end, or to the parenthesis that ends an interpolation.
    private mutating func readCode() {
      var depth = 0
      while next < bytes.count {
        switch bytes[next] {
        case UInt8(ascii: "/") where isAt("//"):
          while next < bytes.count, bytes[next] != UInt8(ascii: "\n") { next += 1 }
        case UInt8(ascii: "\""): readString()
        case UInt8(ascii: "("): (depth, next) = (depth + 1, next + 1)
        case UInt8(ascii: ")"):
          (depth, next) = (depth - 1, next + 1)
          if depth < 0 { return }
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "."): next += 1
        default:
          guard let word = NamesInMessages.word(in: bytes, from: next) else {
            next += 1
            continue
          }
          names.insert(String(decoding: word, as: UTF8.self))
          next = word.endIndex
        }
      }
    }

    private mutating func readString() {
      let isLong = isAt("\"\"\"")
      next += isLong ? 3 : 1
      var text: [UInt8] = []
      while next < bytes.count, !(isLong ? isAt("\"\"\"") : isAt("\"") || isAt("\n")) {
        if isAt("\\(") {
          next += 2
          readCode()
          text.append(0)
        } else if isAt("\\\n") {
          // A long line goes on.
          next += 2
          while isAt(" ") { next += 1 }
        } else if isAt("\\"), next + 1 < bytes.count {
          text.append(UInt8(ascii: " "))
          next += 2
        } else {
          text.append(bytes[next])
          next += 1
        }
      }
      next += isLong ? 3 : 1
      strings.append(String(decoding: text, as: UTF8.self))
    }
  }

  /// The name that begins at an index.
  private static func word(in bytes: [UInt8], from start: Int) -> ArraySlice<UInt8>? {
    func isLetter(_ byte: UInt8) -> Bool { byte | 32 >= UInt8(ascii: "a") && byte | 32 <= UInt8(ascii: "z") || byte == UInt8(ascii: "_") }
    guard isLetter(bytes[start]) else { return nil }
    let word = bytes[start...].prefix { isLetter($0) || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    return word
  }

  /// The names in a text.
  private static func words(in text: some StringProtocol) -> [String] {
    let bytes = Array(text.utf8)
    var (words, next) = ([String](), 0)
    while next < bytes.count {
      guard let word = word(in: bytes, from: next) else {
        next += 1
        continue
      }
      words.append(String(decoding: word, as: UTF8.self))
      next = word.endIndex
    }
    return words
  }

  private let quoted: NSRegularExpression
  /// Statements of other languages have quotes of their own.
  private let foreignCode: NSRegularExpression

  init() throws {
    quoted = try NSRegularExpression(pattern: "(?<![A-Za-z0-9])'([^'\n]{1,80})'(?![A-Za-z])|`([^`\n]{1,80})`")
    foreignCode = try NSRegularExpression(
      pattern: "\\b(SELECT|INSERT|UPDATE|CREATE|WHERE|DELETE|FROM|set_config|function|const)\\b|<(div|html)|HTTP/1")
  }

  /// The names in the quoted code of a text, and its words like `isReadOnly`.
  private func names(in text: String) -> [String] {
    let range = NSRange(text.startIndex..., in: text)
    guard text.utf8.count > 3, foreignCode.firstMatch(in: text, range: range) == nil else { return [] }
    var names = text.utf8.contains(UInt8(ascii: " ")) ? Self.words(in: text).filter { $0.dropFirst().contains(where: \.isUppercase) } : []
    names.removeAll { !$0.contains(where: \.isLowercase) }
    for match in quoted.matches(in: text, range: range) {
      let part = [1, 2].compactMap { Range(match.range(at: $0), in: text) }.first.map { text[$0] } ?? ""
      if !part.utf8.contains(0) { names += Self.words(in: part) }
    }
    return names
  }

  @Test("The types, members, commands and options that the messages name are in the sources")
  func exist() throws {
    var (used, strings) = (Set<String>(), [(file: String, text: String)]())
    for file in try GuideBlocks.files(under: ["Sources", "Examples"], withExtension: "swift") where !file.path.contains("/Tests/") {
      let source = Source(try String(contentsOf: file, encoding: .utf8))
      used.formUnion(source.names)
      strings += source.strings.map { (file.lastPathComponent, $0) }
    }
    // The names of commands and of some options are strings of their own.
    used.formUnion(strings.map(\.text))
    var count = 0
    for (file, text) in strings {
      for name in names(in: text) where !Self.foreign.contains(name) {
        count += 1
        if !used.contains(name) { Issue.record("\(file): a message names '\(name)', which is not in the sources: \(text)") }
      }
    }
    #expect(count > 400, "The messages were not found.")
  }
}
