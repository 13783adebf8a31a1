#if Macros
  extension Model {
    /// The cases of `Change`: verbs, then properties, then the cases of `OwnChange`.
    var cases: [ChangeCase] { verbCases + properties.flatMap(propertyCases) + (ownCases ?? []) }

    /// The verbs that at least one collection has.
    private var verbs: [Verb] { Verb.allCases.filter { !collections(with: $0).isEmpty } }

    /// The changes of the `@Each` collections that their attributes list.
    var verbCases: [ChangeCase] {
      // The cases with elements are indirect, so that a change stays small and can be copied in registers.
      verbs.map { verb in
        ChangeCase(
          verb.rawValue, storedAs: verb.wireName, [.init(payloadType(of: verb))], isIndirect: verb != .remove,
          documentation: [verb.documentation])
      }
    }

    /// The names of types in the source that are looked up in `Change`: a generated type of such a name would hide the one that is meant.
    var usedTypeNames: Set<String> {
      let types = properties.map(\.type) + each.map(\.element) + (ownCases ?? []).flatMap { $0.values.map(\.type) }
      return Set(types.flatMap(\.outermostNames))
    }

    /// The name of the payload type of a verb. Verbs with the same payload for the same collections share one type.
    private func payloadType(of verb: Verb) -> String {
      var name = usualPayloadType(of: verb)
      let used = usedTypeNames
      while used.contains(name) { name = "_" + name }
      return name
    }

    private func usualPayloadType(of verb: Verb) -> String {
      switch verb.payload {
      case .id: return "ElementID"
      case .place: return "ElementPlace"
      case .collection: return "CollectionValue"
      case .element:
        let names = collections(with: verb).map(\.singular)
        let first = verbs.first { $0.payload == .element && collections(with: $0).map(\.singular) == names } ?? verb
        guard first != verbs.first(where: { $0.payload == .element }) else { return "ElementValue" }
        return first.rawValue.prefix(1).uppercased() + first.rawValue.dropFirst() + "Value"
      }
    }

    /// The cases for changes of one property.
    func propertyCases(of property: Property) -> [ChangeCase] {
      func documentation(_ ifNone: String) -> [String] { property.documentation.isEmpty ? ["/// \(ifNone)"] : property.documentation }
      switch property.role {
      case .fixed, .stamped, .stampedOnce: return []
      case .plain:
        return [
          ChangeCase(
            property.name, olderNames: property.olderNames, [.init(property.type)],
            documentation: documentation("Sets `\(property.wireName)`."))
        ]
      case .nested:
        return [
          ChangeCase(
            property.name, olderNames: property.olderNames, [.init("\(property.type).Change")], isIndirect: true,
            documentation: documentation("Changes the `\(property.wireName)`."))
        ]
      case .each(let element, let singular, let older, _):
        return [
          ChangeCase(
            singular, olderNames: older, [.init("\(element).ID", wireName: "id"), .init("\(element).Change", wireName: "change")],
            isIndirect: true, documentation: ["/// Changes one of the `\(property.wireName)`."])
        ]
      }
    }

    /// The declaration of the enum `Change`.
    var changeEnum: String {
      """
      /// The changes of `\(name)`.
      \(visibility)nonisolated enum Change: \(changeProtocols)\(StoredCoding.isPossible(for: cases) ? StoredCoding.conformance : "") {
      \(declarations(of: cases).indented)

      \(WireCoding.members(of: cases, changing: name, access: visibility, areBroken: isBroken).indented)\((payloadTypes + nounFirstMembers).map { "\n\n\($0.indented)" }.joined())
      }
      """
    }

    /// The payload types of the verbs. Each is an enum with one case per collection.
    private var payloadTypes: [String] {
      var declared: Set<String> = []
      return verbs.compactMap { verb in
        let type = payloadType(of: verb)
        guard declared.insert(type).inserted else { return nil }
        return payloadType(type, of: verb)
      }
    }

    private func payloadType(_ type: String, of verb: Verb) -> String {
      let collections = collections(with: verb)
      let cases = collections.map { one in
        switch verb.payload {
        case .element: payloadCase(of: one, [.init(one.element)])
        case .id: payloadCase(of: one, [.init("\(one.element).ID")])
        case .place: payloadCase(of: one, [.init("\(one.element).ID", wireName: "id"), .init("Int", label: "to", wireName: "to")])
        case .collection:
          ChangeCase(
            one.property.name, olderNames: one.property.olderNames, [.init(one.property.type)],
            documentation: ["/// The `\(one.property.wireName)`."])
        }
      }
      let documentation =
        switch verb.payload {
        case .element: "An element of one of the collections."
        case .id: "The id of an element of one of the collections."
        case .place: "An element of one of the collections, and its new position; a position beyond the end means the end."
        case .collection: "All elements of one of the collections."
        }
      // The attribute and the last parameter distinguish the function from the case if a value is its own id. A name of two cases is reported.
      var names: Set<String> = []
      let byValue =
        verb.payload != .id
        ? ""
        : zip(cases, collections).filter { names.insert($0.0.name).inserted }.map { one, collection in
          """

            /// One of the `\(collection.property.wireName)`, by any version of its value.
            @_disfavoredOverload
            \(visibility)nonisolated static func \(one.name)(_ value: \(collection.element), _: Void = ()) -> \(type) { .\(one.name)(value.id) }
          """
        }.joined(separator: "\n")
      return """
        /// \(documentation)
        \(visibility)nonisolated enum \(type): \(changeProtocols)\(StoredCoding.isPossible(for: cases) ? StoredCoding.conformance : "") {
        \(declarations(of: cases).indented)
        \(byValue.isEmpty ? "" : byValue.dropFirst() + "\n")
        \(WireCoding.members(of: cases, access: visibility, areBroken: isBroken).indented)
        }
        """
    }

    private func declarations(of cases: [ChangeCase]) -> String { cases.distinct.map(\.declaration).joined(separator: "\n") }

    private func payloadCase(of one: Collection, _ values: [ChangeCase.Value]) -> ChangeCase {
      ChangeCase(one.singular, olderNames: one.olderSingulars, values, documentation: ["/// One of the `\(one.property.wireName)`."])
    }
  }

  extension ChangeCase.Value {
    fileprivate init(_ type: String, label: String? = nil, wireName: String = "value") {
      self.init(label: label, type: type, wireName: wireName, defaultValue: nil)
    }
  }
#endif
