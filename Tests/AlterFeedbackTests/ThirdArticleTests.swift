import Alter
import AlterCore
import Testing

// The whole loop, as a reader of the third article would write it: a state, its events, a reducer, user actions, feedback with dependencies
// from a context, bindings to a view, and at most five rounds.

/// The state of the joke app's screen.
private struct JokeScreen: Alterable, Hashable {
  /// The events.
  enum Change: Hashable {
    case ask(category: String)
    case told(Joke)
    case failed(JokeError)
  }

  private(set) var wanted: String?
  private(set) var joke: Joke?
  private(set) var error: JokeError?

  /// The reducer.
  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .ask(let category): self = JokeScreen(wanted: category)
    case .told(let joke): self = JokeScreen(joke: joke)
    case .failed(let error): self = JokeScreen(error: error)
    }
  }
}

private struct Joke: Hashable, Sendable {
  let text: String
}

private enum JokeError: Error, Hashable, Sendable { case unreachable, noSuchCategory(String) }

/// The context: the dependencies of the effects.
private struct Context: Sendable {
  let jokes: @Sendable (_ category: String) async -> Result<Joke, JokeError>

  /// A source with built-in jokes.
  static let test = Context { category in
    category == "swift" ? .success(Joke(text: "An optional walks into a bar. Maybe.")) : .failure(.noSuchCategory(category))
  }
  /// A source that is unreachable.
  static let offline = Context { _ in .failure(.unreachable) }
}

/// The view model: a pure function of the state.
private struct JokeViewModel: Hashable, Sendable {
  let title: String
  let isSpinning: Bool

  init(_ screen: JokeScreen) {
    isSpinning = screen.wanted != nil
    title =
      switch (screen.joke, screen.error) {
      case (let joke?, _): joke.text
      case (_, .unreachable?): "The jokes can't be reached."
      case (_, .noSuchCategory(let category)?): "There are no jokes about \(category)."
      default: ""
      }
  }
}

/// The shown view models.
@MainActor
private final class Display {
  private(set) var shown: [JokeViewModel] = []
  private var waiting: (condition: (JokeViewModel) -> Bool, continuation: CheckedContinuation<Void, Never>)?

  func render(_ model: JokeViewModel) {
    shown.append(model)
    guard let waiting, waiting.condition(model) else { return }
    self.waiting = nil
    waiting.continuation.resume()
  }

  func wait(until condition: @escaping (JokeViewModel) -> Bool) async {
    if let last = shown.last, condition(last) { return }
    await withCheckedContinuation { waiting = (condition, $0) }
  }
}

@Suite("The third article's joke app") @MainActor
struct ThirdArticleTests {
  private let display = Display()
  private let store = Store(JokeScreen())

  /// The feedback: an asynchronous result in a context. Its value and its failure are both events.
  private let telling = Feedback<JokeScreen, Context>("tell", request: \.wanted) { category, context in
    await AsyncResult<Context, Joke, JokeError> { context in await context.jokes(category) }.map(JokeScreen.Change.told)
      .recover(JokeScreen.Change.failed).value(in: context)
  }

  /// The action of the user, whose payload is a category.
  private var ask: UserAction<String> { UserAction(store) { category in .ask(category: category) } }

  /// The execution: bindings and feedback.
  private func execute(in context: Context) throws -> (run: FeedbackRun, binding: ViewBinding) {
    var options = FeedbackOptions()
    options.rounds = 5
    return (try store.run([telling], in: context, options: options), store.bind(JokeViewModel.init) { [display] in display.render($0) })
  }

  @Test("shows nothing before execution, and the right model after")
  func success() async throws {
    #expect(display.shown.isEmpty)
    let running = try execute(in: .test)
    #expect(display.shown == [JokeViewModel(JokeScreen())])
    ask("swift")
    await display.wait { !$0.title.isEmpty }
    #expect(display.shown.last == JokeViewModel(JokeScreen().alter(.told(Joke(text: "An optional walks into a bar. Maybe.")))))
    #expect(store.state.wanted == nil)
    await running.run.stop()
    running.binding.cancel()
  }

  @Test("shows the error when the source fails")
  func failure() async throws {
    let running = try execute(in: .offline)
    ask("swift")
    await display.wait { !$0.title.isEmpty }
    #expect(display.shown.last?.title == "The jokes can't be reached." && display.shown.last?.isSpinning == false)
    await running.run.stop()
    running.binding.cancel()
  }

  @Test("shows a model once: a change that it does not show is not drawn")
  func once() async throws {
    let running = try execute(in: .test)
    ask("cats")
    await display.wait { $0.title == "There are no jokes about cats." }
    let drawn = display.shown.count
    store.state.error.map { error in UserAction(store, .failed(error))() }?.get(orIssue: "the store took no change")
    ask("swift")
    await display.wait { $0.title.hasPrefix("An optional") }
    // The model of a running search is drawn only if the search takes long enough, for each of the two.
    #expect(display.shown.count <= drawn + 2 && zip(display.shown, display.shown.dropFirst()).allSatisfy { $0 != $1 })
    await running.run.stop()
    running.binding.cancel()
    await running.binding.ended()
  }

  @Test("a user action tells why it did nothing")
  func refusedAction() async throws {
    await store.close()
    guard case .failure(.closed) = ask("swift") else {
      Issue.record("a closed store took a change")
      return
    }
  }
}

extension Result {
  fileprivate func get(orIssue message: Comment) { if case .failure = self { Issue.record(message) } }
}
