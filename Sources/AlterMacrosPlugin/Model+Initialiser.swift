#if Macros
  extension Model {
    /// Whether the source has a memberwise initialiser of its own, which may do more than to set the fields.
    private var hasOwnInitialiser: Bool { initialisers.contains(labels) }

    /// The memberwise initialiser, and the empty one.
    var initialiserDeclarations: [String] {
      let assignments = properties.map { "self.\($0.name) = \($0.name)" }.joined(separator: "\n").indented
      var declarations: [String] = []
      if !hasOwnInitialiser {
        let parameters = properties.map { "\($0.name): \($0.parameterType)\($0.defaultArgument.map { " = \($0)" } ?? "")" }
        declarations.append(
          """
          /// A value of these properties.
          \(visibility)init(\(parameters.joined(separator: ", "))) {
          \(assignments)
          }
          """)
      } else if access == .parts {
        let parameters = properties.map { "\($0.name): \($0.parameterType)" }
        declarations.append(
          """
          /// A value of these properties, as they are.
          private init(fields _: Void, \(parameters.joined(separator: ", "))) {
          \(assignments)
          }
          """)
      }
      if canBeEmpty, !initialisers.contains([]) {
        let arguments = properties.map { "\($0.wireName): \($0.defaultArgument ?? "")" }
        declarations.append(
          """
          /// The empty value: every property is what it is when nothing is said about it.
          \(visibility)init() { self.init(\(arguments.joined(separator: ", "))) }
          """)
      }
      return declarations
    }

    /// The value with each property as an expression.
    func construction(_ expression: (Property) -> String) -> String {
      let arguments = properties.map { "\($0.wireName): \(expression($0))" }
      return "Self(\(((hasOwnInitialiser ? ["fields: ()"] : []) + arguments).joined(separator: ", ")))"
    }
  }

  extension Property {
    /// Closures that are kept must be said to be.
    fileprivate var parameterType: String {
      type.contains("->") && !isOptional && !type.hasPrefix("@escaping") ? "@escaping \(type)" : type
    }
  }
#endif
