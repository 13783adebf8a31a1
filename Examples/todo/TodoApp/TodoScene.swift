#if canImport(SwiftUI)
  public import Alter
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
    @State private var opening = Opening.loading

    private enum Opening {
      case loading
      case failed(String)
      case open(Store<AppState>)
    }

    var body: some View {
      switch opening {
      case .loading: ProgressView("Opening the list").task { await open() }
      case .failed(let reason):
        ContentUnavailableView {
          Label("Can't open the list", systemImage: "externaldrive.badge.xmark")
        } description: {
          Text(reason)
        } actions: {
          Button("Try Again") { opening = .loading }
        }
      case .open(let store): RootView(store: store)
      }
    }

    private func open() async {
      do throws(JournalError) {
        opening = .open(try await Store.open(AppState(), in: place))
      } catch {
        opening = .failed(error.description)
      }
    }
  }
#endif
