import Observation

/// The phases of an ``OpeningView``, and the task of the opening, which is not cancelled when the view disappears.
@MainActor @Observable
final class Opening<Opened: Sendable> {
  /// The phases, which exclude each other.
  enum Phase {
    case loading
    case failed(any Error)
    case open(Opened)
  }

  /// The present phase.
  private(set) var phase = Phase.loading
  /// The number of retries. The view begins another run of ``load(_:)`` when it differs.
  private(set) var attempt = 0
  @ObservationIgnored private var task: Task<Opened, any Error>?

  nonisolated init() {}

  /// Begins the opening, or waits for the one that has begun, and shows its result.
  func load(_ open: @escaping @MainActor () async throws -> Opened) async {
    // A view that reappears runs this again, and gets the same result.
    let task = task ?? Task { try await open() }
    self.task = task
    let result = await task.result
    // Another run of this function may already have shown the result, and the user begun another attempt.
    guard self.task == task else { return }
    switch result {
    case .success(let opened): phase = .open(opened)
    case .failure(let error): phase = .failed(error)
    }
  }

  /// Begins another attempt after a failure.
  func retry() {
    // A timer of the failure's view, for example, may fire after its button was pressed.
    guard case .failed = phase else { return }
    task = nil
    phase = .loading
    attempt += 1
  }
}
