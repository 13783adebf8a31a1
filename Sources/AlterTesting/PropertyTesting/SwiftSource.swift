import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A type that provides its own Swift source, because its stored properties do not show it.
///
/// ```swift
/// struct ItemID: SwiftSourceConvertible { init(_ number: Int) … var swiftSource: String { "ItemID(\(number))" } }
/// ```
public protocol SwiftSourceConvertible {
  /// An expression that makes this value.
  var swiftSource: String { get }
}

/// The Swift source of a value: an expression that makes an equal value.
///
/// ```swift
/// SwiftSource(Change.item(3, .due(nil))).text      // .item(3, .due(nil))
/// ```
///
/// It supports enums with payloads and labels, structs by their memberwise initialiser, optionals, tuples, collections, and common types of
/// the standard library and Foundation. It writes enum cases without their type, for a context that determines the type.
///
/// ### Limits
///
/// For a struct, it assumes an initialiser with all stored properties as labels, in order. It cannot see whether a property has a fixed
/// value (`let x = 1`) or is private, or whether the initialiser differs. It cannot write classes, closures and types without visible
/// parts; ``gaps`` names them. A type can provide its own source with ``SwiftSourceConvertible``.
package struct SwiftSource: Sendable, CustomStringConvertible {
  /// The expression. A placeholder like `<#Name#>` stands for each value that cannot be written.
  package let text: String
  /// The types that cannot be written; empty if the text is complete.
  package let gaps: [String]

  /// Creates the source of a value.
  package init(_ value: some Any) {
    var writer = SourceWriter()
    text = writer.source(of: value, depth: 0)
    gaps = writer.gaps
  }

  /// The expression; see ``text``.
  package var description: String { text }
}

extension SwiftSource {
  /// The source of a value for a context that does not determine its type, such as an argument of type `Any`.
  static func argument(_ value: Any) -> String {
    let text = SwiftSource(value).text
    let name = name(of: type(of: value))
    if text.hasPrefix(".") { return name + text }
    if text.hasPrefix("-.") { return "-\(name)\(text.dropFirst())" }
    if text.hasPrefix("Identifier("), value is any RawIdentified { return name + text.dropFirst("Identifier".count) }
    switch value {
    // A literal without a context is an `Int`.
    case let number as any BinaryInteger: return Int(exactly: number) == nil ? "\(text) as \(name)" : text
    case is any BinaryFloatingPoint, is any StringProtocol, is Bool: return text
    default:
      // An empty literal has no type, and neither has a case without its enum. A model's own literal would become an `Int` or a `String`.
      let mirror = Mirror(reflecting: value)
      let needsType =
        switch mirror.displayStyle {
        case .collection, .set: mirror.children.isEmpty || mirror.children.contains { isUntyped($0.value) }
        case .dictionary:
          mirror.children.isEmpty || mirror.children.contains { Mirror(reflecting: $0.value).children.contains { isUntyped($0.value) } }
        default: text.first.map { $0.isNumber || "\"-".contains($0) } ?? false
        }
      return needsType ? "\(text) as \(name)" : text
    }
  }

  /// Whether the source of an element needs the type of its collection.
  private static func isUntyped(_ element: Any) -> Bool {
    switch Mirror(reflecting: element).displayStyle {
    case .enum, .optional, .collection, .set, .dictionary, .tuple: true
    default:
      switch element {
      // A literal without a context is an `Int`, a `Double` or a `String`.
      case is Int, is String, is Bool: false
      case let number as Double: !number.isFinite
      default: SwiftSource(element).text.first.map { $0.isNumber || "\"-.".contains($0) } ?? false || element is any RawIdentified
      }
    }
  }

  /// The name of a type as in its own module; arrays in the short form.
  static func name(of type: Any.Type) -> String {
    let name = SourceWriter.name(of: type)
    return name.hasPrefix("Array<") && name.hasSuffix(">") ? "[\(name.dropFirst(6).dropLast())]" : name
  }
}

private struct SourceWriter {
  var gaps: [String] = []
  private static let depth = 64

