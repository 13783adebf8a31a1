/// The source of jokes, as the domain sees it. The implementation may be a server or memory.
public struct JokeRepository: Sendable {
  /// Loads the categories.
  public var categories: @Sendable () async -> Result<[Category], LoadError>
  /// Loads the jokes of a category.
  public var jokes: @Sendable (Category) async -> Result<[Joke], LoadError>

  /// A repository with the given closures.
  public init(
    categories: @escaping @Sendable () async -> Result<[Category], LoadError>,
    jokes: @escaping @Sendable (Category) async -> Result<[Joke], LoadError>
  ) {
    (self.categories, self.jokes) = (categories, jokes)
  }
}

/// The dependencies of the effects: everything that is not a function of the state.
public struct World: Sendable {
  /// The source of jokes.
  public var repository: JokeRepository
  /// The maximum number of attempts for each load.
  public var attempts: Int
  /// The pause before the second attempt. Each further pause is twice as long.
  public var pause: Duration
  /// The clock that measures the pauses.
  public var clock: any Clock<Duration>

  /// A world with the given dependencies.
  public init(repository: JokeRepository, attempts: Int, pause: Duration, clock: any Clock<Duration> = ContinuousClock()) {
    (self.repository, self.attempts, self.pause, self.clock) = (repository, attempts, pause, clock)
  }
}
