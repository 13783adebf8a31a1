import Alter
import AlterCore

/// Records the effects of a test store: the requests that were performed, and the errors that are not asserted yet.
final class PerformedEffects: StoreMonitor {
  private struct State {
    var keys: [(feedback: String, id: RequestID)] = []
    var errors: [(feedback: String, error: any Error)] = []
  }

  private let state = Lock(State())

  func record(_ event: StoreEvent, of journal: String) {
    guard case .effectThrew(let feedback, let error) = event else { return }
    state.withLock { $0.errors.append((feedback, error)) }
  }

  func perform<Result: Sendable>(_ effect: MonitoredEffect, of journal: String, _ body: () async -> Result) async -> Result {
    if let id = RequestID(effect.key) { state.withLock { $0.keys.append((effect.feedback, id)) } }
    return await body()
  }

  func keys(_ feedback: String) -> [RequestID] { state.withLock { $0.keys.filter { $0.feedback == feedback }.map(\.id) } }

  func nextError() -> (feedback: String, error: any Error)? { state.withLock { $0.errors.isEmpty ? nil : $0.errors.removeFirst() } }

  /// The errors as text.
  var errors: [String] { state.withLock { $0.errors.map { "'\($0.feedback)' has thrown \($0.error)" } } }
}
