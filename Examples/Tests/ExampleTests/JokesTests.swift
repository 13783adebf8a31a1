import Alter
import AlterTesting
import Foundation
import ProcessTesting
import Testing

@testable import jokes

@Suite("jokes") struct JokesTests {
  private let joke = Joke(setup: "Why?", punchline: "Because.")
  private let loadingFood = JokeState.loading(category: "food")

  @Test("The state has a request while it is loading, and in no other case") func request() throws {
    #expect(JokeState.empty.request == nil && loadingFood.request == "food")
    #expect(try loadingFood.alter(.choose("animals")).request == "animals")
    for change in [JokeState.Change.loaded(joke), .failed(.unreachable), .cancel] { #expect(try loadingFood.alter(change).request == nil) }
    #expect(try loadingFood.alter(.loaded(joke), .again) == loadingFood && loadingFood.alter(.failed(.unreachable), .again) == loadingFood)
    #expect(throws: Refusal.self) { try JokeState.empty.alter(.loaded(joke)) }
  }

  @Test("The screen is a function of the state, so that it is tested without a view") func screen() throws {
    #expect(JokeScreen(loadingFood).lines == ["Loading a joke about food …"])
    #expect(JokeScreen(try loadingFood.alter(.loaded(joke))).lines == ["Why?", "    Because."])
    #expect(JokeScreen(try loadingFood.alter(.failed(.noJokes))).lines == ["There are no jokes about food."])
    #expect(JokeScreen(try loadingFood.alter(.failed(.status(503)))).actions == ["again", "CATEGORY"])
    #expect(["again", "cancel", "food"].map(JokeScreen.change) == [.again, .cancel, .choose("food")])
  }

  // MARK: - The effect without a network: the test gives the answers and advances the clock

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A requested joke is loaded, and the answer is a change") func loads() async {
    let store = TestStore(JokeState.empty, feedbacks: [.loading], in: JokeContext { [joke] _ in .success(joke) })
    store.send(.choose("food")) { $0 = loadingFood }
    await store.receive(.loaded(joke)) { $0 = .loaded(joke, category: "food") }
    await store.finish()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A failure is repeated with growing pauses; then it is a change, and the user can request the joke again") func retries() async {
    let (clock, calls) = (TestClock(), Shared(0))
    let context = JokeContext(
      random: { [joke] _ in
        let count = calls.withLock { count in
          count += 1
          return count
        }
        return count < 4 ? .failure(.status(503)) : .success(joke)
      }, clock: clock.clock)
    let store = TestStore(JokeState.empty, feedbacks: [.loading], in: context, clock: clock)
    store.send(.choose("food")) { $0 = loadingFood }
    await store.advance(by: .milliseconds(200 + 400))
    #expect(calls.withLock { $0 } == 3)
    await store.receive(.failed(.status(503))) { $0 = .failed(.status(503), category: "food") }
    store.send(.again) { $0 = loadingFood }
    await store.receive(.loaded(joke)) { $0 = .loaded(joke, category: "food") }
    await store.finish()
  }

  // MARK: - Over HTTP

  @Test("There is a context for each purpose: with a server, and in memory") func environments() async throws {
    #expect(await JokeContext.development.random("nothing") == .failure(.noJokes))
    let server = try JokeServer { path in
      switch path {
      case "/jokes/food/random": (200, JokeServer.joke("Why?"))
      case "/jokes/nothing/random": (200, "[]")
      case "/jokes/damage/random": (200, "<html>")
      default: (404, path)
      }
    }
    let context = JokeContext.server(server.url)
    #expect(await context.random("food") == .success(joke))
    #expect(await context.random("nothing") == .failure(.noJokes))
    #expect(await context.random("damage") == .failure(.unreadable))
    // A category is one component of the path, whatever its characters.
    #expect(await context.random("food/random?") == .failure(.status(404)))
  }

  @Test("An answer that takes longer than ten seconds is a failure") func slow() async throws {
    let isAsked = AsyncStream<Void>.makeStream()
    let held = DispatchSemaphore(value: 0)
    let server = try JokeServer { _ in
      isAsked.continuation.finish()
      held.wait()
      return (200, "[]")
    }
    let clock = TestClock()
    async let result = JokeContext.server(server.url, clock: clock.clock).random("food")
    for await _ in isAsked.stream {}
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    #expect(await result == .failure(.unreachable))
    held.signal()
  }

  @Test("The app loads a joke, and repeats a request that fails for a moment") func app() throws {
    let calls = Shared(0)
    let server = try JokeServer { _ in
      let count = calls.withLock { count in
        count += 1
        return count
      }
      return count < 3 ? (503, "") : (200, JokeServer.joke("Why \(count)?"))
    }
    let app = try Example("jokes", server.url.absoluteString)
    app.type("food")
    try app.read(until: "Why 3?")
    app.type("again")
    try app.read(until: "Why 4?")
    #expect(app.end() == 0 && !app.lines.contains { $0.contains("503") })
  }

  @Test("A load in flight is cancelled for another category, and its answer is never shown") func abandoned() throws {
    let (isAsked, held, isAnswered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try JokeServer { path in
      guard path == "/jokes/animals/random" else { return (200, JokeServer.joke("Why \(path)?")) }
      isAsked.signal()
      held.wait()
      defer { isAnswered.signal() }
      return (200, JokeServer.joke("Why the hedgehog?"))
    }
    let app = try Example("jokes", server.url.absoluteString)
    app.type("animals")
    try app.read(until: "Loading a joke about animals …")
    isAsked.wait()
    app.type("food")
    try app.read(until: "Why /jokes/food/random?")
    // The server sends the held answer now, although the app has withdrawn the request.
    held.signal()
    isAnswered.wait()
    app.type("weather")
    try app.read(until: "Why /jokes/weather/random?")
    #expect(app.end() == 0 && !app.lines.contains { $0.contains("hedgehog") })
  }

  @Test("The app ends without an answer, and reports that there is no server") func ends() throws {
    let held = DispatchSemaphore(value: 0)
    let server = try JokeServer { _ in
      held.wait()
      return (200, "[]")
    }
    let app = try Example("jokes", server.url.absoluteString)
    app.type("food")
    try app.read(until: "Loading a joke about food …")
    #expect(app.end() == 0)
    held.signal()
    server.stop()
    let second = try Example("jokes", server.url.absoluteString)
    second.type("food")
    try second.read(until: "The server does not answer. Is this machine online?")
    #expect(second.end() == 0)
  }

  @Test("An argument that is neither a URL nor 'development' gives the usage") func mistyped() throws {
    #expect(try Example.run("jokes", "nonsense", status: 1) == ["usage: jokes [development | URL]"])
  }
}
