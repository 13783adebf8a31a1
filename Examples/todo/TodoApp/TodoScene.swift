#if canImport(SwiftUI)
  public import Alter
  import AlterSwiftUI
  public import SwiftUI
  public import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The app: its windows show one list.
  public struct TodoScene: Scene {
    private let place: JournalPlace
    private let user: String?
    private let connections: (@Sendable () -> AsyncStream<Connection>)?

    /// Creates the scene. The list is opened when the first window appears.
    ///
    /// - Parameters:
    ///   - place: The location of the list; by default the file that the app shares with its widget and its intents.
    ///   - user: Of a synced list, the name of the user, who undoes own changes alone.
    ///   - connections: Of a synced list, returns the statuses of the connection: the present one, and each later one. The list then has a
    ///     screen of its sync.
    public init(
      in place: JournalPlace = TodoFile.place, user: String? = nil, connections: (@Sendable () -> AsyncStream<Connection>)? = nil
    ) {
      (self.place, self.user, self.connections) = (place, user, connections)
    }

    /// The windows.
    public var body: some Scene {
      WindowGroup { OpeningListView(place: place, user: user, connections: connections) }
    }
  }

  /// The list while it is opened, and afterwards.
  struct OpeningListView: View {
    let place: JournalPlace
    var user: String?
    var connections: (@Sendable () -> AsyncStream<Connection>)?

    var body: some View {
      OpeningView {
        var options = StoreOptions()
        if let user { options.scope = UndoScope(rawValue: user) }
        return try await Store.open(AppState(), in: place, options: options)
      } content: { store in
        RootView(store: store, connections: connections)
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
