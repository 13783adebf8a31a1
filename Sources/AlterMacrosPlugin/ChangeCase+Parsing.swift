#if Macros
  import SwiftSyntax

  extension ChangeCase {
    /// Reads the cases of an enum in the source.
    ///
    /// - Parameter isChecked: Whether the compiler checks through type aliases that the payloads can be stored.
    static func all(of declaration: EnumDeclSyntax, isChecked: Bool = false, _ problems: inout Problems) -> [ChangeCase] {
      var cases: [ChangeCase] = []
      for member in declaration.memberBlock.members {
        problems.checkCondition(member.decl)
        guard let line = member.decl.as(EnumCaseDeclSyntax.self) else { continue }
        let older = problems.olderNames(in: line.attributes)
        for element in line.elements {
          problems.checkName(element.name.text, at: element)
          cases.append(
            ChangeCase(
              element.name.text, olderNames: older, values(of: element, isChecked: isChecked, &problems),
              isIndirect: line.modifiers.contains { $0.name.text == "indirect" }, documentation: line.documentation))
        }
        if line.elements.count > 1, !older.isEmpty {
          problems.report("@Renamed applies to one case: declare each case on its own line.", at: line)
        }
      }
      return cases
    }

    private static func values(of element: EnumCaseElementSyntax, isChecked: Bool, _ problems: inout Problems) -> [Value] {
      guard let parameters = element.parameterClause.map({ Array($0.parameters) }), !parameters.isEmpty else { return [] }
      for parameter in parameters {
        problems.checkOptionals(in: parameter.type, of: element.name.text.unquoted)
        problems.checkStored(parameter.type, of: element.name.text.unquoted)
      }
      let labels = parameters.map { $0.firstName.flatMap { $0.text == "_" ? nil : $0.text } }
      var wireNames = labels.map { $0?.unquoted }
      if parameters.count == 1 {
        wireNames = ["value"]
      } else if parameters.count == 2, labels == [nil, nil], parameters[1].type.trimmedDescription.isChangeType {
        // A path: the id of an element, and a change of that element.
        wireNames = ["id", "change"]
      } else if labels == [nil, "to"] {
        // A move: the id of an element, and its new position.
        wireNames[0] = "id"
      }
      for (parameter, name) in zip(parameters, wireNames) where name == nil {
        problems.report(
          """
          '\(element.name.text)' has several values, and one has no label: the stored form needs a name for each of them. \
          Write '\(element.name.text)(name: \(parameter.type.trimmedDescription))'.
          """, at: parameter)
      }
      return zip(parameters, zip(labels, wireNames)).map { parameter, names in
        let alias = "_\(element.name.text.unquoted)_\(names.1 ?? "")".quotedIfNecessary
        return Value(
          label: names.0, type: parameter.type.trimmedDescription, wireName: names.1 ?? "",
          defaultValue: parameter.defaultValue?.value.trimmedDescription,
          checked: isChecked && !parameter.type.isKnown ? "_Stored.\(alias)" : nil)
      }
    }

    /// Reports each name that two cases share, in the source or in stored data.
    static func checkNames(of cases: [(ChangeCase, node: Syntax)], in owner: String, _ problems: inout Problems) {
      var names: Set<String> = []
      var owners: [String: String] = [:]
      for (one, node) in cases {
        let own = one.name.unquoted
        guard names.insert(own).inserted else {
          problems.report("'\(own)' would be the name of two changes of \(owner). Rename one of them.", at: node)
          continue
        }
        for name in [one.wireName] + one.olderNames {
          if let other = owners[name] {
            problems.report(
              """
              '\(name)' would be the stored name of two changes of \(owner): of '\(other)' and of '\(own)'. \
              Rename one of them.
              """, at: node)
          } else {
            owners[name] = own
          }
        }
      }
    }
  }

  extension String {
    /// Whether the text names a `Change` type, like `TodoItem.Change`.
    fileprivate var isChangeType: Bool { self == "Change" || hasSuffix(".Change") }
  }
#endif
