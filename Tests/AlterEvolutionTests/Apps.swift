#if Macros
  import Alter

  // Two versions of one app. Their journals are in Fixtures/. The old version must never change, because it represents released programs.

  enum OldApp {
    @Alterable struct Todo: Identifiable, Hashable {
      let id: Int
      let title: String
      let done: Bool
      let colour: String?
    }

    @Alterable struct State: Hashable {
      @Each(.add, .put, .update, .remove, .move, .replace) let todos: IdentityArray<Todo>
      let name: String
    }
  }

  /// The version that adds `priority`.
  enum NewerApp {
    @Alterable struct Todo: Identifiable, Hashable {
      let id: Int
      let title: String
      let done: Bool
      @Default("normal") let priority: String
    }

    @Alterable struct State: Hashable {
      @Each(.add, .put, .update, .remove, .move, .replace) let todos: IdentityArray<Todo>
      let name: String
    }
  }

  /// The version that renames `title` to `text`, `done` to `completed`, and `todos` to `items`, adds `priority`, and removes `colour`.
  enum NewApp {
    @Alterable struct Item: Identifiable, Hashable {
      let id: Int
      @Renamed(from: "title") let text: String
      @Renamed(from: "done") let completed: Bool
      @Default("normal") let priority: String
    }

    @Alterable struct State: Hashable {
      @Renamed(from: "todos") @Each(.add, .put, .update, .remove, .move, .replace) let items: IdentityArray<Item>
      let name: String
    }
  }

  /// The new version with a schema that declares these changes. It drops the changes of a colour.
  enum NewAppThatSaysSo {
    @Alterable struct State: Hashable {
      static let schema = StateSchema(
        version: 2,
        migrations: [
          Migration(from: 1, to: 2, change: { change in change["todo"]?["change"]?["colour"] == nil ? [change] : [] })
        ])

      @Renamed(from: "todos") @Each(.add, .put, .update, .remove, .move, .replace) let items: IdentityArray<NewApp.Item>
      let name: String
    }
  }
#endif
