#if Macros
  extension Model {
    /// What it refuses with, if anything is known about that.
    var failureType: String? {
      guard !declaresFailure else { return nil }
      let failure = refuses ? "AlterCore.Refusal" : nil
      guard let ownApplyThrows else { return failure.map(declaration) }
      return ownApplyThrows.isEmpty ? nil : declaration(ownApplyThrows)
    }

    private func declaration(_ failure: String) -> String {
      """
      /// Why a change is refused.
      \(visibility)typealias Failure = \(failure)
      """
    }

    /// The method that makes a change.
    var applyMethod: String {
      let (change, stamp) = (fresh("change"), fresh("stamp"))
      let isWrapped = ownApplyThrows != nil
      let name = isWrapped ? "applyGenerated" : "apply"
      let parameters = "_ \(argument("change", change)): Change, at \(argument("stamp", stamp)): AlterCore.Stamp"
      let documentation =
        isWrapped
        ? "/// What `apply` would be if the model had none of its own."
        : "/// Makes the change\(refuses ? ", or refuses it and changes nothing" : "")."
      return """
        \(documentation)
        \(isWrapped ? "" : visibility)mutating func \(name)(\(parameters))\(refuses ? " throws(AlterCore.Refusal)" : "") {
        \(body(change, stamp).indented)
        }
        """
    }

    private func argument(_ name: String, _ used: String) -> String { name == used ? name : used }

    private func body(_ change: String, _ stamp: String) -> String {
      var lines: [String] = []
      if let own = ownCases, !own.isEmpty {
        lines.append("switch \(change) {")
        for one in own {
          lines.append("case \(one.pattern):")
          lines.append("  \(ownCasesRefuse ? "try " : "")self.apply(OwnChange\(one.construction(one.bindings)), at: \(stamp))")
          if !stamped.isEmpty { lines.append("  restamp(at: \(stamp))") }
          lines.append("  return")
        }
        lines += ["default: break", "}"]
      }
      lines += opening
      var making = ["switch \(change) {"]
      for verb in verbCases {
        for (property, element, singular, _) in each {
          making.append(verbLine(verb.name, property, element, singular, stamp))
        }
      }
      for property in properties { making += propertyLines(property, stamp) }
      for one in ownCases ?? [] { making.append("case .\(one.name): break") }
      making.append("}")
      for property in stamped {
        making.append("\(place(property)) = \(stamp).date ?? \(place(property))")
      }
      guard access == .takenApart else { return (lines + making).joined(separator: "\n") }
      return (lines + making.map(\.indented) + ["}"]).joined(separator: "\n")
    }

    /// Where a property is while a change is made.
    private func place(_ property: Property) -> String {
      switch access {
      case .variables: "self.\(property.name)"
      case .rebuilt, .consumed: property.name
      case .takenApart: part(property, of: "fields")
      }
    }

    private func part(_ property: Property, of tuple: String) -> String {
      properties.count == 1 ? tuple : "\(tuple).\(property.name)"
    }

    /// The lines that make the properties accessible.
    private var opening: [String] {
      let variables = properties.map { "\($0.isAlterable ? "var" : "let") \($0.name) = self.\($0.name)" }
      let closing = "defer { self = \(construction { $0.name }) }"
      switch access {
      case .variables: return []
      case .rebuilt: return variables + [closing]
      case .consumed:
        return ["// The fields move out and back in, so that what nobody else holds changes in place."] + variables
          + ["_ = consume self", closing]
      case .takenApart:
        let parts = properties.map { properties.count == 1 ? "$0.\($0.name)" : "\($0.wireName): $0.\($0.name)" }
        return [
          "// The fields move out and back in, so that what nobody else holds changes in place.",
          "try AlterMacros.rebuild(",
          "  &self, from: { (\(parts.joined(separator: ", "))) }, to: { \(construction { part($0, of: "$0") }) }",
          ") { fields throws(AlterCore.Refusal) in",
        ]
      }
    }

    private func propertyLines(_ property: Property, _ stamp: String) -> [String] {
      let place = place(property)
      // A variable's own name must not hide it.
      let hides = place.unquoted
      func name(_ name: String) -> String { name == hides ? "_\(name)" : name }
      return propertyCases(of: property).map { one in
        switch property.role {
        case .nested:
          return "case .\(one.name)(let \(name("change"))): try \(place).apply(part: \(name("change")), at: \(stamp))"
        case .each:
          let (id, change) = (name("id"), name("change"))
          return "case .\(one.name)(let \(id), let \(change)): try \(place).apply(\(change), to: \(id), at: \(stamp))"
        default: return "case .\(one.name)(let \(name("value"))): \(place) = \(name("value"))"
        }
      }
    }

    private func verbLine(_ verb: String, _ property: Property, _ element: String, _ singular: String, _ stamp: String) -> String {
      let place = place(property)
      let hides = place.unquoted
      func name(_ name: String) -> String { name == hides ? "_\(name)" : name }
      let (value, id, position) = (name("value"), name("id"), name("position"))
      let one = ChangeCase(singular).name
      // What a type parameter stands for isn't known here.
      let entering = genericParameters.contains(element) ? "\(value).restamped(at: \(stamp))" : value
      switch verb {
      case "add": return "case .add(.\(one)(let \(value))): \(place).add(\(entering), at: \(stamp))"
      case "update": return "case .update(.\(one)(let \(value))): try \(place).update(\(entering), at: \(stamp))"
      case "remove": return "case .remove(.\(one)(let \(id))): try \(place).remove(id: \(id))"
      case "move": return "case .move(.\(one)(let \(id), let \(position))): try \(place).move(\(id), to: \(position))"
      default: return "case .replace(.\(property.name)(let \(value))): \(place) = \(value)"
      }
    }

    /// The method that sets the stamped properties alone.
    var restampMethod: String? {
      guard !stamped.isEmpty else { return nil }
      let stamp = fresh("stamp")
      let body =
        access != .variables
        ? "self = "
          + construction { property in
            if case .stamped = property.role { "\(stamp).date ?? self.\(property.name)" } else { "self.\(property.name)" }
          }
        : stamped.map { "self.\($0.name) = \(stamp).date ?? self.\($0.name)" }.joined(separator: "\n")
      return """
        /// Sets the stamped properties; no stamp leaves them.
        \(visibility)mutating func restamp(at \(stamp): AlterCore.Stamp) {
        \(body.indented)
        }
        """
    }
  }
#endif
