#if Macros
  extension Model {
    /// A name that stands in front of verbs, with the verbs of each collection.
    private struct Noun {
      let name: String
      var verbs: [(verb: Verb, collection: Collection)] = []
    }

    /// The nouns of all collections. A collection and its elements can share one: `sheep`.
    private var nouns: [Noun] {
      var nouns: [Noun] = []
      for collection in each {
        for verb in Verb.allCases where collection.verbs.contains(verb) {
          let name = verb == .replace ? collection.property.name : ChangeCase(collection.singular).name
          let index = nouns.firstIndex { $0.name == name } ?? nouns.endIndex
          if index == nouns.endIndex { nouns.append(Noun(name: name)) }
          // Two collections with one noun are reported; the code has each function once.
          if !nouns[index].verbs.contains(where: { $0.verb == verb }) { nouns[index].verbs.append((verb, collection)) }
        }
      }
      return nouns
    }

    /// The members of `Change` for changes that are written noun first: `.item(.add(x))`. Each makes the case that is written verb first.
    var nounFirstMembers: [String] {
      guard isNounFirst else { return [] }
      // The types of payloads are looked up in `Change`: no type may hide them, nor another noun's type.
      var taken = usedTypeNames.union(verbCases.flatMap(\.values).map(\.type))
      return nouns.flatMap { noun in
        var type = noun.name.unquoted.prefix(1).uppercased() + noun.name.unquoted.dropFirst() + "Verb"
        while !taken.insert(type).inserted { type = "_" + type }
        return members(noun, type.quotedIfNecessary)
      }
    }

    private func members(_ noun: Noun, _ type: String) -> [String] {
      let functions = noun.verbs.flatMap { verb, collection in
        let documentation = verb.documentation
        func function(_ parameters: String, _ payload: String) -> String {
          let body = isBroken ? "fatalError()" : "\(type)(change: .\(verb.rawValue)(.\(noun.name)(\(payload))))"
          return """
            \(documentation)
            \(visibility)nonisolated static func \(verb.rawValue)(\(parameters)) -> \(type) { \(body) }
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
      let collection = noun.verbs[0].collection
      let isElement = noun.name == ChangeCase(collection.singular).name
      let unlisted = Verb.allCases.filter { verb in isElement && verb != .replace && !collection.verbs.contains(verb) }.map { verb in
        """
        @available(*, unavailable, message: "\(verb.message(for: [collection]))")
        \(visibility)nonisolated static func \(verb.rawValue)(\(verb.payload.parameters(of: collection))) -> \(type) { Swift.fatalError() }
        """
      }
      return [
        """
        /// A change of the `\(noun.verbs[0].collection.property.wireName)`, written noun first.
        \(visibility)nonisolated static func \(noun.name)(_ verb: \(type)) -> Change { verb.change }
        """,
        """
        /// The change that a verb makes of a noun.
        \(visibility)nonisolated struct \(type): Sendable {
          fileprivate let change: Change

        \((functions + unlisted).joined(separator: "\n").indented)
        }
        """,
      ]
    }
  }
#endif
