import Alter
import AlterTesting
import Foundation
import JokesCore
import Testing

@Suite("jokes") struct JokesTests {
  let animals = Category("animals")
  let food = Category("food")
  let joke = Joke(id: 1, setup: "Why?", punchline: "Because.")
  let other = Joke(id: 2, setup: "Who?", punchline: "You.")

  // MARK: - The state

  @Test("The state says what it wants") func wanted() {
    let state = JokesState()
    #expect(state.wanted == .categories)
    let listed = state.alter(.categories(.loaded([animals, food])))
    #expect(listed.wanted == nil)
    #expect(listed.alter(.choose(food)).wanted == .jokes(food))
    #expect(listed.alter(.choose(food), .choose(animals)).wanted == .jokes(animals))
    #expect(listed.alter(.choose(food), .jokes(food, .loaded([joke]))).wanted == nil)
    #expect(listed.alter(.choose(food), .back).wanted == nil)
    let failed = listed.alter(.choose(food), .jokes(food, .failed(.unreachable)))
    #expect(failed.wanted == nil && failed.alter(.retry).wanted == .jokes(food))
    #expect(state.alter(.categories(.failed(.unreachable))).wanted == nil)
    #expect(state.alter(.categories(.failed(.unreachable)), .retry).wanted == .categories)
  }

  @Test("An answer that comes too late is passed over") func late() {
    let chosen = JokesState().alter(.choose(food))
    #expect(chosen.alter(.jokes(animals, .loaded([joke]))) == chosen)
    #expect(chosen.alter(.back, .jokes(food, .loaded([joke]))) == chosen.alter(.back))
  }

