import Alter
import AlterTesting
import Foundation
import JokesCore
import ProcessTesting
import Testing

@Suite("jokes") struct JokesTests {
  let animals = Category("animals")
  let food = Category("food")
  let joke = Joke(id: 1, setup: "Why?", punchline: "Because.")
  let other = Joke(id: 2, setup: "Who?", punchline: "You.")
  let third = Joke(id: 7, setup: "When?", punchline: "Now.")

  // MARK: - The state

  @Test("The state says what it wants") func wanted() {
    let state = JokesState()
    #expect(state.wantsCategories && state.wantedJokes == nil && state.draw == nil)
    let listed = state.alter(.categories(.loaded([animals, food])))
    #expect(listed.isAtRest)
    #expect(listed.alter(.choose(food)).wantedJokes == food)
    #expect(listed.alter(.choose(food), .choose(animals)).wantedJokes == animals)
    #expect(listed.alter(.choose(food), .back).isAtRest)
    let failed = listed.alter(.choose(food), .jokes(food, .failed(.status(503))))
    #expect(failed.isAtRest && failed.alter(.retry).wantedJokes == food)
    #expect(state.alter(.categories(.failed(.status(503)))).isAtRest)
    #expect(state.alter(.categories(.failed(.status(503))), .retry).wantsCategories)
    // The jokes of a category come first: the screen of categories is not shown.
    #expect(!state.alter(.choose(food)).wantsCategories)
  }

  @Test("An answer that comes too late is passed over") func late() {
    let chosen = JokesState().alter(.choose(food))
    #expect(chosen.alter(.jokes(animals, .loaded([joke]))) == chosen)
    #expect(chosen.alter(.back, .jokes(food, .loaded([joke]))) == chosen.alter(.back))
    #expect(chosen.alter(.drawn(0)) == chosen && chosen.alter(.back, .drawn(0)) == chosen.alter(.back))
  }

  /// The screen with these jokes, of which none has been drawn.
  private func loaded(_ jokes: Joke...) -> JokesState { JokesState().alter(.choose(food), .jokes(food, .loaded(jokes))) }

  @Test("A number is wanted when jokes are there, and after 'next'; the number decides which joke is shown") func draws() {
    let state = loaded(joke, other, third)
    #expect(state.draw == 3)
    #expect(state.alter(.drawn(1)).draw == nil)
    #expect((0..<3).map { shown(state.alter(.drawn($0))) } == [joke, other, third])
    // The next joke is another one: there are only two numbers to draw.
    let next = state.alter(.drawn(1), .next)
    #expect(next.draw == 2)
    #expect((0..<2).map { shown(next.alter(.drawn($0))) } == [joke, third])
    #expect(next.alter(.next) == next)
    // Of a single joke there is no other.
    let single = loaded(joke).alter(.drawn(0), .next)
    #expect(single.draw == 1 && shown(single.alter(.drawn(0))) == joke)
    #expect(loaded().draw == nil && loaded().isAtRest)
    for number in [-1, 2, 3] { #expect(next.alter(.drawn(number)) == next, "\(number) can't be drawn from two") }
  }

  private func shown(_ state: JokesState) -> Joke? {
    if case .jokes(let model) = ScreenModel(state) { model.joke } else { nil }
  }

  @Test("Each screen is a function of the state") func screens() {
    let loaded = loaded(joke, other).alter(.drawn(0))
    #expect(ScreenView.lines(ScreenModel(JokesState())) == ["== Jokes", "Loading the categories …", "   NAME   quit"])
    #expect(
      ScreenView.lines(ScreenModel(loaded)) == ["== Jokes about food, 1 of 2", "Why?", "    Because.", "   next   back   quit"])
    // While a number is being drawn, the screen stays as it was.
    #expect(ScreenModel(loaded.alter(.next)) == ScreenModel(loaded))
    #expect(ScreenView.lines(ScreenModel(loaded.alter(.next, .drawn(0))))[0] == "== Jokes about food, 2 of 2")
    #expect(ScreenModel(self.loaded(joke)) == ScreenModel(JokesState().alter(.choose(food))))
    let failed = JokesState().alter(.choose(food), .jokes(food, .failed(.status(503))))
    #expect(ScreenView.lines(ScreenModel(failed)) == ["== Jokes about food", "The server says 503.", "   retry   back   quit"])
    // The screen offers no retry after a permanent failure.
    let gone = JokesState().alter(.choose(food), .jokes(food, .failed(.status(404))))
    #expect(ScreenView.lines(ScreenModel(gone)).last == "   back   quit")
    #expect(ScreenView.lines(ScreenModel(self.loaded()))[1] == "There are no jokes about food.")
  }

