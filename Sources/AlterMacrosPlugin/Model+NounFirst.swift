#if Macros
  extension Model {
    /// The members of `Change` for changes that are written noun first: `.item(.add(x))`. Each makes the case that is written verb first.
    var nounFirstMembers: [String] {
      guard isNounFirst else { return [] }
      return each.flatMap { collection in
        let name = collection.property.name
        let ofOne = Verb.allCases.filter { $0 != .replace && collection.verbs.contains($0) }
        return (ofOne.isEmpty ? [] : members(collection, ChangeCase(collection.singular).name, ofOne))
          + (collection.verbs.contains(.replace) ? members(collection, name, [.replace]) : [])
      }
    }

    private func members(_ collection: Collection, _ noun: String, _ verbs: [Verb]) -> [String] {
      let type = noun.unquoted.prefix(1).uppercased() + noun.unquoted.dropFirst() + "Verb"
      let functions = verbs.flatMap { verb in
        let documentation = verb.documentation
        func function(_ parameters: String, _ payload: String) -> String {
          """
          \(documentation)
          \(visibility)nonisolated static func \(verb.rawValue)(\(parameters)) -> \(type) { \(type)(change: .\(verb.rawValue)(.\(noun)(\(payload)))) }
          """
        }
        switch verb {
        case .add, .put, .update: return [function("_ value: \(collection.element)", "value")]
        case .remove:
          // The attribute and the last parameter distinguish the functions if a value is its own id.
          return [
            function("_ id: \(collection.element).ID", "id"),
            "@_disfavoredOverload\n" + function("_ value: \(collection.element), _: Void = ()", "value.id"),
          ]
        case .move: return [function("_ id: \(collection.element).ID, to position: Int", "id, to: position")]
        case .replace: return [function("_ value: \(collection.property.type)", "value")]
        }
      }
      return [
        """
        /// A change of the `\(collection.property.wireName)`, written noun first.
        \(visibility)nonisolated static func \(noun)(_ verb: \(type)) -> Change { verb.change }
        """,
        """
        /// The change that a verb makes of a noun.
        \(visibility)nonisolated struct \(type): Sendable {
          fileprivate let change: Change

        \(functions.joined(separator: "\n").indented)
        }
        """,
      ]
    }
  }
#endif