  @Test("Each screen is a function of the state") func screens() {
    let loaded = JokesState().alter(.choose(food), .jokes(food, .loaded([joke, other])))
    #expect(ScreenView.lines(ScreenModel(JokesState())) == ["== Jokes", "Loading the categories …", "   NAME   quit"])
    #expect(
      ScreenView.lines(ScreenModel(loaded)) == ["== Jokes about food, 1 of 2", "Why?", "    Because.", "   next   back   quit"])
    #expect(ScreenView.lines(ScreenModel(loaded.alter(.next)))[0] == "== Jokes about food, 2 of 2")
    #expect(loaded.alter(.next, .next) == loaded)
    let failed = JokesState().alter(.choose(food), .jokes(food, .failed(.status(503))))
    #expect(ScreenView.lines(ScreenModel(failed)) == ["== Jokes about food", "The server says 503.", "   retry   back   quit"])
    // The screen offers no retry after a permanent failure.
    let gone = JokesState().alter(.choose(food), .jokes(food, .failed(.status(404))))
    #expect(ScreenView.lines(ScreenModel(gone)).last == "   back   quit")
    #expect(
      ScreenView.lines(ScreenModel(JokesState().alter(.choose(food), .jokes(food, .loaded([])))))[1] == "There are no jokes about food.")
  }

  @Test("A screen has a context: what it shows, and what can be done there") func contexts() throws {
    let jokes = Jokes(in: AppEnvironment.development.world(server: try #require(URL(string: "http://127.0.0.1"))))
    guard case .categories(let categories) = jokes.context else { throw CancellationError() }
    categories.choose("food")()
    guard case .jokes(let context) = jokes.context else { throw CancellationError() }
    #expect(context.model.title == "food")
    context.back()
    guard case .categories = jokes.context else { throw CancellationError() }
  }

  // MARK: - The effect without a network: the test gives the answers and advances the clock

  /// A world in which loading jokes takes three seconds and returns the test's answer.
  private func world(
    _ clock: TestClock, attempts: Int = 1, _ answer: @escaping @Sendable (Category) -> Result<[Joke], LoadError>
  ) -> World {
    let repository = JokeRepository(
      categories: { .success([]) },
      jokes: { category in
        // If the load is cancelled, it returns at once.
        try? await clock.sleep(for: .seconds(3))
        return answer(category)
      })
    return World(repository: repository, attempts: attempts, pause: .seconds(1), clock: clock.clock)
  }

  /// The state of an app that has loaded its categories.
  private var listed: JokesState { JokesState().alter(.categories(.loaded([animals, food]))) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("What is wanted is loaded, and the answer is a change") func loads() async {
    let clock = TestClock()
    let store = TestStore(listed, feedbacks: [Loading.feedback], in: world(clock) { _ in .success([joke]) }, clock: clock)
    store.send(.choose(food), changing: ["screen": JokesState.Screen.jokes(food, .loading, shown: 0)])
    #expect(store.effects.map(\.feedback) == ["load"])
    await store.advance(by: .seconds(3))
    await store.receive(.jokes(food, .loaded([joke])), changing: ["screen": JokesState.Screen.jokes(food, .loaded([joke]), shown: 0)])
    await store.finish()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("Another category cancels the load under way; its answer is no change") func cancels() async {
    let clock = TestClock()
    let asked = Shared<[Category]>([])
    let store = TestStore(
      listed, feedbacks: [Loading.feedback],
      in: world(clock) { category in
        asked.value += [category]
        return .success(category == food ? [joke] : [other])
      }, clock: clock)
    store.send(.choose(animals), changing: ["screen": JokesState.Screen.jokes(animals, .loading, shown: 0)])
    await store.advance(by: .seconds(2))
    store.send(.choose(food), changing: ["screen": JokesState.Screen.jokes(food, .loading, shown: 0)])
    // The cancelled load returns at once, and its answer is ignored.
    await store.settle()
    #expect(asked.value == [animals])
    await store.advance(by: .seconds(3))
    await store.receive(.jokes(food, .loaded([joke])), changing: ["screen": JokesState.Screen.jokes(food, .loaded([joke]), shown: 0)])
    await store.finish()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("What fails for a moment is tried again, with growing pauses; then it has failed, and can be asked for again") func retries() async
  {
    let clock = TestClock()
    let calls = Shared(0)
    let store = TestStore(
      listed, feedbacks: [Loading.feedback],
      in: world(clock, attempts: 3) { _ in
        calls.value += 1
        return calls.value < 4 ? .failure(.status(503)) : .success([joke])
      }, clock: clock)
    store.send(.choose(food), changing: ["screen": JokesState.Screen.jokes(food, .loading, shown: 0)])
    // Three attempts of three seconds each, with pauses of one and two seconds.
    await store.advance(by: .seconds(3 + 1 + 3 + 2 + 3))
    #expect(calls.value == 3)
    await store.receive(
      .jokes(food, .failed(.status(503))), changing: ["screen": JokesState.Screen.jokes(food, .failed(.status(503)), shown: 0)])
    store.send(.retry, changing: ["screen": JokesState.Screen.jokes(food, .loading, shown: 0)])
    await store.advance(by: .seconds(3))
    await store.receive(.jokes(food, .loaded([joke])), changing: ["screen": JokesState.Screen.jokes(food, .loaded([joke]), shown: 0)])
    await store.finish()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("What won't get better is not tried again") func permanent() async {
    let clock = TestClock()
    let store = TestStore(
      listed, feedbacks: [Loading.feedback], in: world(clock, attempts: 3) { _ in .failure(.status(404)) }, clock: clock)
    store.send(.choose(food), changing: ["screen": JokesState.Screen.jokes(food, .loading, shown: 0)])
    await store.advance(by: .seconds(3))
    await store.receive(
      .jokes(food, .failed(.status(404))), changing: ["screen": JokesState.Screen.jokes(food, .failed(.status(404)), shown: 0)])
    await store.finish()
  }

  // MARK: - Over HTTP, with the bundled server

  /// Starts a server and waits for its address.
  private func server(_ arguments: String...) throws -> (Example, url: String) {
    let server = try Example("jokes-server", list: arguments)
    let line = try #require(server.readLine())
    return (server, line.replacingOccurrences(of: "listening on ", with: ""))
  }

  @Test("There are jokes in five categories or more, and at least 40 of them; staging has more") func collection() async throws {
    let (server, url) = try server()
    defer { withExtendedLifetime(server) {} }
    let base = try #require(URL(string: url))
    let repository = AppEnvironment.production.world(server: base).repository
    let categories = try await repository.categories().get()
    var all: [Joke] = []
    for category in categories { all += try await repository.jokes(category).get() }
    #expect(categories.count >= 5 && all.count >= 40)
    #expect(Set(all.map(\.setup)).count == all.count)
    #expect(try await AppEnvironment.staging.world(server: base).repository.categories().get().count == categories.count + 1)
    #expect(await repository.jokes(Category("nobody")) == .failure(.status(404)))
  }

  @Test("The app starts its own server, shows categories, and the jokes of one") func app() throws {
    let app = try Example("jokes")
    try app.read(until: "animals  food  computers  weather  numbers")
    app.type("food")
    try app.read(until: "Why was the soup so calm?")
    app.type("next")
    try app.read(until: "== Jokes about food, 2 of 8")
    app.type("back")
    try app.read(until: "animals  food")
    app.type("quit")
    #expect(app.end() == 0)
    #expect(app.lines.contains("Loading the categories …"))
  }

  @Test("Of a category that is abandoned for another nothing is ever shown, though the server answers in the end") func abandoned() throws {
    let (server, url) = try server("--hold", "animals")
    let app = try Example("jokes", "--environment", "test", "--server", url)
    try app.read(until: "animals  food")
    app.type("animals")
    try server.read(until: "asked /production/categories/animals")
    app.type("back")
    try app.read(until: "animals  food")
    app.type("food")
    try app.read(until: "Why was the soup so calm?")
    // The server sends the held answer now, although the app has withdrawn the request.
    server.type("go on")
    while let line = server.readLine() {
      if line.hasPrefix("answered /production/categories/animals") || line.hasPrefix("gone /production/categories/animals") { break }
    }
    app.type("next")
    try app.read(until: "== Jokes about food, 2 of 8")
    app.type("quit")
    #expect(app.end() == 0)
    #expect(app.lines.contains("Loading jokes about animals …"))
    #expect(!app.lines.contains { $0.hasPrefix("== Jokes about animals, ") || $0.contains("hedgehog") })
  }

  @Test("A server that fails for a moment goes unnoticed; one that fails longer is said, and can be tried again") func failing() throws {
    let (passing, url) = try server("--fail", "2")
    let app = try Example("jokes", "--environment", "test", "--server", url)
    try app.read(until: "animals  food")
    #expect(!app.lines.contains { $0.contains("503") })
    #expect(app.end() == 0)
    withExtendedLifetime(passing) {}

    let (failing, other) = try server("--fail", "3")
    let second = try Example("jokes", "--environment", "test", "--server", other)
    try second.read(until: "The server says 503.")
    try second.read(until: "retry")
    second.type("retry")
    try second.read(until: "animals  food")
    #expect(second.end() == 0)
    withExtendedLifetime(failing) {}
  }

  @Test("Where nobody listens, that is said") func unreachable() throws {
    let (server, url) = try server()
    server.end()
    let app = try Example("jokes", "--environment", "test", "--server", url)
    try app.read(until: "The jokes can't be reached.")
    #expect(app.end() == 0)
  }

  @Test("Development has no server; staging has what is new; an environment that doesn't exist is refused") func environments() throws {
    #expect(try Example.run("jokes", "--environment", "development", input: "clocks\n").contains("Why did the clock go to school?"))
    #expect(try Example.run("jokes", "--environment", "staging").contains { $0.hasSuffix("numbers  music") })
    #expect(
      try Example.run("jokes", "--environment", "paradise", status: 1)[0].hasPrefix("usage: jokes [--environment production|staging|"))
  }
}
