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
          verb.rawValue, [.init(payloadType(of: verb))], isIndirect: verb != .remove, documentation: [verb.documentation])
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
      case .plain(let forms):
        return ChangeForm.allCases.compactMap { form in
          guard let type = forms[form] else { return nil }
          let element = form == .adding || form == .removing
          return ChangeCase(
            property.changeName + form.suffix, olderNames: property.olderChangeNames.map { $0 + form.suffix },
            [.init(type, checked: property.checked.map { element ? "\($0).Element" : $0 })],
            documentation: form == .set
              ? documentation("Sets `\(property.wireName)`.") : ["/// \(form.documentation(of: property.wireName))"])
        }
      case .nested:
        return [
          ChangeCase(
            property.changeName, olderNames: property.olderChangeNames,
            [.init("\(property.type).Change", checked: property.alias("_nested_", "Change"))],
            isIndirect: true,
            documentation: documentation("Changes the `\(property.wireName)`."))
        ]
      case .each(let element, let singular, let older, _):
        return [
          ChangeCase(
            singular, olderNames: older,
            [
              .init("\(element).ID", wireName: "id", checked: property.alias("_each_", "ID")),
              .init("\(element).Change", wireName: "change", checked: property.alias("_each_", "Change")),
            ],
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

      \(WireCoding.members(of: cases, changing: name, access: visibility, areBroken: isBroken).indented)\((relativeChanges + payloadTypes + unlistedVerbs + nounFirstMembers).map { "\n\n\($0.indented)" }.joined())
      }
      """
    }

    /// The changes that depend on a value, as they are written: `.salary(by: 500)`. For a number without such a change, a function says how to have
    /// it: the compiler would suggest `.salary(500)`.
    private var relativeChanges: [String] {
      // Two properties with one name for their changes are reported.
      var names: Set<String> = []
      let functions = properties.flatMap { property -> [String] in
        guard case .plain(let forms) = property.role, names.insert(property.changeName).inserted else { return [] }
        let name = ChangeCase(property.changeName).name
        let made = ChangeForm.allCases.filter { $0 != .set }.compactMap { form in
          forms[form].map { type in
            let body = isBroken ? "Swift.fatalError()" : ".\(ChangeCase(property.changeName + form.suffix).name)(value)"
            return """
              /// \(form.documentation(of: property.wireName))
              \(visibility)nonisolated static func \(name)(\(form) value: \(type)) -> Change { \(body) }
              """
          }
        }
        guard property.isNumber, forms[.by] == nil else { return made }
        return made + [
          """
          @available(*, unavailable, message: "write @Changes before '\(property.wireName)'")
          \(visibility)nonisolated static func \(name)(by _: \(property.type)) -> Change { Swift.fatalError() }
          """
        ]
      }
      return functions.isEmpty ? [] : [functions.joined(separator: "\n")]
    }

    /// The verbs that no collection lists, unless they are the name of another change.
    private var unlisted: [Verb] {
      let names = Set(cases.map { $0.name.unquoted })
      return each.isEmpty ? [] : Verb.allCases.filter { collections(with: $0).isEmpty && !names.contains($0.rawValue) }
    }

    /// The name of the type of their payloads.
    private static let unlistedType = "_Unlisted"

    /// Functions that stand for the verbs that no collection lists: the compiler shows their message where one is used.
    private var unlistedVerbs: [String] {
      guard !unlisted.isEmpty else { return [] }
      let verbs = unlisted.map { verb in
        """
        @available(*, unavailable, message: "\(verb.message(for: each))")
        \(visibility)nonisolated static func \(verb.rawValue)(_: \(Self.unlistedType)) -> Change { Swift.fatalError() }
        """
      }
      var declared: Set<String> = []
      let payloads = unlisted.map(\.payload).flatMap { payload in
        each.map { one in
          let name = ChangeCase(payload == .collection ? one.property.name : one.singular).name
          return
            "\(visibility)nonisolated static func \(name)(\(payload.parameters(of: one))) -> \(Self.unlistedType) { Swift.fatalError() }"
        }
      }.filter { declared.insert($0).inserted }
      return [
        verbs.joined(separator: "\n"),
        "/// The payloads of verbs that no collection lists.\n\(visibility)nonisolated enum \(Self.unlistedType) {\n\(payloads.joined(separator: "\n").indented)\n}",
      ]
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
        case .element: payloadCase(of: one, [.init(one.element, checked: one.property.alias("_each_", "Element"))])
        case .id: payloadCase(of: one, [.init("\(one.element).ID", checked: one.property.alias("_each_", "ID"))])
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
      let others = each.filter { one in !collections.contains { $0.singular == one.singular } && verb.payload != .collection }
      let unlisted = others.map { one in
        """

          @available(*, unavailable, message: "\(verb.message(for: [one]))")
          \(visibility)nonisolated static func \(ChangeCase(one.singular).name)(\(verb.payload.parameters(of: one))) -> \(type) { Swift.fatalError() }
        """
      }
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
        \(byValue.isEmpty ? "" : byValue.dropFirst() + "\n")\(unlisted.joined().dropFirst())\(unlisted.isEmpty ? "" : "\n")
        \(WireCoding.members(of: cases, access: visibility, areBroken: isBroken).indented)
        }
        """
    }

    private func declarations(of cases: [ChangeCase]) -> String { cases.distinct.map(\.declaration).joined(separator: "\n") }

    private func payloadCase(of one: Collection, _ values: [ChangeCase.Value]) -> ChangeCase {
      ChangeCase(one.singular, olderNames: one.olderSingulars, values, documentation: ["/// One of the `\(one.property.wireName)`."])
    }
  }

  extension Verb.Payload {
    /// The parameters of a function that stands for a payload.
    func parameters(of collection: Model.Collection) -> String {
      switch self {
      case .element: "_: \(collection.element)"
      case .id: "_: \(collection.element).ID"
      case .place: "_: \(collection.element).ID, to: Swift.Int"
      case .collection: "_: \(collection.property.type)"
      }
    }
  }

  extension Verb {
    /// The message where the verb is used although its collection, one of these, does not list it.
    func message(for collections: [Model.Collection]) -> String {
      guard collections.count == 1, let one = collections.first else { return "list .\(self) in the @Each of its collection" }
      let listed = Verb.allCases.filter { one.verbs.contains($0) || $0 == self }.map { ".\($0)" }.joined(separator: ", ")
      return "list .\(self) in the @Each of '\(one.property.wireName)': \(listed)"
    }
  }

  extension ChangeCase.Value {
    fileprivate init(_ type: String, label: String? = nil, wireName: String = "value", checked: String? = nil) {
      self.init(label: label, type: type, wireName: wireName, defaultValue: nil, checked: checked)
    }
  }
#endif
