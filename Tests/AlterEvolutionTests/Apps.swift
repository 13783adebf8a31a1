#if Macros
  import Alter

  // One app in two versions, whose journals are in Fixtures/. The old one must never change: it stands for programs that are out there.

  enum OldApp {
    @Alterable struct Todo: Identifiable, Hashable {
      let id: Int
      let title: String
      let done: Bool
      let colour: String?
    }

    @Alterable struct State: Hashable {
      @Each let todos: IdentityArray<Todo>
      let name: String
    }
  }

  /// `priority` is new.
  enum NewerApp {
    @Alterable struct Todo: Identifiable, Hashable {
      let id: Int
      let title: String
      let done: Bool
      @Default("normal") let priority: String
    }

    @Alterable struct State: Hashable {
      @Each let todos: IdentityArray<Todo>
      let name: String
    }
  }

  /// `title` is now `text`, `done` is `completed`, `todos` are `items`, `priority` is new, and `colour` is gone.
  enum NewApp {
    @Alterable struct Item: Identifiable, Hashable {
      let id: Int
      @Renamed(from: "title") let text: String
      @Renamed(from: "done") let completed: Bool
      @Default("normal") let priority: String
    }

    @Alterable struct State: Hashable {
      @Renamed(from: "todos") @Each let items: IdentityArray<Item>
      let name: String
    }
  }

  /// The new version, which says so by its schema, and reads the changes of a colour as nothing.
  enum NewAppThatSaysSo {
    @Alterable struct State: Hashable {
      static let schema = StateSchema(
        version: 2,
        migrations: [
          Migration(from: 1, to: 2, change: { change in change["todo"]?["change"]?["colour"] == nil ? [change] : [] })
        ])

      @Renamed(from: "todos") @Each let items: IdentityArray<NewApp.Item>
      let name: String
    }
  }
#endif
