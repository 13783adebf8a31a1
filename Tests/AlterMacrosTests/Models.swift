#if Macros
  import Alter
  import Foundation

  // The models that the tests use, with every kind of property.

  /// Something to do.
  @Alterable struct TodoItem: Identifiable, Hashable {
    let id: UUID
    /// What to do.
    let text: String
    @Default(false) let completed: Bool
    let due: Date?
    @Stamped let altered: Date?
    @Fixed let source: String?
  }

  /// The same, with variables.
  @Alterable struct VariableItem: Identifiable, Hashable {
    let id: UUID
    private(set) var text: String
    @Default(false) private(set) var completed: Bool
    private(set) var due: Date?
    @Stamped private(set) var altered: Date?
    @Fixed let source: String?
  }

  /// How the app looks.
  @Alterable struct Settings: Hashable {
    @Default("light") let theme: String
    @Default(12) let fontSize: Int
  }

  /// A list with settings.
  @Alterable struct TodoList: Hashable {
    @Each let items: IdentityArray<TodoItem>
    @Each("sheep") let flock: IdentityArray<VariableItem>
    @Default(Settings()) @Nested let settings: Settings
    @Default("") let title: String
  }

  /// A thing that holds things of its kind.
  @Alterable struct Folder: Identifiable, Hashable {
    let id: Int
    let name: String
    @Each let folders: IdentityArray<Folder>
  }

  /// A collection whose older name doesn't tell what one of it was called.
  @Alterable struct Crew: Hashable {
    @Renamed(from: "staff", each: "member") @Each let people: IdentityArray<Folder>
  }

  /// A model that refuses with an error of its own, by hand.
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

  /// A model of any type.
  @Alterable struct Box<Content: Hashable & Codable & Sendable>: Hashable {
    let content: Content
    @Default([]) let labels: [String]
    @Default([:]) private(set) var notes: [String: Int]
  }

  /// A collection of any model.
  @Alterable struct Shelf<Thing: Alterable & Codable & Identifiable & Sendable> where Thing.Change: Codable, Thing.ID: Codable & Sendable {
    @Each let things: IdentityArray<Thing>
  }

  /// A model whose names are awkward: keywords, and what the generated code calls its own.
  @Alterable struct Awkward: Hashable {
    let `default`: Int
    let change: Int
    let stamp: String
    let value: Bool
    let wire: Int
    let fields: Int
    let decoder: Int
    @Stamped private(set) var `init`: Date?
    @Each let cases: IdentityArray<Folder>
    @Each("file") private(set) var folders: IdentityArray<Folder>
  }

  extension Folder {
    /// A stamp of the outside world, in an extension, with the name of one of Alter's types beside it.
    @available(macOS 14, *)
    @Alterable struct Stamp: Hashable {
      let number, year: Int
    }
  }
#endif
