#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StoredReader {
  /// Elements that were read from an array: most arrays of changes have one, which needs no array.
  @usableFromInline
  package enum Elements<Element> {
    case one(Element)
    case several([Element])
  }

  /// Reads an array by the ``StoredForm`` of its elements.
  ///
  /// - Returns: The elements; nil if the bytes are unusual.
  @inlinable
  package static func elements<Element: StoredForm>(of type: Element.Type = Element.self, from json: Data) -> Elements<Element>? {
    json.withUnsafeBytes { bytes in
      var reader = StoredReader(bytes.bindMemory(to: UInt8.self))
      guard let elements = try? reader.elements(of: Element.self), reader.position == reader.end else { return nil }
      return elements
    }
  }

  @inlinable
  mutating func elements<Element: StoredForm>(of type: Element.Type) throws(StoredFormError) -> Elements<Element> {
    var array = try beginArray()
    guard try hasElement(in: &array) else { return .several([]) }
    let first = try Element(from: &self)
    guard try hasElement(in: &array) else { return .one(first) }
    var elements = [first, try Element(from: &self)]
    while try hasElement(in: &array) { elements.append(try Element(from: &self)) }
    return .several(elements)
  }
}
