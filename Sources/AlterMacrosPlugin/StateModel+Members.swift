#if Macros
  extension StateModel {
    private var access: String { "\(visibility)nonisolated " }

    /// The generated members, in their order.
    var members: [String] {
      [
        declaresChange ? nil : changeEnum, failureType, storedTypes, declaresCodingKeys ? nil : StoredCoding.codingKeys,
        hasSteps ? stepEnum : nil, applyMethod, isBroken ? nil : stateIndex,
        hasSimilarApply ? Model.applyGenerated(throws: refuses) : nil,
      ].compactMap(\.self) + [WireCoding.members(of: states, access: access, areBroken: isBroken)]
    }

    private var storedTypes: String? {
      isBroken
        ? nil : StoredCoding.types(states.flatMap(\.values).compactMap { value in value.checked.map { ($0, value.type) } }, of: "payloads")
    }

    private var changeEnum: String {
      """
      /// The changes of `\(name)`.
      \(access)enum Change: \(changeProtocols)\(StoredCoding.isPossible(for: cases) ? StoredCoding.conformance : "") {
      \(cases.distinct.map(\.declaration).joined(separator: "\n").indented)

      \(WireCoding.members(of: cases, changing: name, access: visibility, areBroken: isBroken).indented)
      }
      """
    }

    private var failureType: String? {
      let failure = ownApplyThrows ?? (refuses ? "AlterCore.Refusal" : "")
      guard ownFailure == nil, !failure.isEmpty else { return nil }
      return """
        /// Why a change is refused.
        \(visibility)typealias Failure = \(failure)
        """
    }

    // MARK: - Steps

    private func relevant(in state: ChangeCase) -> [ChangeCase] { ownCases.filter { $0.isRelevant(in: state) }.map(\.change) }

    /// The name of the type of a state's steps.
    func stepType(of state: ChangeCase) -> String {
      (state.wireName.prefix(1).uppercased() + state.wireName.dropFirst() + "Change").quotedIfNecessary
    }

    private func step(in state: ChangeCase) -> ChangeCase {
      ChangeCase(
        state.name, state.values + [.init(label: nil, type: stepType(of: state), wireName: "change", defaultValue: nil)],
        documentation: ["/// A change that has a meaning in `.\(state.wireName)`."])
    }

    private var stepEnum: String {
      let states = states.filter { !relevant(in: $0).isEmpty }
      let types = states.map { state in
        """


        /// The changes that have a meaning in `.\(state.wireName)`.
        \(access)enum \(stepType(of: state)): Sendable {
        \(relevant(in: state).distinct.map(\.declaration).joined(separator: "\n").indented)
        }
        """
      }
      return """
        /// A state and a change that has a meaning in it: all pairs but those that `@Refused` and `@Ignored` list.
        \(access)enum Step: Sendable {
        \(states.map { step(in: $0).declaration }.joined(separator: "\n").indented)\(types.map(\.indented).joined())
        }
        """
    }

    // MARK: - Applying

    private var applyMethod: String {
      let isWrapped = ownApplyThrows != nil
      let throwing = refuses ? " throws(\(isBroken && !isWrapped ? ownFailure ?? "AlterCore.Refusal" : "AlterCore.Refusal"))" : ""
      let documentation =
        isWrapped
        ? "/// The `apply` that the macro generates for a model without its own."
        : "/// Makes the change\(refuses ? ", or refuses it and changes nothing" : "")."
      let method = isWrapped ? "nonisolated mutating func applyGenerated" : "\(access)mutating func apply"
      let lines =
        isBroken ? ["fatalError()"] : ["switch change {"] + ownCases.flatMap(lines(of:)) + partNames.flatMap(lines(ofPart:)) + ["}"]
      return """
        \(documentation)
        \(method)(_ change: Change, at stamp: AlterCore.Stamp)\(throwing) {
        \(lines.joined(separator: "\n").indented)
        }
        """
    }

    private func lines(of own: OwnCase) -> [String] {
      let change = own.change
      let attempt = ownCasesRefuse ? "try " : ""
      let bindings = change.values.indices.map { "value\($0)" }
      let pattern = change.pattern(binding: bindings)
      guard hasSteps else {
        return ["case \(pattern): \(attempt)self.apply(OwnChange\(change.construction(bindings)), at: stamp)"]
      }
      var lines = ["case \(pattern):", "  switch self {"]
      for state in states where own.isRelevant(in: state) {
        let payload = state.values.indices.map { "part\($0)" }
        let step = step(in: state).construction(payload + [change.construction(bindings)])
        lines.append("  case \(state.pattern(binding: payload)): \(attempt)self.apply(Step\(step), at: stamp)")
      }
      func patterns(_ names: Set<String>) -> String {
        states.filter { names.contains($0.wireName) }.map { ".\($0.name)" }.joined(separator: ", ")
      }
      if !own.refused.isEmpty { lines.append("  case \(patterns(own.refused)): \(refusal(of: change.wireName))") }
      if !own.ignored.isEmpty { lines.append("  case \(patterns(own.ignored)): break") }
      return lines + ["  }"]
    }

    private func lines(ofPart name: String) -> [String] {
      var lines = ["case .\(ChangeCase(name).name)(let part):", "  switch _stateIndex {"]
      for (index, state) in states.enumerated() {
        guard parts.contains(where: { $0.name == name && $0.state.wireName == state.wireName }) else { continue }
        lines += [
          "  case \(index):",
          "    // The payload moves out and back in, so that storage that is not shared changes in place.",
          "    try AlterMacros._changePayload(",
          "      of: &self, taking: { if case \(state.pattern(binding: ["payload"])) = $0 { payload } else { fatalError() } },",
          "      putting: { Self\(state.construction(["$0"])) }",
          "    ) { payload throws(AlterCore.Refusal) in try payload._apply(part: part, at: stamp) }",
        ]
      }
      return lines + ["  default: \(refusal(of: name))", "  }"]
    }

    private func refusal(of change: String) -> String {
      "throw AlterCore.Refusal.illegal(from: Self._stateNames[_stateIndex], change: \"\(change)\")"
    }

    private var stateIndex: String? {
      guard !parts.isEmpty || ownCases.contains(where: { !$0.refused.isEmpty }) else { return nil }
      return """
        /// The position of the present state among the cases.
        private nonisolated var _stateIndex: Swift.Int {
          switch self {
        \(states.enumerated().map { "case .\($1.name): \($0)" }.joined(separator: "\n").indented)
          }
        }

        private nonisolated static var _stateNames: [Swift.String] { [\(states.map { "\"\($0.wireName)\"" }.joined(separator: ", "))] }
        """
    }
  }

  extension [ChangeCase] {
    /// The cases without those whose name an earlier one has, which is reported.
    var distinct: [ChangeCase] {
      var names: Set<String> = []
      return filter { names.insert($0.name).inserted }
    }
  }

  extension ChangeCase {
    /// A pattern that binds the payload to names.
    func pattern(binding names: [String]) -> String {
      values.isEmpty ? ".\(name)" : ".\(name)(\(names.map { "let \($0)" }.joined(separator: ", ")))"
    }
  }
#endif
