#if Macros
  import Alter
  import Foundation

  // The models that the tests use, with every kind of property.

  /// An item.
  @Alterable struct TodoItem: Identifiable, Hashable {
    let id: UUID
    /// The text.
    let text: String
    @Default(false) let completed: Bool
    let due: Date?
    @Stamped let altered: Date?
    @Fixed let source: String?
  }

  /// The same model with variables.
  @Alterable struct VariableItem: Identifiable, Hashable {
    let id: UUID
    private(set) var text: String
    @Default(false) private(set) var completed: Bool
    private(set) var due: Date?
    @Stamped private(set) var altered: Date?
    @Fixed let source: String?
  }

  /// A note that knows when it was made.
  @Alterable struct Note: Identifiable, Hashable {
    let id: Int
    let text: String
    @Stamped(.once) let created: Date?
    @Stamped let altered: Date?
  }

  /// The same model with variables, and without a time of its last change.
  @Alterable struct VariableNote: Identifiable, Hashable {
    let id: Int
    private(set) var text: String
    @Stamped(.once) private(set) var created: Date?
  }

  /// Collections whose changes can be written noun first.
  @Alterable(.nounFirst) struct Notebook: Hashable {
    @Each(.add, .put, .update, .remove, .move, .replace) let notes: IdentityArray<Note>
    @Each let pages: IdentityArray<VariableNote>
    @Default("") let title: String
  }

  /// The settings of the app.
  @Alterable struct Settings: Hashable {
    @Default("light") let theme: String
    @Default(12) let fontSize: Int
  }

  /// A list with settings.
  @Alterable struct TodoList: Hashable {
    @Each(.add, .put, .update, .remove, .move, .replace) let items: IdentityArray<TodoItem>
    @Each("sheep", .add, .put, .update, .remove, .move, .replace) let flock: IdentityArray<VariableItem>
    @Default(constant: Settings()) @Nested let settings: Settings
    @Default("") let title: String
  }

  /// A folder that contains folders.
  @Alterable struct Folder: Identifiable, Hashable {
    let id: Int
    let name: String
    @Each let folders: IdentityArray<Folder>
  }

  /// A collection with a former name, from which the name of its element can't be derived.
  @Alterable struct Crew: Hashable {
    @Renamed(from: "staff", each: "member") @Each(.add, .put, .remove, .move, .replace) let people: IdentityArray<Folder>
  }

  /// A model, written by hand, that refuses with its own error type.
  /// A debt that is paid once.
  struct Debt: Identifiable, Hashable, Codable, Alterable {
    @Wire enum Change: Hashable { case pay }
    let id: Int
    private(set) var isPaid = false
    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      guard !isPaid else { throw .illegal(from: "paid", change: "pay") }
      isPaid = true
    }
  }

  /// Two collections with different verbs.
  @Alterable struct Ledger: Hashable {
    @Each let debts: IdentityArray<Debt>
    @Each(.put, .update, .move) let fees: IdentityArray<Debt>
  }

  struct Door: Identifiable, Hashable, Codable, Alterable {
    enum Change: Hashable, Codable { case open }
    enum Failure: Error, Hashable { case locked }

    let id: Int
    let isLocked: Bool
    private(set) var isOpen = false

    init(id: Int, isLocked: Bool) {
      self.id = id
      self.isLocked = isLocked
    }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Failure) {
      guard !isLocked else { throw .locked }
      isOpen = true
    }
  }

  /// A model with parts that were written by hand.
  @Alterable struct House: Hashable {
    @Each let doors: IdentityArray<Door>
    @Nested let frontDoor: Door
  }

  /// A generic model.
  @Alterable struct Box<Content: Hashable & Codable & Sendable>: Hashable {
    let content: Content
    @Default([]) let labels: [String]
    @Default([:]) private(set) var notes: [String: Int]
  }

  /// A collection of any models.
  @Alterable struct Shelf<Thing: Alterable & Codable & Identifiable & Sendable> where Thing.Change: Codable, Thing.ID: Codable & Sendable {
    @Each(.add, .put, .update, .remove, .move, .replace) let things: IdentityArray<Thing>
  }

  /// A model with awkward names: keywords, and names that the generated code uses.
  @Alterable struct Awkward: Hashable {
    let `default`: Int
    let change: Int
    let stamp: String
    let value: Bool
    let wire: Int
    let fields: Int
    let decoder: Int
    @Stamped private(set) var `init`: Date?
    @Each(.add, .put, .update, .remove, .move, .replace) let cases: IdentityArray<Folder>
    @Each("file", .add, .put, .update, .remove, .move, .replace) private(set) var folders: IdentityArray<Folder>
  }

  extension Folder {
    /// A model in an extension. It has the same name as one of Alter's types.
    @available(macOS 14, *)
    @Alterable struct Stamp: Hashable {
      let number, year: Int
    }
  }
#endif
