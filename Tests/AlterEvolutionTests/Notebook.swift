#if Macros
  import Alter
  import Foundation

  // The model of the examples in Design/0004-wire-format.md.

  @Alterable struct Note: Identifiable, Hashable {
    let id: Int
    let text: String
    @Default(false) let done: Bool
    let due: Date?
    @Stamped let altered: Date?
  }

  @Alterable struct Look: Hashable {
    @Default("light") let theme: String
  }

  @Alterable struct Notebook: Hashable {
    @Each(.add, .put, .update, .remove, .move, .replace) let notes: IdentityArray<Note>
    @Default(constant: Look()) @Nested let look: Look
    @Default("") let title: String
    @Default(7) let limit: Int?

    enum OwnChange: Hashable {
      case cleared
      case scaled(by: Double)
      case merged(from: String, into: String)
    }

    mutating func apply(_ change: OwnChange, at stamp: Stamp) { self = Notebook(title: "\(change)") }
  }
#endif
