#if canImport(SwiftUI)
  public import Alter
  import AlterSQLite
  import AlterSwiftUI
  public import SwiftUI
  public import TodoCore

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The app: its window shows one list.
  public struct TodoScene: Scene {
    private let place: JournalPlace
    private let user: String?
    private let connections: (@Sendable () -> AsyncStream<Connection>)?

    /// Creates the scene. The list is opened when the first window appears.
    ///
    /// - Parameters:
    ///   - place: The location of the list; by default the app's own file.
    ///   - user: Of a synced list, the name of the user, who undoes own changes alone.
    ///   - connections: Of a synced list, returns the statuses of the connection: the present one, and each later one.
    public init(in place: JournalPlace = .app("Todo"), user: String? = nil, connections: (@Sendable () -> AsyncStream<Connection>)? = nil) {
      (self.place, self.user, self.connections) = (place, user, connections)
    }

    /// The window.
    public var body: some Scene {
      WindowGroup {
        OpeningView { [place, user] in
          var options = StoreOptions()
          if let user { options.scope = UndoScope(rawValue: user) }
          return try await Store.open(AppState(), in: place, options: options)
        } content: { store in
          RootView(store: store, connections: connections)
        }
      }
    }
  }
#endif
