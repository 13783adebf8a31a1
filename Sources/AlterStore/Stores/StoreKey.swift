/// A key of `Stores`, compared by its bytes in UTF-8, because journals distinguish keys by their bytes.
///
/// Strings of Swift are equal if their characters are: "é" as one scalar equals "é" as two. With strings as keys, the second access would
/// return the store of the first key, and another store after that one was closed.
package struct StoreKey: Sendable, Hashable, ExpressibleByStringLiteral {
  package let text: String

  package init(_ text: String) { self.text = text }
  package init(stringLiteral text: String) { self.text = text }

  package static func == (one: StoreKey, other: StoreKey) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    // No byte of UTF-8 has this value: the end of the key.
    hasher.combine(0xFF as UInt8)
  }
}
