/// Asynchronous work that needs an environment and may fail: a value until it is run.
///
/// ```swift
/// let joke = AsyncResult<World, Joke, LoadError> { world in await world.jokes.random() }
///   .flatMap { joke in joke.isClean ? .success(joke) : .failure(.unsuitable) }
///   .mapError(LoadError.init)
/// let result = await joke.run(in: .live)
/// ```
///
/// The type is a thin struct over `(Environment) async -> Result<Value, Failure>`, and a monad in its value: `flatMap`
/// is associative, `success` is its unit, and functions mapped over the value do not affect a failure.
public struct AsyncResult<Environment: Sendable, Value: Sendable, Failure: Error>: Sendable {
  private let work: @Sendable (Environment) async -> Result<Value, Failure>

  /// Creates work that returns a result.
  ///
  /// - Parameter work: The work; it receives its dependencies.
  public init(_ work: @escaping @Sendable (Environment) async -> Result<Value, Failure>) { self.work = work }

  /// Creates work that returns or throws.
  ///
  /// - Parameter work: The work; it receives its dependencies.
  public init(catching work: @escaping @Sendable (Environment) async throws(Failure) -> Value) {
    self.init { environment in
      do throws(Failure) { return .success(try await work(environment)) } catch { return .failure(error) }
    }
  }

  /// Creates an immediate success.
  public static func success(_ value: Value) -> AsyncResult { AsyncResult { _ in .success(value) } }

  /// Creates an immediate failure.
  public static func failure(_ failure: Failure) -> AsyncResult { AsyncResult { _ in .failure(failure) } }

  /// Runs the work.
  ///
  /// - Parameter environment: The dependencies of the work.
  public func run(in environment: Environment) async -> Result<Value, Failure> { await work(environment) }

  /// Runs the work, for callers that throw: the inverse of ``init(catching:)``.
  ///
  /// Work that cannot fail (its `Failure` is `Never`) needs no `try`.
  ///
  /// - Parameter environment: The dependencies of the work.
  /// - Returns: The value.
  /// - Throws: The failure of the work.
  public func value(in environment: Environment) async throws(Failure) -> Value { try await work(environment).get() }

  // MARK: - The value

  /// Returns the same work with its value transformed.
  public func map<NewValue>(_ transform: @escaping @Sendable (Value) -> NewValue) -> AsyncResult<Environment, NewValue, Failure> {
    AsyncResult<Environment, NewValue, Failure> { await run(in: $0).map(transform) }
  }

  /// Returns the same work, followed by work that depends on its value. A failure ends the sequence.
  public func flatMap<NewValue>(
    _ transform: @escaping @Sendable (Value) -> AsyncResult<Environment, NewValue, Failure>
  ) -> AsyncResult<Environment, NewValue, Failure> {
    AsyncResult<Environment, NewValue, Failure>(catching: { environment async throws(Failure) in
      try await transform(try await value(in: environment)).value(in: environment)
    })
  }

  // MARK: - The failure

  /// Returns the same work with its failure transformed.
  public func mapError<NewFailure>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> AsyncResult<Environment, Value, NewFailure> {
    AsyncResult<Environment, Value, NewFailure> { await run(in: $0).mapError(transform) }
  }

  /// Returns the same work with its failure turned into a value, so that the result cannot fail.
  ///
  /// ```swift
  /// joke.map(Change.told).recover { error in .failed(error) }   // an effect's answer: the failure is a change, too
  /// ```
  ///
  /// - Parameter transform: Returns the value for a failure.
  public func recover(_ transform: @escaping @Sendable (Failure) -> Value) -> AsyncResult<Environment, Value, Never> {
    AsyncResult<Environment, Value, Never> { environment in
      switch await run(in: environment) {
      case .success(let value): .success(value)
      case .failure(let failure): .success(transform(failure))
      }
    }
  }

  // MARK: - The environment

  /// Returns the same work for a larger environment.
  ///
  /// - Parameter environment: Extracts this work's environment from the larger one.
  public func provide<Larger>(_ environment: @escaping @Sendable (Larger) -> Environment) -> AsyncResult<Larger, Value, Failure> {
    AsyncResult<Larger, Value, Failure> { await run(in: environment($0)) }
  }

  /// Returns the same work with its dependencies supplied.
  public func provide(_ environment: Environment) -> AsyncResult<Void, Value, Failure> {
    AsyncResult<Void, Value, Failure> { await run(in: environment) }
  }
}
