public import Alter

/// The one effect of the app: what the state wants is loaded, and the answer is a change.
public enum Loading {
  /// Sees what the state wants. When it wants something else, because another category was chosen, the load under way is cancelled, and
  /// whatever it still answers does not count.
  public static let feedback = Feedback<JokesState, World>("load", request: \.wanted) { request, world in
    switch request {
    case .categories: .categories(await load(in: world) { await world.repository.categories() })
    case .jokes(let category): .jokes(category, await load(in: world) { await world.repository.jokes(category) })
    }
  }

  /// Loads, and tries again as long as it may get better; a failure is an answer, too.
  private static func load<Value>(
    in world: World, _ work: () async -> Result<Value, LoadError>
  ) async -> JokesState.Loadable<Value> {
    // A failure that won't pass ends the attempts, as a success does.
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
