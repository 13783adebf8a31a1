#if canImport(SwiftUI)
  public import Alter
  import AlterSwiftUI
  public import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The app: its windows show one list.
  public struct TodoScene: Scene {
    private let place: JournalPlace

    /// Creates the scene. The list is opened when the first window appears.
    ///
    /// - Parameter place: The location of the list; by default the file that the app shares with its widget and its intents.
    public init(in place: JournalPlace = TodoFile.place) { self.place = place }

    /// The windows.
    public var body: some Scene {
      WindowGroup { OpeningListView(place: place) }
    }
  }

  /// The list while it is opened, and afterwards.
  struct OpeningListView: View {
    let place: JournalPlace

    var body: some View {
      OpeningView {
        try await Store.open(AppState(), in: place)
      } content: { store in
        RootView(store: store)
      } loading: {
        ProgressView("Opening the list")
      } failure: { error, retry in
        OpeningProblemView(problem: OpeningProblem(error), retry: retry)
      }
    }
  }

  /// The reason why the list is not shown, and what the user can do.
  struct OpeningProblemView: View {
    let problem: OpeningProblem
    let retry: @MainActor () -> Void

    var body: some View {
      ContentUnavailableView {
        Label(problem.title, systemImage: "externaldrive.badge.xmark")
      } description: {
        Text(problem.advice)
        Text(problem.reason).font(.caption)
      } actions: {
        if problem.canRetry { Button("Try Again", action: retry) }
      }
    }
  }
#endif
