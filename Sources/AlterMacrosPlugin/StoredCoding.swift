#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// Generates the short cut of the stored form: the conformance to `StoredForm`, as straight-line code.
  enum StoredCoding {
    /// The protocol, for a list that ends with `Codable`.
    static let conformance = ", AlterCore.StoredForm"

    static func reading(_ access: String, _ lines: [String], _ documentation: String) -> String {
      method("\(access)init(from reader: inout AlterCore.StoredReader)", lines, documentation)
    }

    static func writing(_ access: String, _ lines: [String], _ documentation: String) -> String {
      method("\(access)func write(to writer: inout AlterCore.StoredWriter)", lines, documentation)
    }

    /// The two methods of a declaration with problems.
    static func withoutBodies(_ access: String) -> String {
      """
      \(access)init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) { fatalError() }
      \(access)func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) { fatalError() }
      """
    }

    /// The promise that a store need not read again what the methods have written.
    static func totality(_ access: String) -> String {
      """
      /// Each value can be read again.
      \(access)static var _isTotal: Swift.Bool { true }
      """
    }

    /// The description of the form, for its fingerprint.
    static func describing(_ access: String, _ lines: [String]) -> String {
      """
      /// Describes the stored form, for its fingerprint.
      \(access)static func _describe(_ form: inout AlterCore.StoredFormDescription) {
      \(lines.joined(separator: "\n").indented)
      }
      """
    }

    /// The type aliases through which the compiler checks that types can be stored; nil if there are none.
    ///
    /// - Parameters:
    ///   - types: The aliases, with their prefix, and the types.
    ///   - owners: The values of these types, in a comment.
    static func types(_ types: [(alias: String, type: String)], of owners: String) -> String? {
      guard !types.isEmpty else { return nil }
      let lines = types.map { "typealias \($0.dropFirst("_Stored.".count)) = \(TypeSyntax(stringLiteral: $1).checked)" }
      return """
        /// The types of \(owners), each of which has to be Codable.
        private nonisolated enum _Stored {
        \(lines.joined(separator: "\n").indented)
        }
        """
    }

    /// A member that makes it an error to declare `CodingKeys` in an extension, which the macro can't see.
    static let codingKeys = """
      /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
      typealias CodingKeys = Swift.Never
      """

    private static func method(_ signature: String, _ lines: [String], _ documentation: String) -> String {
      """
      /// \(documentation)
      \(signature) throws(AlterCore.StoredFormError) {
      \(lines.joined(separator: "\n").indented)
      }
      """
    }

    /// Returns whether a name can be compared with stored bytes: it has no characters that JSON escapes, and is equal to no other name of
    /// ASCII characters. The sign of the unit Kelvin is canonically equivalent to an ordinary K, so Foundation takes either for the other.
    static func isKey(_ name: String) -> Bool {
      name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && !name.unicodeScalars.contains("\u{212A}")
    }

    /// Returns whether the first key is stored before the second one: Foundation sorts by the UTF-8 bytes.
    static func isBefore(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

    // MARK: - Enums

    /// Returns whether an enum of these cases has the conformance.
    static func isPossible(for cases: [ChangeCase]) -> Bool {
      cases.allSatisfy { one in ([one.wireName] + one.olderNames + one.values.map(\.wireName)).allSatisfy(isKey) }
    }

    /// The source of the two methods of an enum.
    static func members(of cases: [ChangeCase], access: String, areBroken: Bool) -> String {
      guard !areBroken else { return withoutBodies(access) }
      var reads = ["throw AlterCore.StoredFormError()"]
      var writes = ["switch self {}"]
      if !cases.isEmpty {
        let branches = cases.map { one in
          let names = ([one.wireName] + one.olderNames).map { "reader.isCase(\"\($0)\")" }.joined(separator: " || ")
          return "if \(names) {\n\(reading(one).joined(separator: "\n").indented)\n} else "
        }
        reads = ["try reader.beginCase()", branches.joined() + "{\n  throw AlterCore.StoredFormError()\n}", "try reader.endCase()"]
        writes = ["switch self {"] + cases.flatMap(writing) + ["}", "writer.endObject()"]
      }
      return """
        \(totality(access))
        \(describing(access, cases.sorted { isBefore($0.wireName, $1.wireName) }.flatMap(describing)))
        \(reading(access, reads, "Reads an object with one key, the name of the case, as it is stored."))
        \(writing(access, writes, "Writes an object with one key, the name of the case, as it is stored."))
        """
    }

    /// The values of a payload in the order in which they are stored, each with its position in the case.
    private static func parts(of one: ChangeCase) -> [(position: Int, value: ChangeCase.Value)] {
      one.values.enumerated().map { ($0.offset, $0.element) }.sorted { isBefore($0.1.wireName, $1.1.wireName) }
    }

    private static func reading(_ one: ChangeCase) -> [String] {
      switch one.values.count {
      case 0: return ["try reader.nothing()", "self = .\(one.name)"]
      case 1: return ["self = \(one.construction(["try reader.value(\(one.values[0].metatype))"]))"]
      default:
        let parts = parts(of: one)
        let reads = parts.map {
          "reader.\($0.value.type.hasSuffix("?") ? "optional" : "required")(\"\($0.value.wireName)\", in: &object)\($0.value.cast)"
        }
        // The types are not named: an extension can't name types of the function in which the enum is declared.
        var arguments = one.values.indices.map { index in "$\(parts.firstIndex { $0.position == index } ?? 0)" }
        var parameters = ""
        let checked = parts.compactMap(\.value.checked)
        if checked.count == parts.count {
          parameters = "(" + checked.enumerated().map { "part\($0): \($1)" }.joined(separator: ", ") + ") in "
          arguments = arguments.map { "part" + $0.dropFirst() }
        }
        return [
          "var object = try reader.beginObject()",
          "self = try AlterCore.StoredReader.value(of: \(reads.joined(separator: ", "))) { \(parameters)Self\(one.construction(arguments)) }",
          "try reader.endObject(&object)",
        ]
      }
    }

    private static func describing(_ one: ChangeCase) -> [String] {
      let names = ([one.wireName] + one.olderNames).map { "\"\($0)\"" }.joined(separator: ", ")
      return ["form.oneCase(\(names))"]
        + parts(of: one).map { position, value in
          let bindings = one.values.indices.map { $0 == position ? "let part" : "_" }.joined(separator: ", ")
          // The name of a single value is not stored.
          let name = one.values.count == 1 ? "" : value.wireName
          if let checked = value.checked, one.values.count > 1 {
            // The compiler reads a pattern with `_` of an invalid case as an expression, and reports it.
            let bindings = one.values.indices.map { "let part\($0)" }.joined(separator: ", ")
            let parts = one.values.indices.map { "part\($0)" }.joined(separator: ", ")
            return """
              form.part("\(name)") { (one: Self) -> \(checked) in
                guard case .\(one.name)(\(bindings)) = one else { Swift.fatalError() }
                return (\(parts)).\(position)
              }
              """
          }
          return """
            form.part("\(name)") { (one: Self) in
              guard case .\(one.name)(\(bindings)) = one else { Swift.fatalError() }
              return part
            }
            """
        }
    }

    private static func writing(_ one: ChangeCase) -> [String] {
      let head = ["case \(one.pattern(binding: one.values.indices.map { "part\($0)" })):", "  try writer.beginCase(\"\(one.wireName)\")"]
      switch one.values.count {
      case 0: return head + ["  writer.bool(true)"]
      case 1: return head + ["  try writer.value(part0\(one.values[0].cast))"]
      default:
        let writes = parts(of: one).flatMap { position, value in
          // The parts of a path are always written.
          one.isPath
            ? ["  writer.key(\"\(value.wireName)\")", "  try writer.value(part\(position)\(value.cast))"]
            : ["  try writer.field(part\(position)\(value.cast), \"\(value.wireName)\")"]
        }
        return head + ["  try writer.beginObject()"] + writes + ["  writer.endObject()"]
      }
    }
  }
#endif
