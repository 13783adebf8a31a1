#if Macros
  extension Model {
    /// The cases of `Change`: verbs, then properties, then the cases of `OwnChange`.
    var cases: [ChangeCase] { verbCases + properties.flatMap(propertyCases) + (ownCases ?? []) }

    /// The changes of the `@Each` collections: add, update, remove, move and replace.
    var verbCases: [ChangeCase] {
      guard !each.isEmpty else { return [] }
      // The cases with elements are indirect, so that a change stays small and can be copied in registers.
      return [
        ChangeCase(
          "add", [.init("ElementValue")], isIndirect: true,
          documentation: ["/// Adds an element: in place if its id exists already, at the end otherwise."]),
        ChangeCase(
          "update", [.init("ElementValue")], isIndirect: true,
          documentation: ["/// Replaces an existing element. Refused if it does not exist."]
        ),
        ChangeCase("remove", [.init("ElementID")], documentation: ["/// Removes an element. Refused if it does not exist."]),
        ChangeCase(
          "move", [.init("ElementPlace")], isIndirect: true,
          documentation: ["/// Moves an element to another position. Refused if it does not exist."]),
        ChangeCase(
          "replace", [.init("CollectionValue")], isIndirect: true,
          documentation: ["/// Replaces all elements of a collection. Stamped properties keep their values."]),
      ]
    }

    /// The cases for changes of one property.
    func propertyCases(of property: Property) -> [ChangeCase] {
      func documentation(_ ifNone: String) -> [String] { property.documentation.isEmpty ? ["/// \(ifNone)"] : property.documentation }
      switch property.role {
      case .fixed, .stamped: return []
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
      case .each(let element, let singular, let older):
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
      \(visibility)enum Change: \(changeProtocols) {
      \(cases.map(\.declaration).joined(separator: "\n").indented)

      \(WireCoding.members(of: cases, access: visibility).indented)\(verbEnums)
      }
      """
    }

    /// The payload types of the verbs. Each is an enum with one case per collection.
    private var verbEnums: String {
      guard !each.isEmpty else { return "" }
      func type(_ name: String, _ documentation: String, _ cases: [ChangeCase]) -> String {
        """


        /// \(documentation)
        \(visibility)enum \(name): \(changeProtocols) {
        \(cases.map(\.declaration).joined(separator: "\n").indented)

        \(WireCoding.members(of: cases, access: visibility).indented)
        }
        """.indented
      }
      func cases(_ values: (String) -> [ChangeCase.Value]) -> [ChangeCase] {
        each.map {
          ChangeCase(
            $0.singular, olderNames: $0.olderSingulars, values($0.element), documentation: ["/// One of the `\($0.property.wireName)`."])
        }
      }
      let collections = each.map {
        ChangeCase(
          $0.property.name, olderNames: $0.property.olderNames, [.init($0.property.type)],
          documentation: ["/// The `\($0.property.wireName)`."])
      }
      return type("ElementValue", "An element of one of the collections.", cases { [.init($0)] })
        + type("ElementID", "The id of an element of one of the collections.", cases { [.init("\($0).ID")] })
        + type(
          "ElementPlace", "An element of one of the collections, and its new position; a position beyond the end means the end.",
          cases { [.init("\($0).ID", wireName: "id"), .init("Int", label: "to", wireName: "to")] })
        + type("CollectionValue", "All elements of one of the collections.", collections)
    }
  }

  extension ChangeCase.Value {
    fileprivate init(_ type: String, label: String? = nil, wireName: String = "value") {
      self.init(label: label, type: type, wireName: wireName, defaultValue: nil)
    }
  }
#endif
