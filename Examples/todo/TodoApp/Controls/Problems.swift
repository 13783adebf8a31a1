#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The reason why the last task of a screen has failed. It disappears with the next task that succeeds.
  struct ProblemRow: View {
    let text: String

    var body: some View { Label(text, systemImage: "exclamationmark.triangle").foregroundStyle(Color.red) }
  }

  extension View {
    /// Shows an alert when a change of a screen is refused.
    @MainActor
    func refusalAlert<Value>(of observed: Observed<AppState, Value>) -> some View {
      refusalAlert("Not possible", of: observed) { Text(verbatim: text(of: $0)) }
    }
  }

  /// Runs a task of a screen.
  ///
  /// - Parameters:
  ///   - problem: Receives the error's description; nil if the task succeeds.
  ///   - task: The task.
  @MainActor
  func report(to problem: Binding<String?>, _ task: @MainActor () async throws -> Void) async {
    do {
      try await task()
      problem.wrappedValue = nil
    } catch {
      problem.wrappedValue = text(of: error)
    }
  }
#endif
