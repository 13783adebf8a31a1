#if canImport(SwiftUI)
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// A view that opens a store once for its life, and shows that it is loading, that the opening has failed, or the content.
  ///
  /// ```swift
  /// WindowGroup {
  ///   OpeningView {
  ///     try await Store.open(AppState(), in: .app("Plants"))
  ///   } content: { store in
  ///     ListView(store: store)
  ///   }
  /// }
  /// ```
  ///
  /// The closure may return any value, such as an app's own struct of a store and its runs of feedbacks.
  ///
  /// ## Lifetime
  ///
  /// The opening begins when the view appears, and continues if the view disappears meanwhile: a view that reappears opens nothing again.
  /// The opened value stays until the view disappears permanently. Each window has its own view, so an app with several windows would open
  /// several stores: let it open one in its `App` instead.
  ///
  /// ## Failures
  ///
  /// By default the view shows the error's description, which for a ``/AlterJournal/JournalError`` names the next step, and a button that
  /// opens again. 'Can't open' and 'Try again' are keys of your app's string catalog. The parameter `failure` replaces this view.
  @MainActor
  public struct OpeningView<Opened: Sendable, Content: View, Loading: View, Failed: View>: View {
    private let open: @MainActor () async throws -> Opened
    private let content: (Opened) -> Content
    private let loading: () -> Loading
    private let failure: (any Error, @escaping @MainActor () -> Void) -> Failed
    // An empty object for each creation of the view. SwiftUI keeps the first one.
    @State private var opening = Opening<Opened>()

    /// Creates a view with views of your own for the loading and the failure.
    ///
    /// - Parameters:
    ///   - open: Opens the store. It runs once, and again for each retry.
    ///   - content: The view of an open store.
    ///   - loading: The view during the opening.
    ///   - failure: The view of an error, which gets a function that opens again, once for each failure. Offer it for an error whose
    ///     ``/AlterJournal/JournalError/isTransient`` is true; for `newerSchema`, for example, ask for an update of the app instead.
    public init(
      _ open: @escaping @MainActor () async throws -> Opened, @ViewBuilder content: @escaping (Opened) -> Content,
      @ViewBuilder loading: @escaping () -> Loading,
      @ViewBuilder failure: @escaping (_ error: any Error, _ retry: @escaping @MainActor () -> Void) -> Failed
    ) {
      (self.open, self.content, self.loading, self.failure) = (open, content, loading, failure)
    }

    /// The view of the present phase.
    public var body: some View {
      Group {
        switch opening.phase {
        case .loading: loading()
        case .failed(let error): failure(error) { opening.retry() }
        case .open(let opened): content(opened)
        }
      }
      .task(id: opening.attempt) { await opening.load(open) }
    }
  }

  extension OpeningView where Loading == ProgressView<EmptyView, EmptyView>, Failed == OpeningFailure {
    /// Creates a view that shows a spinner during the opening, and a failure with a button to try again.
    ///
    /// - Parameters:
    ///   - open: Opens the store. It runs once, and again for each retry.
    ///   - content: The view of an open store.
    public init(_ open: @escaping @MainActor () async throws -> Opened, @ViewBuilder content: @escaping (Opened) -> Content) {
      self.init(open, content: content) {
        ProgressView()
      } failure: { error, retry in
        OpeningFailure(error, retry: retry)
      }
    }
  }

  /// The view of a store that could not be opened: the error's description, and a button that opens again.
  public struct OpeningFailure: View {
    private let error: any Error
    private let retry: @MainActor () -> Void

    /// Creates the view.
    ///
    /// - Parameters:
    ///   - error: The reason for the failure.
    ///   - retry: Opens again.
    public init(_ error: any Error, retry: @escaping @MainActor () -> Void) { (self.error, self.retry) = (error, retry) }

    /// The failure.
    public var body: some View {
      ContentUnavailableView {
        Label("Can't open", systemImage: "exclamationmark.triangle")
      } description: {
        Text(verbatim: "\(error)")
      } actions: {
        Button("Try again", action: retry)
      }
    }
  }
#endif
