import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A type that knows how it is written in Swift better than its parts show.
///
/// ```swift
/// struct ItemID: SwiftSourceConvertible { init(_ number: Int) … var swiftSource: String { "ItemID(\(number))" } }
/// ```
public protocol SwiftSourceConvertible {
  /// An expression that gives this value.
  var swiftSource: String { get }
}

/// A value written as Swift source: an expression that gives it again.
///
/// ```swift
/// SwiftSource(Change.item(3, .due(nil))).text      // .item(3, .due(nil))
/// ```
///
/// It looks at the value's parts: enums with payloads and labels, structs by their memberwise initialiser, optionals, tuples, collections,
/// and what the standard library and Foundation's essentials have. Enum cases are written without their type, as in a place that says what
/// is meant.
///
/// **Its limits.** A struct is taken to have an initialiser with all its stored properties as labels, in order; a property with a fixed
/// value (`let x = 1`), a private one or another initialiser is not seen. A class, a closure and a type without parts to show can't be written: ``gaps``
/// names them. A type can say itself how it is written: ``SwiftSourceConvertible``.
public struct SwiftSource: Sendable, CustomStringConvertible {
  /// The expression.
  public let text: String
  /// The types that can't be written; empty when the text is complete.
  public let gaps: [String]

  /// The source of a value.
  public init(_ value: some Any) {
    var writer = SourceWriter()
    text = writer.source(of: value, depth: 0)
    gaps = writer.gaps
  }

  /// The ``text``.
  public var description: String { text }
}

private struct SourceWriter {
  var gaps: [String] = []
  private static let depth = 64

  mutating func source(of value: Any, depth: Int) -> String {
    if let own = value as? any SwiftSourceConvertible { return own.swiftSource }
    if let text = Self.literal(value) { return text }
    guard depth < Self.depth else { return gap(value) }
    let mirror = Mirror(reflecting: value)
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
      // Something with a size and nothing to show is no value that its initialiser could be given.
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

  // MARK: - What has a form of its own

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
        // Written as they are: what shows by itself. A mark that would join the one before it shows as its number.
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

  /// The name of a type as its own module writes it: without the module, and without the marks of what is private.
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
        // (Name in _0123ABCD), or a context without a name: one for what is private, two for what is local to a function, where what is
        // outside isn't named.
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

  /// The name of an enum's case, whatever its `description` says.
  private static func caseName(of value: Any) -> String? {
    func open<Value>(_ value: Value) -> String? { runtimeCaseName(value).map { String(cString: $0) } }
    return open(value)
  }
}

/// The Swift runtime's own function, with which `print` finds a case's name. A mirror shows the names of cases with a payload only, and
/// `print` shows what the type wants to be shown. The symbol is part of the runtime's stable interface since Swift 5.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// Ranges, which show their bounds as parts but have no initialiser with them.
private protocol SourceRange {
  var source: String { get }
}

extension Range: SourceRange {
  fileprivate var source: String { "(\(SwiftSource(lowerBound))..<\(SwiftSource(upperBound)))" }
}

extension ClosedRange: SourceRange {
  fileprivate var source: String { "(\(SwiftSource(lowerBound))...\(SwiftSource(upperBound)))" }
}