  mutating func source(of value: Any, depth: Int) -> String {
    if let own = value as? any SwiftSourceConvertible { return own.swiftSource }
    if let text = Self.literal(value) { return text }
    guard depth < Self.depth else { return gap(value) }
    let mirror = Mirror(reflecting: value)
    // An optional is unwrapped below: a cast looks through it.
    if mirror.displayStyle != .optional, let id = value as? any RawIdentified {
      let raw = id.anyRawValue
      let text = source(of: raw, depth: depth + 1)
      return raw is any BinaryInteger || raw is String ? text : "Identifier(\(text))"
    }
    switch mirror.displayStyle {
    case .optional:
      guard let inner = mirror.children.first?.value else { return "nil" }
      let text = source(of: inner, depth: depth + 1)
      return text == "nil" ? ".some(nil)" : text
    case .enum: return enumCase(value, mirror, depth: depth)
    case .collection: return "[\(mirror.children.map { source(of: $0.value, depth: depth + 1) }.joined(separator: ", "))]"
    case .set: return "[\(mirror.children.map { source(of: $0.value, depth: depth + 1) }.sorted().joined(separator: ", "))]"
    case .dictionary:
      let pairs = mirror.children.map { child in
        Mirror(reflecting: child.value).children.map { source(of: $0.value, depth: depth + 1) }.joined(separator: ": ")
      }
      return pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]"
    case .tuple: return "(\(members(mirror, depth: depth)))"
    case .struct:
      // A struct with a size but without visible parts cannot be made by an initialiser without arguments.
      if mirror.children.isEmpty, Self.size(of: value) > 0 { return gap(value) }
      return "\(Self.name(of: type(of: value)))(\(members(mirror, depth: depth)))"
    default: return gap(value)
    }
  }

  private mutating func gap(_ value: Any) -> String {
    let name = Self.name(of: type(of: value))
    if !gaps.contains(name) { gaps.append(name) }
    return "<#\(name)#>"
  }

  private mutating func enumCase(_ value: Any, _ mirror: Mirror, depth: Int) -> String {
    guard let name = Self.caseName(of: value) else { return gap(value) }
    let dotted = "." + (["init", "self", "Type", "Protocol"].contains(name) ? "`\(name)`" : name)
    guard let payload = mirror.children.first?.value else { return dotted }
    let inner = Mirror(reflecting: payload)
    if inner.displayStyle == .tuple { return "\(dotted)(\(members(inner, depth: depth + 1)))" }
    return "\(dotted)(\(source(of: payload, depth: depth + 1)))"
  }

  private mutating func members(_ mirror: Mirror, depth: Int) -> String {
    mirror.children.map { child in
      let text = source(of: child.value, depth: depth + 1)
      guard let label = child.label, !label.hasPrefix(".") else { return text }
      return "\(label): \(text)"
    }.joined(separator: ", ")
  }

  // MARK: - Types with special forms

  private static func literal(_ value: Any) -> String? {
    switch value {
    case let text as any StringProtocol: quoted(String(text))
    case let character as Character: quoted(String(character))
    case let scalar as Unicode.Scalar: quoted(String(scalar))
    case let flag as Bool: flag ? "true" : "false"
    case let number as any BinaryInteger: "\(number)"
    case let number as Double: floating(number)
    case let number as Float: floating(number)
    case let number as Decimal: "Decimal(string: \"\(number)\")!"
    case let id as UUID: "UUID(uuidString: \"\(id.uuidString)\")!"
    case let date as Date: "Date(timeIntervalSinceReferenceDate: \(floating(date.timeIntervalSinceReferenceDate)))"
    case let url as URL: "URL(string: \(quoted(url.absoluteString)))!"
    case let data as Data: "Data([\(data.map { "\($0)" }.joined(separator: ", "))])"
    case let duration as Duration:
      "Duration(secondsComponent: \(duration.components.seconds), attosecondsComponent: \(duration.components.attoseconds))"
    case let origin as Origin: "Origin(UUID(uuidString: \"\(origin.uuid.uuidString)\")!)"
    case let revision as Revision: "\(revision)"
    case let range as any SourceRange: range.source
    default: nil
    }
  }

  private static func floating<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number) -> String {
    number.isNaN ? ".nan" : number.isInfinite ? (number < 0 ? "-.infinity" : ".infinity") : number.description
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        // Write a character as it is only if it is visible by itself. A combining mark would join the character before it, so its number is
        // written.
        let isPlain =
          switch scalar.properties.generalCategory {
          case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .nonspacingMark,
            .enclosingMark, .spacingMark:
            false
          default: true
          }
        if isPlain { result.unicodeScalars.append(scalar) } else { result += "\\u{\(String(scalar.value, radix: 16))}" }
      }
    }
    return result + "\""
  }

  // MARK: - Types

  /// The name of a type as in its own module: without the module's name, and without the discriminators of private types.
  static func name(of type: Any.Type) -> String {
    var result = ""
    var path: [String] = []
    var contexts = 0
    func end() {
      result += (path.count > 1 ? Array(path.dropFirst()) : path).joined(separator: ".")
      path = []
    }
    var rest = Substring(String(reflecting: type))
    while let character = rest.first {
      if character == "(", let close = rest.firstIndex(of: ")"), rest[..<close].contains(" in ") || rest.hasPrefix("(unknown context") {
        let inner = rest[rest.index(after: rest.startIndex)..<close]
        // This part is '(Name in _0123ABCD)' or a context without a name. One such context stands for a private scope. Two stand for a
        // scope inside a function, and the name of the outer scope is missing then.
        if inner.hasPrefix("unknown context") {
          contexts += 1
          if contexts == 2 { path = ["function"] }
        } else if let name = inner.split(separator: " ").first {
          path.append(String(name))
        }
        rest = rest[rest.index(after: close)...]
        if rest.first == "." { rest = rest.dropFirst() }
      } else if character.isLetter || character == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        path.append(String(word))
        contexts = 0
        rest = rest[word.endIndex...]
        if rest.first == "." { rest = rest.dropFirst() }
      } else {
        end()
        result.append(character)
        rest = rest.dropFirst()
      }
    }
    end()
    return result
  }

  private static func size(of value: Any) -> Int {
    func open<Value>(_ value: Value) -> Int { MemoryLayout<Value>.size }
    return open(value)
  }

  /// The name of an enum's case, independent of its `description`.
  private static func caseName(of value: Any) -> String? {
    func open<Value>(_ value: Value) -> String? { runtimeCaseName(value).map { String(cString: $0) } }
    return open(value)
  }
}

/// The function of the Swift runtime that returns the name of an enum's case. `Mirror` contains the name only for cases with a payload, and
/// `print` uses the type's own description. The symbol is part of the runtime's stable interface since Swift 5.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// Ranges need special treatment: no initialiser has their stored bounds as arguments.
private protocol SourceRange {
  var source: String { get }
}

extension Range: SourceRange {
  fileprivate var source: String { "(\(SwiftSource(lowerBound))..<\(SwiftSource(upperBound)))" }
}

extension ClosedRange: SourceRange {
  fileprivate var source: String { "(\(SwiftSource(lowerBound))...\(SwiftSource(upperBound)))" }
}