  @Test("A screen has a context: what it shows, and what can be done there") func contexts() throws {
    let jokes = try Jokes(in: AppEnvironment.development.context(server: try #require(URL(string: "http://127.0.0.1"))))
    guard case .categories(let categories) = jokes.context else { throw CancellationError() }
    categories.choose("food")
    guard case .jokes(let context) = jokes.context else { throw CancellationError() }
    #expect(context.model.title == "food")
    context.back()
    guard case .categories = jokes.context else { throw CancellationError() }
  }

  @Test("A screen is tested with actions of the test: without a store, and without the state") func screenAlone() {
    let calls = Shared<[String]>([])
    func action(_ name: String) -> UserAction<Void> { UserAction { calls.value += [name] } }
    let choose = UserAction { (name: String) in calls.value += ["choose \(name)"] }
    guard case .categories(let categories) = ScreenModel(JokesState()), case .jokes(let jokes) = ScreenModel(loaded(joke)) else {
      Issue.record("the states have other screens")
      return
    }
    for word in ["food", "", "retry"] {
      ScreenView.type(word, CategoriesContext(model: categories, choose: choose, retry: action("retry")))
    }
    for word in ["next", "food", "back", "", "retry"] {
      ScreenView.type(word, JokesContext(model: jokes, next: action("next"), back: action("back"), retry: action("retry")))
    }
    #expect(calls.value == ["choose food", "retry", "next", "back", "next", "retry"])
  }

  // MARK: - The effect without a network: the test gives the answers and advances the clock

  /// A context in which loading jokes takes three seconds and returns the test's answer.
  private func context(
    _ clock: TestClock, attempts: Int = 1, _ answer: @escaping @Sendable (Category) -> Result<[Joke], LoadError>
  ) -> Loading.Context {
    let repository = JokeRepository(
      categories: .success([animals, food]),
      jokes: { category in
        AsyncResult {
          // If the load is cancelled, it returns at once.
          try? await clock.sleep(for: .seconds(3))
          return answer(category)
        }
      })
    return Loading.Context(repository: repository, attempts: attempts, pause: .seconds(1), clock: clock.clock)
  }

  /// The screen with jokes of which none has been drawn.
  private func screen(_ jokes: Joke...) -> JokesState.Screen { .jokes(food, .loaded(Deck(jokes))) }

  /// The state of an app that has loaded its categories.
  private var listed: JokesState { JokesState().alter(.categories(.loaded([animals, food]))) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("What is wanted is loaded, and the answer is a change") func loads() async {
    let clock = TestClock()
    let store = TestStore(listed, feedbacks: [Loading.jokes], in: context(clock) { _ in .success([joke]) }, clock: clock)
    store.send(.choose(food), changing: ["screen": JokesState.Screen.jokes(food, .loading)])
    #expect(store.effects.map(\.feedback) == ["jokes"])
    await store.advance(by: .seconds(3))
    await store.receive(.jokes(food, .loaded([joke])), changing: ["screen": screen(joke)])
    await store.finish()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("Another category cancels the load under way; its answer is no change") func cancels() async {
    let clock = TestClock()
    let asked = Shared<[Category]>([])
    let store = TestStore(
      listed, feedbacks: [Loading.jokes],
      in: context(clock) { category in
        asked.value += [category]
        return .success(category == food ? [joke] : [other])
      }, clock: clock)
    store.send(.choose(animals), changing: ["screen": JokesState.Screen.jokes(animals, .loading)])
    await store.advance(by: .seconds(2))
    store.send(.choose(food), changing: ["screen": JokesState.Screen.jokes(food, .loading)])
    // The cancelled load returns at once, and its answer is ignored.
    await store.settle()
    #expect(asked.value == [animals])
    await store.advance(by: .seconds(3))
    await store.receive(.jokes(food, .loaded([joke])), changing: ["screen": screen(joke)])
    await store.finish()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("What fails for a moment is tried again, with growing pauses; then it has failed, and can be asked for again") func retries() async
  {
    let clock = TestClock()
    let calls = Shared(0)
    let store = TestStore(
      listed, feedbacks: [Loading.jokes],
      in: context(clock, attempts: 3) { _ in
        calls.value += 1
        return calls.value < 4 ? .failure(.status(503)) : .success([joke])
      }, clock: clock)
    store.send(.choose(food), changing: ["screen": JokesState.Screen.jokes(food, .loading)])
    // Three attempts of three seconds each, with pauses of one and two seconds.
    await store.advance(by: .seconds(3 + 1 + 3 + 2 + 3))
    #expect(calls.value == 3)
    await store.receive(
      .jokes(food, .failed(.status(503))), changing: ["screen": JokesState.Screen.jokes(food, .failed(.status(503)))])
    store.send(.retry, changing: ["screen": JokesState.Screen.jokes(food, .loading)])
    await store.advance(by: .seconds(3))
    await store.receive(.jokes(food, .loaded([joke])), changing: ["screen": screen(joke)])
    await store.finish()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("What won't get better is not tried again") func permanent() async {
    let clock = TestClock()
    let store = TestStore(
      listed, feedbacks: [Loading.jokes], in: context(clock, attempts: 3) { _ in .failure(.status(404)) }, clock: clock)
    store.send(.choose(food), changing: ["screen": JokesState.Screen.jokes(food, .loading)])
    await store.advance(by: .seconds(3))
    await store.receive(
      .jokes(food, .failed(.status(404))), changing: ["screen": JokesState.Screen.jokes(food, .failed(.status(404)))])
    await store.finish()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("Categories are loaded at the start, and their failure is a change") func categories() async {
    let clock = TestClock()
    var failing = context(clock) { _ in .success([]) }
    let store = TestStore(JokesState(), feedbacks: [Loading.categories], in: failing, clock: clock)
    await store.receive(.categories(.loaded([animals, food])), changing: ["categories": JokesState.Loadable.loaded([animals, food])])
    await store.finish()
    failing.repository.categories = .failure(.unreadable)
    let failed = TestStore(JokesState(), feedbacks: [Loading.categories], in: failing, clock: clock)
    await failed.receive(
      .categories(.failed(.unreadable)), changing: ["categories": JokesState.Loadable<[JokesCore.Category]>.failed(.unreadable)])
    await failed.finish()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("The number is drawn outside the state, from as many as there are, and arrives as a change") func dice() async {
    let sides = Shared<[Int]>([])
    let dice = Drawing.Dice { count in
      sides.value += [count]
      return count - 1
    }
    let store = TestStore(loaded(joke, other, third), feedbacks: [Drawing.draw], in: dice)
    await store.receive(.drawn(2)) { $0 = $0.alter(.drawn(2)) }
    #expect(shown(store.state) == third)
    store.send(.next) { $0 = $0.alter(.next) }
    await store.receive(.drawn(1)) { $0 = $0.alter(.drawn(1)) }
    #expect(shown(store.state) == other && sides.value == [3, 2])
    await store.finish()
  }

  @Test("The system's dice show each number, and no others") func random() {
    let numbers = (0..<1_000).map { _ in Drawing.Dice.random.roll(3) }
    #expect(Set(numbers) == [0, 1, 2])
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
    let repository = AppEnvironment.production.context(server: base).loading.repository
    let categories = try await repository.categories.value(in: ())
    var all: [Joke] = []
    for category in categories { all += try await repository.jokes(category).value(in: ()) }
    #expect(categories.count >= 5 && all.count >= 40)
    #expect(Set(all.map(\.setup)).count == all.count)
    let staging = AppEnvironment.staging.context(server: base).loading.repository
    #expect(try await staging.categories.value(in: ()).count == categories.count + 1)
    #expect(await repository.jokes(Category("nobody")).run(in: ()) == .success([]))
    // A name is one component of the path, whatever its characters.
    for name in ["food/ten?", "..", ".", "", "%2e%2e"] { #expect(await repository.jokes(Category(name)).run(in: ()) == .success([])) }
  }

  @Test("An answer that is an error, or no joke, is a failure of its own") func wrongAnswers() async throws {
    let (server, url) = try server("--garble", "food")
    defer { withExtendedLifetime(server) {} }
    let base = try #require(URL(string: url))
    #expect(await JokeRepository.http(base.appending(path: "nowhere")).categories.run(in: ()) == .failure(.status(404)))
    #expect(await JokeRepository.http(base).jokes(food).run(in: ()) == .failure(.unreadable))
  }

  @Test("An answer that takes longer than ten seconds is none, however slowly it comes") func slow() async throws {
    let (server, url) = try server("--hold", "food")
    defer { withExtendedLifetime(server) {} }
    let clock = TestClock()
    let base = try #require(URL(string: url))
    async let result = JokeRepository.http(base, clock: clock.clock).jokes(food).run(in: ())
    // The request needs a thread of the few for asynchronous code: this one must not be blocked.
    _ = try await onThread { Result { try server.read(until: "asked /jokes/food/ten") } }.get()
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    #expect(await result == .failure(.unreachable(String(url.dropFirst("http://".count)))))
  }

  @Test("'quit' does not wait for a server") func quits() throws {
    let (server, url) = try server("--hold", "food")
    let app = try Example("jokes", "--environment", "production", "--server", url)
    try app.read(until: "animals  food")
    app.type("food")
    try server.read(until: "asked /jokes/food/ten")
    // The app shows only the latest state: 'quit' must not come before this one is shown.
    try app.read(until: "Loading jokes about food …")
    try app.read(until: "   back   quit")
    app.type("quit")
    #expect(app.end() == 0)
    // Nothing was retried meanwhile, and nothing failed: the app did not wait.
    #expect(app.lines.last == "   back   quit" && app.lines.contains("Loading jokes about food …"))
    withExtendedLifetime(server) {}
  }

  @Test("Each environment has its server, its attempts and its dice") func contextsOfEnvironments() throws {
    let base = try #require(URL(string: "http://127.0.0.1"))
    let attempts = AppEnvironment.allCases.map { $0.context(server: base).loading.attempts }
    #expect(attempts == [5, 2, 3, 1])
    #expect(AppEnvironment.allCases.map(\.needsBundledServer) == [false, true, true, false])
    #expect(AppEnvironment.production.publicServer == "https://official-joke-api.appspot.com")
    #expect((0..<100).allSatisfy { _ in AppEnvironment.test.context(server: base).dice.roll(6) == 0 })
    let production = AppEnvironment.production.context(server: base)
    #expect(Set((0..<1_000).map { _ in production.dice.roll(2) }) == [0, 1])
  }

  @Test("The app starts the bundled server, shows categories, and random jokes of one") func app() throws {
    let app = try Example("jokes", "--environment", "staging")
    try app.read(until: "animals  food  computers  weather  numbers  music")
    app.type("music")
    let first = try app.read(until: "== Jokes about music, ")
    app.type("next")
    // There are two jokes, and the next is never the same.
    try app.read(until: first == "== Jokes about music, 1 of 2" ? "== Jokes about music, 2 of 2" : "== Jokes about music, 1 of 2")
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
    // The app shows only the latest state: 'back' must not come before this one is shown.
    try app.read(until: "Loading jokes about animals …")
    try server.read(until: "asked /jokes/animals/ten")
    app.type("back")
    try app.read(until: "animals  food")
    app.type("food")
    try app.read(until: "Why was the soup so calm?")
    // The server sends the held answer now, although the app has withdrawn the request.
    server.type("go on")
    while let line = server.readLine() {
      if line.hasPrefix("answered /jokes/animals/ten") || line.hasPrefix("gone /jokes/animals/ten") { break }
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
    try app.read(until: "The jokes can't be reached: '\(url.dropFirst("http://".count))' does not answer. Is this machine online?")
    #expect(app.end() == 0)
  }

  @Test("Development has no server; staging has what is new; an environment that doesn't exist is refused") func environments() throws {
    let development = try Example.run("jokes", "--environment", "development", input: "clocks\n")
    #expect(development.contains { $0 == "Why did the clock go to school?" || $0 == "Why do hands of clocks never quarrel?" })
    #expect(try Example.run("jokes", "--environment", "staging").contains { $0.hasSuffix("numbers  music") })
    let usage = "usage: jokes [--environment production|staging|"
    #expect(try Example.run("jokes", "--environment", "paradise", status: 1)[0].hasPrefix(usage))
    // A mistyped option does not lead to the public server.
    #expect(try Example.run("jokes", "--enviroment", "staging", status: 1)[0].hasPrefix(usage))
    #expect(try Example.run("jokes", "--server", status: 1)[0].hasPrefix(usage))
    #expect(try Example.run("jokes", "--server", "nonsense", status: 1) == ["jokes: this is not a URL of a server"])
  }
}
