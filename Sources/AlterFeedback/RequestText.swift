import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The text of a request's subject: the same in every process, and equal only for equal values.
///
/// ```
/// 42   a text   CASE   CASE("a text",42)   (42,"a text",true)   [1,2,3]   {1,2}   {"key":1}   none   some(42)
/// ```
///
/// Nested texts are quoted, so that two values of one type never have the same text. A struct with one field is written as that field.
enum RequestText {
  /// The text of an id: its own description, if it has one that is the same in every process.
  static func id(_ id: some Hashable) -> String {
    // A date's own description omits the fraction of its second, so two ids would share a text.
    if id is Date { return values(of: id) }
    let style = Mirror(reflecting: id).displayStyle
    // A cast looks through an optional: without the check, nil and some("none") would share a text.
    if style != .optional, type(of: id as Any) != AnyHashable.self, let id = id as? any RawIdentified { return Self.id(id.anyRawValue) }
    guard id is any CustomStringConvertible, type(of: id as Any) != AnyHashable.self else { return values(of: id) }
    switch style {
    // Swift describes these by their elements, with names of fields, and sets in an order that differs from run to run.
    case .collection, .set, .dictionary, .optional, .tuple: return values(of: id)
    default: return "\(id)"
    }
  }

  /// The text of a request, made of its values.
  static func values(of request: some Hashable) -> String { text(request, isNested: false) }

  private static func text(_ value: Any, isNested: Bool) -> String {
    let mirror = Mirror(reflecting: value)
    // These two first: a cast looks through them.
    if mirror.displayStyle == .optional { return mirror.children.first.map { "some(\(text($0.value, isNested: true)))" } ?? "none" }
    if type(of: value) == AnyHashable.self, let value = value as? AnyHashable {
      return "\(type(of: value.base)):\(text(value.base, isNested: true))"
    }
    if let scalar = scalar(value, isNested: isNested) { return scalar }
    switch mirror.displayStyle {
    case .enum:
      guard let child = mirror.children.first, let label = child.label else { return caseText(value, isNested: isNested) }
      return "\(label)(\(payload(child.value)))"
    case .set: return "{\(list(of: mirror).sorted().joined(separator: ","))}"
    case .dictionary:
      let pairs = mirror.children.map { child in list(of: Mirror(reflecting: child.value)).joined(separator: ":") }
      return "{\(pairs.sorted().joined(separator: ","))}"
    case .collection: return "[\(list(of: mirror).joined(separator: ","))]"
    case .tuple: return "(\(list(of: mirror).joined(separator: ",")))"
    default: return parts(value, mirror, isNested: isNested)
    }
  }

  /// The text of a scalar value; nil for all others.
  private static func scalar(_ value: Any, isNested: Bool) -> String? {
    switch value {
    case let text as any StringProtocol: isNested ? quoted("\(text)") : "\(text)"
    case let text as Character: isNested ? quoted("\(text)") : "\(text)"
    case let text as Unicode.Scalar: isNested ? quoted("\(text)") : "\(text)"
    // To the last bit; its description is in seconds.
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let data as Data: data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    // Numbers and truth values. What others say of themselves may hold any character.
    case is any BinaryInteger, is any BinaryFloatingPoint, is Decimal, is Bool: "\(value)"
    case let lossless as any LosslessStringConvertible: isNested ? quoted(lossless.description) : lossless.description
    case let url as URL: isNested ? quoted(url.description) : url.description
    default: nil
    }
  }

  /// The text of a case without a payload: its name. A case with a custom description does not reveal its name.
  private static func caseText(_ value: Any, isNested: Bool) -> String {
    guard let described = value as? any CustomStringConvertible else { return "\(value)" }
    if let raw = value as? any RawRepresentable { return text(raw.rawValue, isNested: isNested) }
    return isNested ? quoted(described.description) : described.description
  }

  private static func payload(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .tuple ? list(of: mirror).joined(separator: ",") : text(value, isNested: true)
  }

  /// The fields of a struct or class, the elements of a collection, or the description of a value without visible parts.
  private static func parts(_ value: Any, _ mirror: Mirror, isNested: Bool) -> String {
    // How a collection stores its elements may differ between equal ones; a range is two values.
    if let collection = value as? any RandomAccessCollection, !(value is any RangeExpression) {
      return "[\(collection.map { text($0 as Any, isNested: true) }.joined(separator: ","))]"
    }
    var levels = [mirror]
    while let parent = levels.last?.superclassMirror { levels.append(parent) }
    let fields = levels.reversed().flatMap { $0.children.map(\.value) }
    if fields.isEmpty, let value = value as? any CustomStringConvertible { return isNested ? quoted(value.description) : value.description }
    if fields.count == 1 { return text(fields[0], isNested: isNested) }
    return "(\(fields.map { text($0, isNested: true) }.joined(separator: ",")))"
  }

  private static func list(of mirror: Mirror) -> [String] { mirror.children.map { text($0.value, isNested: true) } }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
