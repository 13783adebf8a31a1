import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value of a column.
///
/// Tables that are made by hand write such values; literals need no case: `["open", .int(store.open)]`.
public enum RowValue: Sendable, Hashable {
  /// No value.
  case null
  /// A whole number; a Boolean is 1 or 0.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case data(Data)

  /// A whole number of any type; one beyond 64 bits is its digits.
  public static func int(_ number: some BinaryInteger) -> RowValue { Int64(exactly: number).map { .integer($0) } ?? .text("\(number)") }

  /// A Boolean: 1 or 0.
  package static func bool(_ flag: Bool) -> RowValue { .integer(flag ? 1 : 0) }

  /// A date in the form of a row: `2026-12-01 09:30:00.250`, in UTC.
  public static func date(_ date: Date) -> RowValue {
    DateText.text(of: date).map { RowValue(date: $0) } ?? .real(date.timeIntervalSinceReferenceDate)
  }
}

extension RowValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  /// Creates ``null``.
  public init(nilLiteral: ()) { self = .null }
  /// Creates 1 or 0.
  public init(booleanLiteral flag: Bool) { self = .bool(flag) }
  /// Creates a whole number.
  public init(integerLiteral number: Int64) { self = .integer(number) }
  /// Creates a floating-point number.
  public init(floatLiteral number: Double) { self = .real(number) }
  /// Creates a text.
  public init(stringLiteral text: String) { self = .text(text) }
}

/// The databases whose rows differ in form.
package enum RowForm: Sendable {
  /// A column has values of any type.
  case sqlite
  /// A column has the type of its field. The values of a field of the kind `other` are JSON.
  case postgres
}

// The one rule of the form of a row: see `Design/0024-rows.md`.
extension RowValue {
  /// Creates the value of a column in the form of a database.
  fileprivate init(_ part: StoredPart, _ kind: StoredField.Kind, in form: RowForm) {
    guard form == .postgres, kind == .other else {
      self.init(part, kind)
      return
    }
    switch part {
    case .null: self = .null
    case .bool(let flag): self = .text(flag ? "true" : "false")
    case .json(let text), .number(let text): self = .text(text)
    case .text(let text): self = .text(Self.json(of: text))
    }
  }

  /// The value of a column of a table that is made by hand.
  func written(in form: RowForm, _ kind: StoredField.Kind) -> RowValue {
    guard form == .postgres, kind == .other else { return self }
    switch self {
    case .null: return .null
    case .integer(let number): return .text("\(number)")
    case .real(let number): return .text(number.isFinite ? "\(number)" : Self.json(of: "\(number)"))
    case .text(let text): return .text(Self.json(of: text))
    case .data(let data): return .text(Self.json(of: data.base64EncodedString()))
    }
  }

  /// A text as JSON.
  package static func json(of text: String) -> String { String(decoding: JSONValue.string(text).data, as: UTF8.self) }

  /// Creates the value of a column from a part of stored JSON.
  init(_ part: StoredPart, _ kind: StoredField.Kind) {
    switch part {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .json(let text): self = .text(text)
    case .number(let digits): self.init(number: digits)
    case .text(let text):
      switch kind {
      case .date: self.init(date: text)
      case .data: self = Data(base64Encoded: text).map { .data($0) } ?? .text(text)
      default: self = .text(text)
      }
    }
  }

  private init(number digits: String) {
    if let whole = Int64(digits) {
      self = .integer(whole)
    } else if let number = Double(digits), number.isFinite, number.description == digits || number.description == digits + ".0" {
      self = .real(number)
    } else {
      self = .text(digits)
    }
  }

  /// Creates the form of GRDB and of SQLite's date functions: milliseconds, in UTC. A year outside 0 to 9999 keeps its stored form.
  private init(date stored: String) {
    let bytes = Array(stored.utf8)
    guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"), bytes[bytes.count - 1] == UInt8(ascii: "Z"),
      bytes[0] != UInt8(ascii: "-"), bytes[0] != UInt8(ascii: "+")
    else {
      self = .text(stored)
      return
    }
    var text = Array(bytes[..<19])
    text[10] = UInt8(ascii: " ")
    text.append(UInt8(ascii: "."))
    text += (bytes[19..<bytes.count - 1].dropFirst() + repeatElement(UInt8(ascii: "0"), count: 3)).prefix(3)
    self = .text(String(decoding: text, as: UTF8.self))
  }

  /// The value for a message.
  package var text: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .data(let data): "\(data.count) bytes"
    }
  }

  /// Whether two values have the same bytes. Equal texts may have others: `é` has two forms.
  func isIdentical(to other: RowValue) -> Bool {
    if case (.text(let left), .text(let right)) = (self, other) { return left.utf8.elementsEqual(right.utf8) }
    return self == other
  }
}

/// Divides values into columns by their stored form.
struct RowCoder: Sendable {
  /// The fields in the order of the columns. The column of the id has its stored form, whether it is a property or computed.
  let fields: [StoredField]
  private var form = RowForm.sqlite

  init(_ fields: [StoredField]) { self.fields = fields.filter { $0.column != "id" } }

  /// The same columns, in the form of another database.
  func written(in form: RowForm) -> RowCoder {
    var coder = self
    coder.form = form
    return coder
  }

  /// Returns the values of a row.
  ///
  /// - Throws: The error of the element's coding; ``RowsError`` `unusual` if its form is no object.
  func values(of element: some Encodable) throws -> [RowValue] {
    let json = try StoredCoding.written(element).json
    var values = Array(repeating: RowValue.null, count: fields.count)
    // The names of a generated form come in the order of the fields.
    var next = 0
    func put(_ name: String, _ part: StoredPart) {
      for offset in fields.indices {
        let place = next + offset < fields.count ? next + offset : next + offset - fields.count
        guard fields[place].name == name else { continue }
        values[place] = RowValue(part, fields[place].kind, in: form)
        next = place + 1 < fields.count ? place + 1 : 0
        return
      }
    }
    do throws(StoredFormError) { try StoredPart.members(of: json, put) } catch {
      guard case .object(let members) = try JSONValue(parsing: json) else { throw RowsError.unusual("\(type(of: element))") }
      for (name, value) in members { put(name, StoredPart(value)) }
    }
    return values
  }

  /// Returns the value of an id: its stored form.
  static func id(_ id: some Encodable) throws -> RowValue {
    let json = try StoredCoding.written(id).json
    do throws(StoredFormError) { return RowValue(try StoredPart(json: json), .other) } catch {
      return RowValue(StoredPart(try JSONValue(parsing: json)), .other)
    }
  }
}

extension StoredPart {
  /// Creates the part of JSON that `Codable` has written in an unusual form.
  fileprivate init(_ value: JSONValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let flag): .bool(flag)
      case .string(let text): .text(text)
      case .integer, .number, .decimal: .number(String(decoding: value.data, as: UTF8.self))
      case .array, .object: .json(String(decoding: value.data, as: UTF8.self))
      }
  }
}
