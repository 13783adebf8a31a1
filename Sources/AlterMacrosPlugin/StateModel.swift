#if Macros
  import SwiftSyntax

  /// The facts about the enum that `@Alterable` is attached to: its cases are the states of a model.
  struct StateModel {
    /// A change that the source declares in `OwnChange`.
    struct OwnCase {
      let change: ChangeCase
      /// The states in which the change is refused.
      let refused: Set<String>
      /// The states in which the change has no effect.
      let ignored: Set<String>

      func isRelevant(in state: ChangeCase) -> Bool { !refused.contains(state.wireName) && !ignored.contains(state.wireName) }
    }

    /// A state whose payload changes by its own `Change`.
    struct Part {
      let state: ChangeCase
      /// The name of the change.
      let name: String
      let type: String
    }

    let name: String
    /// The access modifier in front of a member: `public `, `package ` or empty.
    let visibility: String
    /// The protocols of the generated `Change`.
    let changeProtocols: String
    let states: [ChangeCase]
    let parts: [Part]
    let ownCases: [OwnCase]
    /// Whether the method that makes the changes of `OwnChange` can throw.
    let ownCasesRefuse: Bool
    /// The error type of the source's own `apply`: nil if there is no such method, empty if it throws nothing.
    let ownApplyThrows: String?
    /// The type `Failure` of the source; nil if it declares none.
    let ownFailure: String?
    let declaresChange: Bool
    /// Whether a problem was reported: the members are generated without bodies.
    var isBroken = false
    /// Whether the source declares `CodingKeys`, which is an error.
    var declaresCodingKeys = false
    /// Whether the source has an `apply` with another signature, which is reported; it may call `applyGenerated`.
    var hasSimilarApply = false

    /// Whether a change is refused or ignored in a state, so that the source makes steps: changes that have a meaning in the present state.
    var hasSteps: Bool { ownCases.contains { !$0.refused.isEmpty || !$0.ignored.isEmpty } }

    /// Whether the generated method can throw.
    var refuses: Bool { ownCasesRefuse || !parts.isEmpty || ownCases.contains { !$0.refused.isEmpty } }

    /// The names of the changes of parts, each once, in the order of the states.
    var partNames: [String] {
      var names: Set<String> = []
      return parts.map(\.name).filter { names.insert($0).inserted }
    }

    /// The cases of `Change`: those of the source, then the changes of payloads.
    var cases: [ChangeCase] {
      ownCases.map(\.change)
        + partNames.map { name in
          ChangeCase(
            name,
            [.init(label: nil, type: "\(parts.first { $0.name == name }?.type ?? "Never").Change", wireName: "value", defaultValue: nil)],
            isIndirect: true,
            documentation: [
              "/// Changes the payload of \(parts.filter { $0.name == name }.map { "`.\($0.state.wireName)`" }.joined(separator: ", "))."
            ])
        }
    }
  }
#endif
