#if Macros
  extension Model {
    /// Whether the source declares the memberwise initialiser itself. That one may do more than set the properties.
    private var hasOwnInitialiser: Bool { initialisers.contains(labels) }

    /// The memberwise initialiser, and the one without arguments.
    var initialiserDeclarations: [String] {
      let assignments = isBroken ? "  fatalError()" : properties.map { "self.\($0.name) = \($0.name)" }.joined(separator: "\n").indented
      var declarations: [String] = []
      if !hasOwnInitialiser {
        let parameters = properties.map { "\($0.name): \($0.type)\($0.defaultArgument.map { " = \($0)" } ?? "")" }
        declarations.append(
          """
          /// A value of these properties.
          \(visibility)nonisolated init(\(parameters.joined(separator: ", "))) {
          \(assignments)
          }
          """)
      } else if access == .parts, !isBroken {
        let parameters = properties.map { "\($0.name): \($0.type)" }
        declarations.append(
          """
          /// A value of these properties, as they are.
          private nonisolated init(fields _: Void, \(parameters.joined(separator: ", "))) {
          \(assignments)
          }
          """)
      }
      if canBeEmpty, !initialisers.contains([]) {
        let arguments = properties.map { "\($0.label): \($0.defaultArgument ?? "")" }.joined(separator: ", ")
        declarations.append(
          """
          /// The empty value: every property has its default value.
          \(visibility)nonisolated init() { \(isBroken ? "fatalError()" : "self.init(\(arguments))") }
          """)
      }
      return declarations
    }

    /// An expression that makes the value from an expression for each property.
    func construction(_ expression: (Property) -> String) -> String {
      let arguments = properties.map { "\($0.label): \(expression($0))" }
      return "Self(\(((hasOwnInitialiser ? ["fields: ()"] : []) + arguments).joined(separator: ", ")))"
    }
  }
#endif
