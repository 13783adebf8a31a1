#if Macros
  import SwiftSyntax

  /// What `@Alterable` knows about the struct that it is written on.
  struct Model {
    let name: String
    /// `public `, `package ` or nothing, as it stands before a member.
    let visibility: String
    /// The protocols of its changes: `Sendable, Hashable, Codable`.
    let changeProtocols: String
    let genericParameters: Set<String>
    let properties: [Property]
    /// Whether the struct stores these properties as they are written, and nothing else.
    let showsItsLayout: Bool
    /// The cases of its `OwnChange`, if it has one.
    let ownCases: [ChangeCase]?
    /// Whether the method that makes those can refuse.
    let ownCasesRefuse: Bool
    /// What the source's own `apply` throws: nil when there is no such method, an empty text when it throws nothing.
    let ownApplyThrows: String?
    let declaresFailure: Bool
    /// The labels of the initialisers in the source.
    let initialisers: [[String]]

    var each: [(property: Property, element: String, singular: String, olderSingulars: [String])] {
      properties.compactMap { property in
        guard case .each(let element, let singular, let older) = property.role else { return nil }
        return (property, element, singular, older)
      }
    }

    var stamped: [Property] { properties.filter { if case .stamped = $0.role { true } else { false } } }

    /// Whether the generated method can refuse.
    var refuses: Bool {
      ownCasesRefuse
        || properties.contains {
          switch $0.role {
          case .each, .nested: true
          default: false
          }
        }
    }

    /// How a change gets at the properties.
    enum Access {
      /// They are variables, and change where they are.
      case variables
      /// There are constants: they change where they are, too, through a struct that has them as variables.
      case fields
      /// The same, where such a struct can't be written: the value is taken apart and put together again.
      case parts
    }

    var access: Access {
      guard properties.contains(where: { $0.isLet && $0.isAlterable }) else { return .variables }
      return showsItsLayout ? .fields : .parts
    }

    /// Whether the initialiser can be called without arguments.
    var canBeEmpty: Bool { !properties.isEmpty && properties.allSatisfy { $0.defaultArgument != nil } }

    /// The labels of the memberwise initialiser.
    var labels: [String] { properties.map(\.wireName) }

    /// A name like the one given that no property has.
    func fresh(_ name: String) -> String {
      var name = name
      while properties.contains(where: { $0.wireName == name }) { name = "_" + name }
      return name
    }
  }
#endif
