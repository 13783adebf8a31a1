#if canImport(SwiftUI)
  import AlterJournal
  import AlterStore
  import SwiftUI

  // A view of the guide "Sync". Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The changes that the server has refused, each with its reason and two buttons.
  struct RefusedChangesView<Model: Journaled>: View {
    let store: Store<Model>
    /// The words for a change.
    let title: (Record<Model>) -> String
    @State private var refused: [RefusedChange<Model>] = []
    @State private var problem: String?

    var body: some View {
      VStack(alignment: .leading) {
        if let problem { Text(problem) }
        List(refused) { change in
          VStack(alignment: .leading) {
            Text(title(change.record))
            Text(change.reason ?? change.code)
            Button("Try again") { tryAgain(change) }
            Button("Dismiss") { dismiss(change) }
          }
        }
      }
      .task { for await outbox in store.outbox { refused = outbox.refusals } }
    }

    private func tryAgain(_ change: RefusedChange<Model>) {
      do { try store.retry(change) } catch { problem = "\(error)" }  // the present state refuses it, too
    }

    private func dismiss(_ change: RefusedChange<Model>) {
      Task { do { try await store.dismiss(change) } catch { problem = "\(error)" } }
    }
  }
#endif
