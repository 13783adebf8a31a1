#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A field of a type's stored form: a name at the top level of its JSON, and the kind of its values.
///
/// Rows use it: each field is a column. ``StoredForm/storedFields`` lists the fields of a model.
public struct StoredField: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The kind of a field's values: a column's type where a database has types.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A text, or a type with a text as its raw value.
    case text
    /// An integer.
    case integer
    /// A floating-point number.
    case real
    /// `true` or `false`.
    case boolean
    /// A `Date`.
    case date
    /// `Data`.
    case data
    /// A `UUID`.
    case uuid
    /// Any other type, by the value itself: an object or an array of JSON, or a value of a type with a form by hand.
    case other
  }

  /// The name in stored data.
  public let name: String
  /// The kind of the values.
  public let kind: Kind
  /// The name of the column; that of the field by default.
  public let column: String

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - name: The name in stored data.
  ///   - kind: The kind of the values; by default the JSON of each value decides.
  ///   - column: The name of the column, if it differs from the field's: a table has columns `id` and `position` of its own.
  public init(_ name: String, _ kind: Kind = .other, column: String? = nil) {
    (self.name, self.kind, self.column) = (name, kind, column ?? name)
  }

  /// Creates a field of any kind, written as its name.
  public init(stringLiteral name: String) { self.init(name) }
}

extension StoredForm {
  /// The fields of the stored form, in the order of their names' bytes. The macros describe them; a type with a form by hand, an enum and a
  /// value that is no object have none.
  ///
  /// - Complexity: O(fields of the type and of its parts).
  public static var storedFields: [StoredField] { StoredFormDescription.fields(of: Self.self) }
}

extension StoredField.Kind {
  /// The kind of a type's values.
  package init(of type: Any.Type) {
    switch type {
    case is String.Type, is Substring.Type: self = .text
    case is Bool.Type: self = .boolean
    case is Double.Type, is Float.Type: self = .real
    case is any FixedWidthInteger.Type: self = .integer
    case is Date.Type: self = .date
    case is Data.Type: self = .data
    case is UUID.Type: self = .uuid
    case let wrapper as any StoredWrapper.Type: self.init(of: wrapper.wrapped)
    case let represented as any RawRepresentable.Type:
      // The standard library stores these bare, and others as objects.
      let raw = Self(ofRaw: represented)
      self = [.text, .integer, .real, .boolean].contains(raw) ? raw : .other
    default: self = .other
    }
  }

  /// Creates the kind of a key: an integer that 64 bits with a sign can't hold is none.
  package init(ofKey type: Any.Type) {
    switch type {
    case let wrapper as any StoredWrapper.Type: self.init(ofKey: wrapper.wrapped)
    case let number as any FixedWidthInteger.Type: self = Self.fits(number) ? .integer : .other
    case let represented as any RawRepresentable.Type:
      let kind = Self(of: type)
      self = kind == .integer ? Self(ofRawKey: represented) : kind
    default: self.init(of: type)
    }
  }

  private init<Value: RawRepresentable>(ofRawKey type: Value.Type) { self.init(ofKey: Value.RawValue.self) }

  private static func fits<Number: FixedWidthInteger>(_ type: Number.Type) -> Bool {
    Number.bitWidth < 64 || Number.bitWidth == 64 && Number.isSigned
  }

  private init<Value: RawRepresentable>(ofRaw type: Value.Type) { self.init(of: Value.RawValue.self) }
}

/// A type that is stored as the value in it.
private protocol StoredWrapper {
  static var wrapped: Any.Type { get }
}

extension Optional: StoredWrapper {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension Identifier: StoredWrapper {
  fileprivate static var wrapped: Any.Type { RawValue.self }
}
