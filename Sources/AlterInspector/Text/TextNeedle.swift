import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A text to search for, without case.
struct TextNeedle: Sendable {
  private let text: String
  /// The text in lower case, if it consists of ASCII letters and digits only, for a first search in the stored bytes; nil if that search is
  /// not conclusive.
  private let bytes: [UInt8]?
  /// The result for the last queried origin. Consecutive entries often have the same origin.
  private var inOrigin: (origin: Origin, isFound: Bool)?

  init(_ text: String) {
    self.text = text.lowercased()
    // JSON contains letters and digits unescaped. Other characters may be escaped there, or occur only in the formatted text.
    let isPlain = text.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    // `null` is formatted as nil.
    let isOwn = "nil".contains(text.lowercased())
    bytes = isPlain && !text.isEmpty && !isOwn ? Array(text.lowercased().utf8) : nil
  }

  /// Whether the text is empty, so that it matches everything.
  var isEmpty: Bool { text.isEmpty }

  /// Whether the text is in one of the given texts.
  func isFound(in texts: [String]) -> Bool { texts.contains { $0.lowercased().contains(text) } }

  /// Whether the text may be in the formatted text of an entry. False is certain. This is much faster than formatting the entry.
  ///
  /// - Complexity: O(bytes of the entry).
  mutating func mayBe(in entry: Entry) -> Bool {
    guard let bytes else { return true }
    // The words of 'undo of 41' are not in the JSON.
    if entry.kind == .undo || entry.kind == .redo { return true }
    if Self.isFound(bytes, in: entry.payload) { return true }
    if let cause = entry.draft.cause, Self.isFound(bytes, in: cause) { return true }
    if let inOrigin, inOrigin.origin == entry.id.origin { return inOrigin.isFound }
    let isFound = entry.id.origin.text.contains(text)
    inOrigin = (entry.id.origin, isFound)
    return isFound
  }

  static func isFound(_ needle: [UInt8], in data: Data) -> Bool {
    data.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> Bool in
      guard buffer.count >= needle.count else { return false }
      let first = needle[0]
      // ASCII letters differ from their capitals in one bit, which is already set in digits.
      for start in 0...(buffer.count - needle.count) where buffer[start] | 0x20 == first {
        var index = 1
        while index < needle.count, buffer[start + index] | 0x20 == needle[index] { index += 1 }
        if index == needle.count { return true }
      }
      // An escape such as \u0041 can hide a letter. Foundation escapes only control characters, but other encoders may escape letters; such
      // text is not found.
      return false
    }
  }
}
