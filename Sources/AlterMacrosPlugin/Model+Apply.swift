#if Macros
  extension Model {
    /// The declaration of `Failure`; nil if the source declares it, or if no method throws.
    var failureType: String? {
      guard ownFailure == nil else { return nil }
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

    /// The method `apply`, or `applyGenerated` if the source has an `apply` of its own.
    var applyMethod: String {
      let (change, stamp) = (fresh("change"), fresh("stamp"))
      let isWrapped = ownApplyThrows != nil
      let name = isWrapped ? "applyGenerated" : "apply"
      let parameters = "_ \(argument("change", change)): Change, at \(argument("stamp", stamp)): AlterCore.Stamp"
      let failure = isBroken && !isWrapped ? ownFailure ?? "AlterCore.Refusal" : "AlterCore.Refusal"
      let throwing = refuses ? " throws(\(failure))" : ""
      let documentation =
        isWrapped
        ? "/// The `apply` that the macro generates for a model without its own."
        : "/// Makes the change\(refuses ? ", or refuses it and changes nothing" : "")."
      return """
        \(documentation)
        \(isWrapped ? "" : visibility)nonisolated mutating func \(name)(\(parameters))\(throwing) {
        \(body(change, stamp).indented)
        }
        """
    }

    /// The method that an `apply` with another signature, which is reported, may call.
    static func applyGenerated(throws: Bool) -> String {
      "nonisolated mutating func applyGenerated(_ change: Change, at stamp: AlterCore.Stamp)\(`throws` ? " throws(AlterCore.Refusal)" : "") {}"
    }

    private func argument(_ name: String, _ used: String) -> String { name == used ? name : used }

    private func body(_ change: String, _ stamp: String) -> String {
      guard !isBroken else { return "fatalError()" }
      var lines: [String] = []
      if let own = ownCases, !own.isEmpty {
        lines.append("switch \(change) {")
        for one in own {
          lines.append("case \(one.pattern):")
          // The compiler shows this line with its error if the method is missing.
          if !showsOwnApply {
            lines.append(
              "  // This needs your 'mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal)', here or in an extension.")
          }
          lines.append("  \(ownCasesRefuse ? "try " : "")self.apply(OwnChange\(one.construction(one.bindings)), at: \(stamp))")
          if !stamped.isEmpty { lines.append("  _restamp(at: \(stamp))") }
          lines.append("  return")
        }
        // Without other cases, a default would never be reached.
        guard own.count < cases.count else { return (lines + ["}"]).joined(separator: "\n") }
        lines += ["default: break", "}"]
      }
      var making = ["switch \(change) {"]
      for verb in Verb.allCases { making += collections(with: verb).map { verbLine(verb, $0, stamp) } }
      for property in properties { making += propertyLines(property, stamp) }
      for one in ownCases ?? [] { making.append("case .\(one.name): break") }
      making.append("}")
      making += stamping(stamp)
      return (lines + changing(making, refuses: refuses)).joined(separator: "\n")
    }

    private func stamping(_ stamp: String) -> [String] {
      stamped.map { "if let date = \(stamp).date { \(place($0)) = date }" }
    }

    /// The expression for a property inside the code that makes a change.
    private func place(_ property: Property) -> String {
      switch access {
      case .variables: "self.\(property.name)"
      case .fields: "fields.\(property.name)"
      case .parts: part(property, of: "fields")
      }
    }

    private func part(_ property: Property, of tuple: String) -> String {
      properties.count == 1 ? tuple : "\(tuple).\(property.name)"
    }

    /// Wraps statements so that they can modify the properties.
    private func changing(_ lines: [String], refuses: Bool) -> [String] {
      let (attempt, refusal) = refuses ? ("try ", " throws(AlterCore.Refusal)") : ("", "")
      let opening: [String]
      switch access {
      case .variables: return lines
      case .fields:
        opening = [
          "// A change is made where the value is, as if its constants were variables.",
          "\(attempt)AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields\(refusal) in",
        ]
      case .parts:
        let parts = properties.map { properties.count == 1 ? "$0.\($0.name)" : "\($0.label): $0.\($0.name)" }
        opening = [
          "// The fields move out and back in, so that storage that is not shared changes in place.",
          "\(attempt)AlterMacros._rebuild(",
          "  &self, from: { (\(parts.joined(separator: ", "))) }, to: { \(construction { part($0, of: "$0") }) }",
          ") { fields\(refusal) in",
        ]
      }
      return opening + lines.map(\.indented) + ["}"]
    }

    private func propertyLines(_ property: Property, _ stamp: String) -> [String] {
      let place = place(property)
      switch property.role {
      case .fixed, .stamped, .stampedOnce: return []
      case .nested:
        return propertyCases(of: property).map { "case .\($0.name)(let change): try \(place)._apply(part: change, at: \(stamp))" }
      case .each:
        return propertyCases(of: property).map { "case .\($0.name)(let id, let change): try \(place)._apply(change, to: id, at: \(stamp))" }
      case .plain(let forms):
        return ChangeForm.allCases.filter { forms[$0] != nil }.map { form in
          let statement =
            switch form {
            case .set: "\(place) = value"
            case .by: "try AlterMacros._add(value, to: &\(place), \(property.wireName.literal))"
            case .adding: "AlterMacros._insert(value, into: &\(place))"
            case .removing: "AlterMacros._remove(value, from: &\(place))"
            }
          return "case .\(ChangeCase(property.changeName + form.suffix).name)(let value): \(statement)"
        }
      }
    }

    private func verbLine(_ verb: Verb, _ collection: Collection, _ stamp: String) -> String {
      let place = place(collection.property)
      let one = ChangeCase(collection.singular).name
      // The macro cannot see the type behind a type parameter (`E`, `Shelf.Item`, an alias of them): the generated code examines it at run
      // time.
      let entering = seesTypeParameters ? "value._restamped(at: \(stamp))" : "value"
      let replacing = seesTypeParameters ? "value._restamped(at: \(stamp), replacing: \(place)[id: value.id])" : "value"
      switch verb {
      case .add: return "case .add(.\(one)(let value)): try \(place)._add(\(entering), at: \(stamp))"
      case .put: return "case .put(.\(one)(let value)): \(place)._put(\(replacing), at: \(stamp))"
      case .update: return "case .update(.\(one)(let value)): try \(place)._update(\(replacing), at: \(stamp))"
      case .remove: return "case .remove(.\(one)(let id)): try \(place).remove(id: id)"
      case .move: return "case .move(.\(one)(let id, let position)): try \(place).move(id, to: position)"
      case .replace: return "case .replace(.\(collection.property.name)(let value)): \(place) = value"
      }
    }

    /// The method that only sets the stamped properties; nil if there are none.
    var restampMethod: String? {
      guard !stamped.isEmpty || !stampedOnce.isEmpty else { return nil }
      let stamp = fresh("stamp")
      let lines = isBroken ? ["fatalError()"] : stamped.isEmpty ? [] : changing(stamping(stamp), refuses: false)
      return """
        /// Sets the stamped properties to the stamp's date; without a date they keep their values.
        \(visibility)nonisolated mutating func _restamp(at \(stamp): AlterCore.Stamp) {
        \(lines.joined(separator: "\n").indented)
        }
        """
    }

    /// The method that sets the properties with `@Stamped(.once)` too; nil if there are none.
    var enterMethod: String? {
      guard !stampedOnce.isEmpty else { return nil }
      let (old, stamp) = (fresh("old"), fresh("stamp"))
      let once = stampedOnce.map { property in
        let place = place(property)
        return """
          if let time = \(old)?.\(property.name) { \(place) = time }
          if \(old) == nil, \(place) == nil { \(place) = \(stamp).date }
          """
      }
      let lines = isBroken ? ["fatalError()"] : changing(once + stamping(stamp), refuses: false)
      return """
        /// Sets the stamped properties of a value that is added to a collection. Times that are set once come from the value that it replaces.
        \(visibility)nonisolated mutating func _enter(replacing \(old): Self?, at \(stamp): AlterCore.Stamp) {
        \(lines.joined(separator: "\n").indented)
        }
        """
    }
  }
#endif
