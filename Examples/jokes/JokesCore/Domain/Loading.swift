public import Alter

/// The source of jokes, as the domain sees it: asynchronous work that may fail. The implementation may be a server or memory.
public struct JokeRepository: Sendable {
  /// Loads the categories.
  public var categories: AsyncResult<Void, [Category], LoadError>
  /// Loads the jokes of a category: some of them, or all.
  public var jokes: @Sendable (Category) -> AsyncResult<Void, [Joke], LoadError>

  /// A repository with the given work.
  public init(
    categories: AsyncResult<Void, [Category], LoadError>, jokes: @escaping @Sendable (Category) -> AsyncResult<Void, [Joke], LoadError>
  ) {
    (self.categories, self.jokes) = (categories, jokes)
  }
}

/// The effects that load: each answers with a change, and so does its failure.
public enum Loading {
  /// The dependencies of these effects, and no others: a part of the app's context.
  public struct Context: Sendable {
    /// The source of jokes.
    public var repository: JokeRepository
    /// The maximum number of attempts for each load.
    public var attempts: Int
    /// The pause before the second attempt. Each further pause is twice as long.
    public var pause: Duration
    /// The clock that measures the pauses.
    public var clock: any Clock<Duration>

    /// A context with the given dependencies.
    public init(repository: JokeRepository, attempts: Int, pause: Duration, clock: any Clock<Duration> = ContinuousClock()) {
      (self.repository, self.attempts, self.pause, self.clock) = (repository, attempts, pause, clock)
    }
  }

  /// Loads the categories while the state requests them.
  public static let categories = Feedback<JokesState, Context>(
    "categories", of: \.wantsCategories, when: \.wantsCategories
  ) { _, context in
    await retried { $0.repository.categories }
      .map { JokesState.Change.categories(.loaded($0)) }
      .recover { .categories(.failed($0)) }
      .value(in: context)
  }

  /// Loads the jokes of a category. If the user chooses another one, the feedback cancels the load in flight and ignores its answer.
  public static let jokes = Feedback<JokesState, Context>("jokes", request: \.wantedJokes) { category, context in
    await retried { $0.repository.jokes(category) }
      .map { JokesState.Change.jokes(category, .loaded($0)) }
      .recover { .jokes(category, .failed($0)) }
      .value(in: context)
  }.latestWins

  /// Work of the repository that is retried while a retry may succeed.
  private static func retried<Value>(
    _ work: @escaping @Sendable (Context) -> AsyncResult<Void, Value, LoadError>
  ) -> AsyncResult<Context, Value, LoadError> {
    AsyncResult { context in
      // A permanent failure ends the attempts, as a success does.
      await retrying(context.attempts, pause: context.pause, on: context.clock) {
        switch await work(context).run(in: ()) {
        case .failure(let error) where error.mayPass: Result<Result<Value, LoadError>, LoadError>.failure(error)
        case let result: .success(result)
        }
      }.flatMap { $0 }
    }
  }
}
