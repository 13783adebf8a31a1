#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// Generates the two methods that give an enum its compact stored form.
  enum WireCoding {
    /// The source of `init(from:)` and `encode(to:)`, and of their short cut.
    ///
    /// - Parameters:
    ///   - model: The model whose `Change` the enum is; nil for another enum.
    ///   - hasStoredForm: Whether to generate the short cut.
    ///   - areBroken: Whether a problem was reported, so that the code will not be built.
    static func members(
      of cases: [ChangeCase], changing model: String? = nil, access: String, hasStoredForm: Bool = true, areBroken: Bool = false
    ) -> String {
      let stored =
        hasStoredForm && StoredCoding.isPossible(for: cases)
        ? "\n" + StoredCoding.members(of: cases, access: access, areBroken: areBroken) : ""
      guard !areBroken else {
        return """
          \(access)init(from decoder: any Decoder) throws { fatalError() }
          \(access)func encode(to encoder: any Encoder) throws { fatalError() }\(stored)
          """
      }
      return """
        /// Reads an object with one key, the name of the case.
        \(access)init(from decoder: any Decoder) throws {
          let wire = try AlterJournal.WireCase(of: Self.self,\(model.map { " changing: \($0).self," } ?? "") from: decoder)
          switch wire.name {
        \(cases.map(reading).joined(separator: "\n").indented)
          default: throw wire.unknown
          }
        }
        /// Writes an object with one key, the name of the case.
        \(access)func encode(to encoder: any Encoder) throws {
          switch self {
        \(cases.map(writing).joined(separator: "\n").indented)
          }
        }\(stored)
        """
    }

    private static func reading(_ one: ChangeCase) -> String {
      let names = ([one.wireName] + one.olderNames).map(\.literal).joined(separator: ", ")
      switch one.values.count {
      case 0:
        return """
          case \(names):
            try wire.nothing()
            self = .\(one.name)
          """
      case 1: return "case \(names): self = \(one.construction(["try wire.value()\(one.values[0].cast)"]))"
      case 2 where one.isPath:
        guard let id = one.values[0].checked, let change = one.values[1].checked else {
          return "case \(names): self = try wire.path(Self.\(one.name))"
        }
        return "case \(names): self = try wire.path { (id: \(id), change: \(change)) in Self.\(one.name)(id, change) }"
      default:
        return """
          case \(names):
            let fields = try wire.fields()
            self = \(one.construction(one.values.map { "try fields.value(\($0.wireName.literal))\($0.cast)" }))
          """
      }
    }

    private static func writing(_ one: ChangeCase) -> String {
      switch one.values.count {
      case 0: return "case .\(one.name): try AlterJournal.WireCase.encode(\(one.wireName.literal), to: encoder)"
      case 1:
        return "case \(one.pattern): try AlterJournal.WireCase.encode(\(one.wireName.literal), value\(one.values[0].cast), to: encoder)"
      case 2 where one.isPath:
        let (id, change) = (one.values[0].cast, one.values[1].cast)
        return
          "case \(one.pattern): try AlterJournal.WireCase.encode(\(one.wireName.literal), id: id\(id), change: change\(change), to: encoder)"
      default:
        let writes = zip(one.bindings, one.values).map { "try fields.write(\($0)\($1.cast), \($1.wireName.literal))" }
        return """
          case \(one.pattern):
            try AlterJournal.WireCase.encode(\(one.wireName.literal), to: encoder) { fields in
          \(writes.joined(separator: "\n").indented.indented)
            }
          """
      }
    }
  }

  extension String {
    /// The text as a literal of Swift.
    var literal: String { StringLiteralExprSyntax(content: self).description }

    /// The text with every non-empty line indented by two more spaces.
    var indented: String {
      split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    }
  }
#endif
