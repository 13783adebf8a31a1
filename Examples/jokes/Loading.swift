import Alter
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The dependencies of the effect, as a value. There is one for each purpose; a test makes its own.
struct JokeContext: Sendable {
  /// Loads a joke of a category: one attempt.
  var random: @Sendable (_ category: String) async -> Result<Joke, LoadError>
  var attempts = 3
  /// The clock for the pauses between attempts.
  var clock: any Clock<Duration> = ContinuousClock()
}

extension Feedback<JokeState, JokeContext> {
  /// Loads a joke while the state requests one. The answer is a change, and so is a failure. If the request changes or disappears, the load in
  /// flight is cancelled, and its answer is ignored.
  static let loading = Feedback("load", request: \.request) { category, context in
    switch await retrying(context.attempts, on: context.clock, { await context.random(category) }) {
    case .success(let joke): .loaded(joke)
    case .failure(let error): .failed(error)
    }
  }.latestWins
}

extension JokeContext {
  /// The context for users: the Official Joke API.
  static var production: JokeContext { .server(URL(string: "https://official-joke-api.appspot.com")!) }

  /// A context for work on the screen: a joke in memory, and no server.
  static let development = JokeContext { category in
    category == "nothing"
      ? .failure(.noJokes) : .success(Joke(setup: "Why did the clock go to school?", punchline: "It wanted to learn to tell the time."))
  }

  /// A context with a server that has the interface of the Official Joke API: `GET jokes/CATEGORY/random` returns an array of one joke, or an
  /// empty one.
  ///
  /// - Parameters:
  ///   - url: The server.
  ///   - clock: Measures the time until the whole answer is there. The limits of `URLSession` would let a server that sends a byte now and then
  ///     hold a request for days.
  static func server(_ url: URL, clock: any Clock<Duration> = ContinuousClock()) -> JokeContext {
    let session = URLSession(configuration: .ephemeral)
    return JokeContext { category in
      let url = url.appending(component: "jokes").appending(component: category).appending(component: "random")
      let answer = await withTimeout(.seconds(10), on: clock) { try? await session.data(from: url) }
      guard case .some(.some(let (data, response))) = answer else { return .failure(.unreachable) }
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      guard status == 200 else { return .failure(.status(status)) }
      guard let jokes = try? JSONDecoder().decode([Joke].self, from: data) else { return .failure(.unreadable) }
      return jokes.first.map { .success($0) } ?? .failure(.noJokes)
    }
  }
}
