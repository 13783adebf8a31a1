#if Macros
  import SwiftSyntax

  /// The facts about the struct that `@Alterable` is attached to.
  struct Model {
    let name: String
    /// The access modifier in front of a member: `public `, `package ` or empty.
    let visibility: String
    /// The protocols of the generated enums: `Sendable, Hashable, Codable`.
    let changeProtocols: String
    /// Whether the type of an element can depend on a type parameter of the struct, or of a type around it.
    let seesTypeParameters: Bool
    let properties: [Property]
    /// Whether the struct's stored properties are exactly these, with these types.
    let showsItsLayout: Bool
    /// The cases of its `OwnChange`; nil if it has none.
    let ownCases: [ChangeCase]?
    /// Whether the declaration contains the `apply` of `OwnChange`. It may also stand in an extension, which the macro does not see.
    let showsOwnApply: Bool
    /// Whether the `apply` of `OwnChange` can throw.
    let ownCasesRefuse: Bool
    /// The error type of the source's own `apply`: nil if there is no such method, empty if it throws nothing.
    let ownApplyThrows: String?
    /// The type `Failure` of the source; nil if it declares none.
    let ownFailure: String?
    /// The labels of each initialiser in the source.
    let initialisers: [[String]]
    /// Whether the source declares an enum `Change`, which is an error.
    let declaresChange: Bool
    /// Whether the changes of collections can also be written noun first.
    let isNounFirst: Bool
    /// Whether a problem was reported. The members are generated nevertheless, without bodies: the compiler then reports that problem only, and
    /// not each use of the model.
    var isBroken = false
    /// Whether the source declares `CodingKeys`, which is an error.
    var declaresCodingKeys = false
    /// Whether the source has an `apply` with another signature, which is reported; it may call `applyGenerated`.
    var hasSimilarApply = false

    /// An `@Each` collection of the model.
    struct Collection {
      let property: Property
      let element: String
      let singular: String
      let olderSingulars: [String]
      let verbs: Set<Verb>
    }

    var each: [Collection] {
      properties.compactMap { property in
        guard case .each(let element, let singular, let older, let verbs) = property.role else { return nil }
        return Collection(property: property, element: element, singular: singular, olderSingulars: older, verbs: verbs)
      }
    }

    /// The collections that have a verb.
    func collections(with verb: Verb) -> [Collection] { each.filter { $0.verbs.contains(verb) } }

    var stamped: [Property] { properties.filter { if case .stamped = $0.role { true } else { false } } }

    var stampedOnce: [Property] { properties.filter { if case .stampedOnce = $0.role { true } else { false } } }

    /// Whether the generated method can throw.
    var refuses: Bool {
      ownCasesRefuse
        || properties.contains {
          switch $0.role {
          case .each, .nested: true
          case .plain(let forms): forms[.by] != nil
          default: false
          }
        }
    }

    /// The way in which a change modifies the properties.
    enum Access {
      /// All alterable properties are variables, and are modified directly.
      case variables
      /// At least one alterable property is a constant. All are modified in place, through a struct that has them as variables.
      case fields
      /// As `fields`, but such a struct can't be generated: the value is taken apart and built again.
      case parts
    }

    var access: Access {
      guard properties.contains(where: { $0.isLet && $0.isAlterable }) else { return .variables }
      return showsItsLayout ? .fields : .parts
    }

    /// Whether the memberwise initialiser can be called without arguments.
    var canBeEmpty: Bool { !properties.isEmpty && properties.allSatisfy { $0.defaultArgument != nil } }

    /// The labels of the memberwise initialiser.
    var labels: [String] { properties.map(\.wireName) }

    /// Returns a name that no property has: the given one, with underscores in front if necessary.
    func fresh(_ name: String) -> String {
      var name = name
      while properties.contains(where: { $0.wireName == name }) { name = "_" + name }
      return name
    }
  }
#endif
