extension Feedback {
  /// Returns the same feedback for a larger environment.
  ///
  /// The feedback of a screen or a library declares the dependencies that it needs, and the app supplies them from its own:
  ///
  /// ```swift
  /// struct App: Sendable { let jokes: JokeSource, dice: Dice }
  /// let loop = store.run([Loading.feedback.provide(\.jokes), Drawing.feedback.provide(\.dice)], in: app)
  /// ```
  ///
  /// - Parameter environment: Extracts this feedback's environment from the larger one. It is called once, when the loop starts.
  /// - Complexity: O(1), and nothing for each effect.
  public func provide<Larger: Sendable>(_ environment: @escaping @Sendable (Larger) -> Environment) -> Feedback<State, Larger> {
    Feedback<State, Larger>(name, isLocal: isLocal) { [makeRunner] context in makeRunner(context.narrowed(environment)) }
  }

  /// Returns the same feedback with its dependencies supplied.
  ///
  /// - Parameter environment: The dependencies of the effect.
  /// - Complexity: O(1), and nothing for each effect.
  public func provide(_ environment: Environment) -> Feedback<State, Void> { provide { _ in environment } }
}

extension LoopContext {
  /// The same context with a part of its environment.
  func narrowed<Part: Sendable>(_ part: (Environment) -> Part) -> LoopContext<State, Part> {
    LoopContext<State, Part>(
      name: name, isLocal: isLocal, store: store, environment: part(environment), options: options, chains: chains)
  }
}
