/// Where jokes come from: what the domain asks for, whoever answers.
public struct JokeRepository: Sendable {
  /// What there are jokes about.
  public var categories: @Sendable () async -> Result<[Category], LoadError>
  /// The jokes about something.
  public var jokes: @Sendable (Category) async -> Result<[Joke], LoadError>

  /// A repository that answers so.
  public init(
    categories: @escaping @Sendable () async -> Result<[Category], LoadError>,
    jokes: @escaping @Sendable (Category) async -> Result<[Joke], LoadError>
  ) {
    (self.categories, self.jokes) = (categories, jokes)
  }
}

/// What effects depend on: everything that is not a function of the state.
public struct World: Sendable {
  /// Where jokes come from.
  public var repository: JokeRepository
  /// How often a load is tried.
  public var attempts: Int
  /// How long to wait before the second attempt; twice as long before each further one.
  public var pause: Duration
  /// What is waited by.
  public var clock: any Clock<Duration>

  /// A world of these.
  public init(repository: JokeRepository, attempts: Int, pause: Duration, clock: any Clock<Duration> = ContinuousClock()) {
    (self.repository, self.attempts, self.pause, self.clock) = (repository, attempts, pause, clock)
  }
}
