#if canImport(SwiftUI)
  public import AlterCore
  public import AlterStore
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  extension View {
    /// Shows an alert when a change that this screen has sent is refused. Its button dismisses the refusal.
    ///
    /// ```swift
    /// List(list.open) { … }
    ///   .refusalAlert("Not possible", of: $list)
    /// ```
    ///
    /// Attach it once to a screen, not to each of its rows: each one would show an alert. While the alert is shown, it keeps its text; its
    /// button also dismisses a refusal that came meanwhile.
    ///
    /// - Parameters:
    ///   - title: The title of the alert.
    ///   - observed: The object that sends the screen's changes.
    ///   - message: Returns the text of the alert. The default is the description of the state's own error, such as a ``/AlterCore/Refusal``;
    ///     for an error of the store, such as a closed one, the description of this error.
    @MainActor
    public func refusalAlert<Model, Value>(
      _ title: LocalizedStringKey, of observed: Observed<Model, Value>,
      message: ((ChangeError<Model.Failure>) -> Text)? = nil
    ) -> some View {
      alert(
        title,
        isPresented: Binding(
          get: { @MainActor in observed.isRefused }, set: { @MainActor isPresented in observed.isRefused = isPresented }),
        presenting: observed.refusal
      ) { _ in
        // Without a button of ours, SwiftUI shows 'OK' in the user's language.
      } message: { refusal in
        message?(refusal) ?? Text(verbatim: refusal.reason)
      }
    }
  }
#endif
