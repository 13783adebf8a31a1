public import AlterCore

// One request while a condition on the whole state holds: the effect and its condition side by side.

extension Feedback {
  /// Creates a feedback from an effect and its condition. The effect starts when the condition becomes true, and is cancelled when it becomes
  /// false.
  ///
  /// ```swift
  /// let load = AsyncResult<World, Joke, Never> { world in .success(await world.joke()) }
  /// Feedback<AppState, World>("load", load.map(Change.told), when: \.isLoading)
  /// ```
  ///
  /// The effect receives no part of the state, because the state may change while the condition stays true. For an effect that needs a value
  /// of the state, that value is the request: `init(_:request:effect:)`. A change of the value then restarts the effect.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - effect: The work whose value is the answer. The answer should make the condition false.
  ///   - condition: Whether the state needs the effect. Pure and fast: it is called for each change.
  public init(
    _ name: String, _ effect: AsyncResult<Environment, State.Change, Never>, when condition: @escaping @Sendable (State) -> Bool
  ) {
    self.init(name, when: condition) { environment, _ in await effect.value(in: environment) }
  }

  /// Creates a feedback from an effect that may fail, and its condition.
  ///
  /// ```swift
  /// let load = AsyncResult<World, Joke, LoadError> { world in await world.joke() }
  /// Feedback<AppState, World>("load", load.map(Change.told), when: \.isLoading, failure: Change.failed)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - effect: The work whose value is the answer. The answer should make the condition false.
  ///   - condition: Whether the state needs the effect. Pure and fast: it is called for each change.
  ///   - failure: Returns the answer for a failure of the work. It, too, should make the condition false.
  public init<Failure: Error>(
    _ name: String, _ effect: AsyncResult<Environment, State.Change, Failure>, when condition: @escaping @Sendable (State) -> Bool,
    failure: @escaping @Sendable (Failure) -> State.Change
  ) {
    self.init(name, effect.recover(failure), when: condition)
  }

  /// Creates a feedback from an effect, a function, and its condition.
  ///
  /// ```swift
  /// // func loadJoke(_ world: World) async -> Change?
  /// Feedback<AppState, World>("load", loadJoke, when: \.isLoading)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - effect: Performs the effect. Its answer is one change, which should make the condition false; nil for none.
  ///   - condition: Whether the state needs the effect. Pure and fast: it is called for each change.
  public init(
    _ name: String, _ effect: @escaping @Sendable (Environment) async -> State.Change?, when condition: @escaping @Sendable (State) -> Bool
  ) {
    self.init(name, when: condition) { environment, _ in await effect(environment) }
  }

  /// Creates a feedback from an effect that throws, a function, and its condition.
  ///
  /// ```swift
  /// // func loadJoke(_ world: World) async throws(LoadError) -> Change?
  /// Feedback<AppState, World>("load", loadJoke, when: \.isLoading, failure: Change.failed)
  /// ```
  ///
  /// Swift infers `any Error` from a closure. To keep a typed error, write `{ world throws(LoadError) in … }`, or pass a function.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - effect: Performs the effect. Its answer is one change, which should make the condition false; nil for none.
  ///   - condition: Whether the state needs the effect. Pure and fast: it is called for each change.
  ///   - failure: Returns the answer for an error. It, too, should make the condition false.
  public init<Failure: Error>(
    _ name: String, _ effect: @escaping @Sendable (Environment) async throws(Failure) -> State.Change?,
    when condition: @escaping @Sendable (State) -> Bool, failure: @escaping @Sendable (Failure) -> State.Change
  ) {
    self.init(name, when: condition) { environment, _ in
      do throws(Failure) { return try await effect(environment) } catch { return failure(error) }
    }
  }

  /// Creates a feedback from a condition and an effect in a trailing closure.
  ///
  /// ```swift
  /// Feedback<AppState, World>("load", when: \.isLoading) { world in .told(await world.joke()) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - condition: Whether the state needs the effect. Pure and fast: it is called for each change.
  ///   - effect: Performs the effect. Its answer is one change, which should make the condition false; nil for none.
  public init(
    _ name: String, when condition: @escaping @Sendable (State) -> Bool,
    effect: @escaping @Sendable (Environment) async -> State.Change?
  ) {
    self.init(name, when: condition) { environment, _ in await effect(environment) }
  }

  /// Creates a feedback from a condition, and an effect that reports progress or uses its key.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - condition: Whether the state needs the effect. Pure and fast: it is called for each change.
  ///   - effect: Performs the effect. It may send changes while it runs; its result is the last one.
  public init(
    _ name: String, when condition: @escaping @Sendable (State) -> Bool,
    effect: @escaping @Sendable (Environment, Effect<State>) async -> State.Change?
  ) {
    self.init(name, request: { condition($0) ? true : nil }) { (_: Bool, environment, progress: Effect<State>) in
      await effect(environment, progress)
    }
  }

  /// Creates a feedback from a condition and an effect that throws, in trailing closures.
  ///
  /// ```swift
  /// Feedback<AppState, World>("load", when: \.isLoading) { world in
  ///   .told(try await world.joke())
  /// } failure: { error in .failed("\(error)") }
  /// ```
  ///
  /// Swift infers `any Error` from a closure. To keep a typed error, write `{ world throws(LoadError) in … }`, or pass a function.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - condition: Whether the state needs the effect. Pure and fast: it is called for each change.
  ///   - effect: Performs the effect. Its answer is one change, which should make the condition false; nil for none.
  ///   - failure: Returns the answer for an error. It, too, should make the condition false.
  public init<Failure: Error>(
    _ name: String, when condition: @escaping @Sendable (State) -> Bool,
    effect: @escaping @Sendable (Environment) async throws(Failure) -> State.Change?,
    failure: @escaping @Sendable (Failure) -> State.Change
  ) {
    self.init(name, effect, when: condition, failure: failure)
  }

  /// Creates a feedback from a condition, and an effect that throws, and reports progress or uses its key.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - condition: Whether the state needs the effect. Pure and fast: it is called for each change.
  ///   - effect: Performs the effect. It may send changes while it runs; its result is the last one.
  ///   - failure: Returns the answer for an error. Changes that the effect has sent before stay.
  public init<Failure: Error>(
    _ name: String, when condition: @escaping @Sendable (State) -> Bool,
    effect: @escaping @Sendable (Environment, Effect<State>) async throws(Failure) -> State.Change?,
    failure: @escaping @Sendable (Failure) -> State.Change
  ) {
    self.init(name, when: condition) { environment, progress in
      do throws(Failure) { return try await effect(environment, progress) } catch { return failure(error) }
    }
  }
}
