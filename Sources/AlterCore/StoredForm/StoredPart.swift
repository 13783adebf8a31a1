#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A value of stored JSON, of which only the top level is read.
package enum StoredPart: Equatable {
  case null
  case bool(Bool)
  case text(String)
  /// The digits, as they are stored.
  case number(String)
  /// An object or an array.
  case json(String)

  /// Reads stored JSON.
  ///
  /// - Throws: ``StoredFormError`` if it is not in the usual form.
  package init(json: Data) throws(StoredFormError) {
    let part: StoredPart? = json.withUnsafeBytes { bytes in
      var reader = StoredReader(bytes.bindMemory(to: UInt8.self))
      guard let part = try? reader.part(), reader.isAtEnd else { return nil }
      return part
    }
    guard let part else { throw StoredFormError() }
    self = part
  }

  /// Passes the members of a stored object to a closure, in the order in which they are stored.
  ///
  /// - Throws: ``StoredFormError`` if it is no object, or not in the usual form.
  /// - Complexity: O(bytes).
  package static func members(of json: Data, _ body: (String, StoredPart) -> Void) throws(StoredFormError) {
    let isRead = json.withUnsafeBytes { bytes in
      var reader = StoredReader(bytes.bindMemory(to: UInt8.self))
      do throws(StoredFormError) {
        var object = try reader.beginDictionary()
        while let key = try reader.nextKey(in: &object) { body(key, try reader.part()) }
        return reader.isAtEnd
      } catch { return false }
    }
    if !isRead { throw StoredFormError() }
  }
}

extension StoredReader {
  /// Reads a value.
  fileprivate mutating func part() throws(StoredFormError) -> StoredPart {
    switch byte {
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "n"):
      guard null() else { throw StoredFormError() }
      return .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try bool())
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let start = position
      try skipValue()
      return .json(String(decoding: UnsafeBufferPointer(start: start, count: position - start), as: UTF8.self))
    default: return .number(String(decoding: try scanNumber().text, as: UTF8.self))
    }
  }
}
