#if Macros
  import SwiftSyntax

  /// A stored property of a model.
  struct Property {
    /// What a change does to it.
    enum Role {
      /// Nothing alters it.
      case fixed
      /// A change puts another value.
      case plain
      /// A change is one of its own type.
      case nested
      /// Its elements come, go and change.
      case each(element: String, singular: String, olderSingulars: [String])
      /// Every change sets it.
      case stamped
    }

    /// As the source writes it, in backticks where it must be.
    let name: String
    let type: String
    let role: Role
    let isLet: Bool
    let isOptional: Bool
    /// The expression of its `@Default`.
    let standIn: String?
    /// The expression that the source initialises it with.
    let initialValue: String?
    let olderNames: [String]
    /// Its documentation, line by line, or nothing.
    let documentation: [String]
    let node: Syntax

    /// Its name in stored data.
    var wireName: String { name.unquoted }

    /// What the initialiser puts when it isn't told, or nil when it must be.
    var defaultArgument: String? {
      if let standIn { return standIn }
      if let initialValue { return initialValue }
      if isOptional { return "nil" }
      if case .each = role { return "[]" }
      return nil
    }

    /// Whether a change may leave another value in it.
    var isAlterable: Bool { if case .fixed = role { false } else { true } }
  }

  extension String {
    /// Without the backticks that make a keyword a name.
    var unquoted: String { hasPrefix("`") ? String(dropFirst().dropLast()) : self }
  }
#endif
