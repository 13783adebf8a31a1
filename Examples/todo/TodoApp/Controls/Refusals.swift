#if canImport(SwiftUI)
  import Alter
  import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The message of the last action that was not possible. The root view shows it as an alert.
  @MainActor @Observable
  final class Refusals {
    /// The message; nil if there is none, or if the user has dismissed it.
    var message: String?
  }

  // Of an optional one, because a view in a preview has none in its environment.
  extension Refusals? {
    /// Shows the reason if an action made no change.
    @MainActor
    func report(_ result: Result<Void, ChangeError<any Error>>) {
      switch result {
      case .success: self?.message = nil
      case .failure(.refused(let refusal)): self?.message = "\(refusal)"
      case .failure(let error): self?.message = error.description
      }
    }

    /// Runs a task, and shows its error.
    @MainActor
    func run(_ task: @MainActor () async throws -> Void) async {
      do { try await task() } catch { self?.message = "\(error)" }
    }
  }
#endif
