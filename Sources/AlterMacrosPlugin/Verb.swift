#if Macros
  import SwiftSyntax

  /// A change that `@Each` generates for a collection, in the order of the cases in `Change`.
  enum Verb: String, CaseIterable {
    case add, put, update, remove, move, replace

    /// The verbs of `@Each` without a list: those that can't go around the elements' own `Change`.
    static let standard: Set<Verb> = [.add, .remove]

    var documentation: String {
      switch self {
      case .add: "/// Adds an element at the end. Refused if its id exists already."
      case .put: "/// Replaces the element with the id in place, or appends it. Never refused."
      case .update: "/// Replaces an existing element. Refused if it does not exist."
      case .remove: "/// Removes an element. Refused if it does not exist."
      case .move: "/// Moves an element to another position. Refused if it does not exist."
      case .replace: "/// Replaces all elements of a collection. Stamped properties keep their values."
      }
    }

    /// The payload of a verb.
    enum Payload { case element, id, place, collection }

    var payload: Payload {
      switch self {
      case .add, .put, .update: .element
      case .remove: .id
      case .move: .place
      case .replace: .collection
      }
    }

    /// The verbs that an `@Each` attribute lists; the standard ones if it lists none.
    ///
    /// An argument that is no verb by its own name is reported: the macro sees no values, so a constant would be left out.
    static func listed(in attribute: AttributeSyntax, _ problems: inout Problems) -> Set<Verb> {
      var verbs: Set<Verb> = []
      for (index, argument) in attribute.labelled.enumerated() {
        if index == 0, argument.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue != nil { continue }
        if let verb = argument.value.as(MemberAccessExprSyntax.self).flatMap({ Verb(rawValue: $0.declName.baseName.text) }) {
          verbs.insert(verb)
        } else {
          problems.report(
            "@Each can't read '\(argument.value.trimmedDescription)': write \(allCases.map { ".\($0)" }.joined(separator: ", ")), or a plain string.",
            at: argument.value)
        }
      }
      return verbs.isEmpty ? standard : verbs
    }
  }
#endif
