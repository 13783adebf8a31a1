/// A value that is read from the bytes of its stored form, and written as these bytes, without an encoder or a decoder.
///
/// The stored form of a value is the JSON that its `Codable` conformance gives with the strategies of `JournalCoding`. A type that also
/// conforms to `StoredForm` is coded several times faster. `@Alterable` generates the conformance for a model, `@Wire` for any other struct or
/// enum; standard types have it.
///
/// ## Fallback
///
/// `Codable` stays the definition of the stored form, and this protocol is a short cut for its usual case. A ``StoredReader`` reads JSON as
/// it is written: without spaces, with sorted keys, each of them once. On anything else it throws ``StoredFormError``, and `JournalCoding`
/// decodes the same bytes by `Codable`, whose value or error is then the result. A writer that throws is replaced by `encode(to:)`. Errors
/// therefore name type, key and place, whichever way the bytes took first.
///
/// A value of a type without this conformance may be a part of one with it: its bytes alone go through `Codable`.
///
/// ## Writing a conformance by hand
///
/// A type whose form is not that of its properties or cases, or that is compiled without the macros, conforms by hand. Two laws connect the conformance with the type's `Codable`; `storedFormDifference(of:)` of AlterTesting checks them for a value:
///
/// - Whenever `init(from reader:)` returns, `init(from decoder:)` returns an equal value for the same bytes.
/// - Whenever `write(to:)` returns, it has written the bytes that `encode(to:)` gives.
///
/// A journal keeps nothing that it could not read again. A store therefore decodes the bytes of a conformance by hand, and of a part that goes
/// through `Codable`, before it appends them, and compares the values. The code of the macros and of the standard types needs no such check.
///
/// A class that conforms is final, or each subclass overrides both methods: it inherits the conformance. A part that goes through `Codable`
/// is coded on its own, so its coding path is empty.
///
/// The keys of an object are read and written in ascending order of their UTF-8 bytes: capital letters come before small ones.
///
/// ```swift
/// struct Place: Codable, StoredForm {
///   var height: Double?
///   var name: String
///
///   init(from reader: inout StoredReader) throws(StoredFormError) {
///     var object = try reader.beginObject()
///     height = try reader.optional("height", in: &object)
///     name = try reader.required("name", in: &object)
///     try reader.endObject(&object)
///   }
///
///   func write(to writer: inout StoredWriter) throws(StoredFormError) {
///     try writer.beginObject()
///     try writer.field(height, "height")
///     try writer.field(name, "name")
///     writer.endObject()
///   }
/// }
/// ```
///
/// A type that is stored as one value of another type reads and writes that one. An enum with raw values needs no code at all; nor does any
/// `RawRepresentable` type whose raw value is a text, a number or a `Bool`, which the standard library stores bare:
///
/// ```swift
/// extension Day: StoredForm {
///   init(from reader: inout StoredReader) throws(StoredFormError) {
///     guard let day = Day(try reader.string()) else { throw StoredFormError() }
///     self = day
///   }
///   func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.string(description) }
/// }
///
/// enum Colour: String, Codable, StoredForm { case red, green }
/// ```
public protocol StoredForm: Codable {
  /// Reads a value, and leaves the reader behind it.
  ///
  /// - Parameter reader: The reader, at the first byte of the value.
  /// - Throws: ``StoredFormError`` if the bytes are not the usual form of a value. The whole document is then decoded by `Codable`.
  init(from reader: inout StoredReader) throws(StoredFormError)

  /// Writes the value.
  ///
  /// - Parameter writer: The writer.
  /// - Throws: ``StoredFormError`` if the value has no usual form. The whole document is then encoded by `Codable`.
  func write(to writer: inout StoredWriter) throws(StoredFormError)

  /// Whether each value that `write(to:)` has written can be read again as an equal value, provided that this is so for its parts. False by
  /// default; the macros generate true.
  static var _isTotal: Bool { get }

  /// Describes the stored form, for its fingerprint: see ``StoredFormDescription``. By default, the name of the type. The macros generate this.
  static func _describe(_ form: inout StoredFormDescription)
}

extension StoredForm {
  /// A conformance by hand promises nothing: its `init(from:)` may reject more than its other initialisers.
  @inlinable public static var _isTotal: Bool { false }

  /// A form by hand is described by the name of its type.
  public static func _describe(_ form: inout StoredFormDescription) { form.put(named: _typeName(Self.self, qualified: false)) }
}

/// A form whose values can be read again whenever they were written: ``StoredForm/_isTotal`` is true. For the standard types and those of this
/// package; the macros generate the property itself.
public protocol _TotalStoredForm: StoredForm {}

extension _TotalStoredForm {
  /// Each value can be read again.
  @inlinable public static var _isTotal: Bool { true }
}

/// A text, a number or a `Bool`: the standard library stores a `RawRepresentable` with a raw value of this type as the bare raw value.
///
/// For the types that the standard library lists, and for no others: a type of an app would get a form that its `Codable` does not have.
public protocol _BareStoredForm: _TotalStoredForm, Equatable {}

/// The reason why a ``StoredReader`` or a ``StoredWriter`` leaves a document to `Codable`. It reaches no user: `Codable` finds the actual
/// error, or none.
public struct StoredFormError: Error, Hashable {
  /// Creates the error.
  @inlinable
  public init() {}
}
