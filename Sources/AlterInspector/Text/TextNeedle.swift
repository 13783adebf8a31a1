import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A text that is looked for, ignoring case.
struct TextNeedle: Sendable {
  private let text: String
  /// The lower-case ASCII letters and digits to find in the stored bytes first; nil when that tells nothing.
  private let bytes: [UInt8]?
  /// Whether it is in the id of the origin that was asked about last: entries of one origin come in runs.
  private var inOrigin: (origin: Origin, isFound: Bool)?

  init(_ text: String) {
    self.text = text.lowercased()
    // Letters and digits stand in JSON as they are. Other characters may be escaped there, or come in with the Swift-like text alone.
    let isPlain = text.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    // `null` reads as nil.
    let isOwn = "nil".contains(text.lowercased())
    bytes = isPlain && !text.isEmpty && !isOwn ? Array(text.lowercased().utf8) : nil
  }

  /// Whether anything matches.
  var isEmpty: Bool { text.isEmpty }

  /// Whether it is in one of the texts.
  func isFound(in texts: [String]) -> Bool { texts.contains { $0.lowercased().contains(text) } }

  /// Whether it may be in what is shown of an entry: false only if it certainly isn't. Far quicker than making the text.
  ///
  /// - Complexity: O(bytes of the entry).
  mutating func mayBe(in entry: Entry) -> Bool {
    guard let bytes else { return true }
    // "undo of 41" is not in the JSON.
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
      // ASCII letters differ from their capitals in one bit. (Digits have it set already.)
      for start in 0...(buffer.count - needle.count) where buffer[start] | 0x20 == first {
        var index = 1
        while index < needle.count, buffer[start + index] | 0x20 == needle[index] { index += 1 }
        if index == needle.count { return true }
      }
      // Text with escapes may hide any letter: \u0041. Foundation writes control characters so, and nothing else; others may.
      return false
    }
  }
}
