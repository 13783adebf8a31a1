public import Alter

/// The only effect of the app: it loads the request of the state, and the answer is a change.
public enum Loading {
  /// Follows the request of the state. When the request changes, for example because the user chose another category, the feedback cancels
  /// the load in flight and ignores its answer.
  public static let feedback = Feedback<JokesState, World>("load", request: \.wanted) { request, world in
    switch request {
    case .categories: .categories(await load(in: world) { await world.repository.categories() })
    case .jokes(let category): .jokes(category, await load(in: world) { await world.repository.jokes(category) })
    }
  }

  /// Loads, and retries while a retry may succeed. The final failure is an answer, too.
  private static func load<Value>(
    in world: World, _ work: () async -> Result<Value, LoadError>
  ) async -> JokesState.Loadable<Value> {
    // A permanent failure ends the attempts, as a success does.
    let result = await retrying(world.attempts, pause: world.pause, on: world.clock) {
      switch await work() {
      case .failure(let error) where error.mayPass: Result<Result<Value, LoadError>, LoadError>.failure(error)
      case let result: .success(result)
      }
    }
    switch result.flatMap({ $0 }) {
    case .success(let value): return .loaded(value)
    case .failure(let error): return .failed(error)
    }
  }
}
