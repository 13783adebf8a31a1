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
#endif
