/// Work that needs an environment, takes time, and may fail: a value until it is run.
///
/// ```swift
/// let joke = AsyncResult<World, Joke, LoadError> { world in await world.jokes.random() }
///   .flatMap { joke in joke.isClean ? .success(joke) : .failure(.unsuitable) }
///   .mapError(LoadError.init)
/// let result = await joke.run(in: .live)
/// ```
///
/// It is a thin struct over `(Environment) async -> Result<Value, Failure>`, and a monad in its value (and in its failure): `flatMap` is associative, `success` its
/// unit, and a failure passes by whatever is mapped over the value.
public struct AsyncResult<Environment: Sendable, Value: Sendable, Failure: Error>: Sendable {
  private let work: @Sendable (Environment) async -> Result<Value, Failure>

  /// Work that gives a result.
  ///
  /// - Parameter work: Does it, with its dependencies.
  public init(_ work: @escaping @Sendable (Environment) async -> Result<Value, Failure>) { self.work = work }

  /// Work that returns or throws.
  ///
  /// - Parameter work: Does it, with its dependencies.
  public init(catching work: @escaping @Sendable (Environment) async throws(Failure) -> Value) {
    self.init { environment in
      do throws(Failure) { return .success(try await work(environment)) } catch { return .failure(error) }
    }
  }

  /// Work of an interface with a completion handler.
  ///
  /// - Parameter start: Begins the work. It must resume the continuation once, in every case; the work can't be cancelled.
  public init(continuation start: @escaping @Sendable (Environment, CheckedContinuation<Result<Value, Failure>, Never>) -> Void) {
    self.init { environment in await withCheckedContinuation { start(environment, $0) } }
  }

  /// A value that is there already.
  public static func success(_ value: Value) -> AsyncResult { AsyncResult { _ in .success(value) } }

  /// A failure that is there already.
  public static func failure(_ failure: Failure) -> AsyncResult { AsyncResult { _ in .failure(failure) } }

  /// The environment itself.
  public static func environment() -> AsyncResult where Value == Environment { AsyncResult { .success($0) } }

  /// Does the work.
  ///
  /// - Parameter environment: Its dependencies.
  public func run(in environment: Environment) async -> Result<Value, Failure> { await work(environment) }

  // MARK: - The value

  /// The same work, with its value made into another.
  public func map<NewValue>(_ transform: @escaping @Sendable (Value) -> NewValue) -> AsyncResult<Environment, NewValue, Failure> {
    AsyncResult<Environment, NewValue, Failure> { await run(in: $0).map(transform) }
  }

  /// The same work, then more that depends on its value. A failure ends it there.
  public func flatMap<NewValue>(
    _ transform: @escaping @Sendable (Value) -> AsyncResult<Environment, NewValue, Failure>
  ) -> AsyncResult<Environment, NewValue, Failure> {
    AsyncResult<Environment, NewValue, Failure> { environment in
      switch await run(in: environment) {
      case .success(let value): await transform(value).run(in: environment)
      case .failure(let failure): .failure(failure)
      }
    }
  }

  // MARK: - The failure

  /// The same work, with its failure made into another.
  public func mapError<NewFailure>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> AsyncResult<Environment, Value, NewFailure> {
    AsyncResult<Environment, Value, NewFailure> { await run(in: $0).mapError(transform) }
  }

  /// The same work; if it fails, other work: to recover, or to fail in another way.
  public func flatMapError<NewFailure>(
    _ transform: @escaping @Sendable (Failure) -> AsyncResult<Environment, Value, NewFailure>
  ) -> AsyncResult<Environment, Value, NewFailure> {
    AsyncResult<Environment, Value, NewFailure> { environment in
      switch await run(in: environment) {
      case .success(let value): .success(value)
      case .failure(let failure): await transform(failure).run(in: environment)
      }
    }
  }

  // MARK: - The environment

  /// The same work in a larger environment.
  ///
  /// - Parameter environment: Makes what this work needs from what there is.
  public func provide<Larger>(_ environment: @escaping @Sendable (Larger) -> Environment) -> AsyncResult<Larger, Value, Failure> {
    AsyncResult<Larger, Value, Failure> { await run(in: environment($0)) }
  }

  /// The same work with its dependencies given.
  public func provide(_ environment: Environment) -> AsyncResult<Void, Value, Failure> {
    AsyncResult<Void, Value, Failure> { await run(in: environment) }
  }
}
