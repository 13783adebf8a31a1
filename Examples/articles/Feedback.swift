#if Macros
  import Alter
  import Foundation

  // The third article: the view is a function of the state, and the state asks for effects.

  // lines: todo list with storing
  @Alterable struct TodoList: Hashable {
    enum Filter: String, Codable { case all, active, completed }

    @Each let todos: IdentityArray<Todo>
    @Default(Filter.all) let filter: Filter
    @Default(false) let mustStore: Bool

    var visible: [Todo] { todos.filter { filter == .all || $0.completed == (filter == .completed) } }
  }

  @Alterable struct Todo: Identifiable, Hashable {
    let id: Int
    let title: String
    @Default(false) let completed: Bool
  }

  struct Cloud: Sendable { let save: @Sendable ([String]) async throws -> Void }

  let storing = Feedback<TodoList, Cloud>("store", of: \.todos, when: \.mustStore) { todos, cloud in
    try await cloud.save(todos.map(\.title))
    return .mustStore(false)
  }
  // end

  struct TodoListViewModel: Hashable {
    let rows: [String]

    init(_ list: TodoList) {
      rows = list.visible.map { "\($0.completed ? "✓" : "·") \($0.title)" } + (list.mustStore ? ["storing"] : [])
    }
  }

  // lines: random joke
  struct Joke: Alterable, Hashable {
    enum Change: Hashable { case random, told(String), failed(String) }
    private(set) var isWanted = false
    private(set) var text = ""

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .random: isWanted = true
      case .told(let text), .failed(let text): (isWanted, self.text) = (false, text)
      }
    }
  }

  struct Offline: Error {}
  struct JokeServer: Sendable { let random: @Sendable (_ done: @escaping @Sendable (Result<String, Offline>) -> Void) -> Void }

  let randomJoke = AsyncResult<JokeServer, String, Offline> { server in
    await withCheckedContinuation { continuation in server.random { continuation.resume(returning: $0) } }
  }

  let telling = Feedback<Joke, JokeServer>("tell", of: \.isWanted, when: \.isWanted) { _, server in
    await randomJoke.map { "“\($0)”" }.map(Joke.Change.told).recover { _ in .failed("no joke today") }.value(in: server)
  }
  // end

  @MainActor func feedback() async throws {
    let stored = AsyncStream<[String]>.makeStream()
    let store = Store(try TodoList(.add(.todo(Todo(id: 1, title: "Tea"))), .add(.todo(Todo(id: 2, title: "Rice")))))
    var screens: [[String]] = []
    let binding = store.bind(TodoListViewModel.init) { _, new in screens.append(new.rows) }
    try store.run([storing], in: Cloud { stored.continuation.yield($0) })

    // The view's actions know neither the store nor the state.
    let complete = UserAction(store, changes: { (id: Int) in [.todo(id, .completed(true)), .mustStore(true)] })
    let filter = UserAction(store, TodoList.Change.filter)
    complete(1)
    filter(.active)
    for await titles in stored.stream {
      print("stored \(titles)")
      break
    }
    while screens.last?.contains("storing") != false { await Task.yield() }
    print(screens[0], screens[1], screens[screens.count - 1])
    withExtendedLifetime(binding) {}

    for server in [JokeServer { $0(.success("A SQL query walks into a bar.")) }, JokeServer { $0(.failure(Offline())) }] {
      let joke = Store(Joke())
      try joke.run([telling], in: server)
      try joke.change(.random)
      for await state in joke.values(of: \.self) where !state.isWanted {
        print(state.text)
        break
      }
      await joke.close()
    }
  }
#endif
