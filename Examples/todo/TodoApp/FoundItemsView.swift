#if canImport(SwiftUI)
  import Alter
  import GRDB
  import SwiftUI
  import TodoCore
  import TodoRows
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The items that a search finds in the rows of the list, the best match first. It follows GRDB's `ValueObservation`: a change of the list, by
  /// any process, changes the view when the rows have it.
  struct FoundItemsView: View {
    let index: SearchIndex
    let search: ItemSearch
    let today: Day
    @State private var found: [ItemRow]?

    var body: some View {
      List {
        if let found, found.isEmpty { Text("Nothing found.") }
        ForEach(found ?? []) { row in ItemLink(row: row) }
      }
      // A newer search ends the observation of the former one.
      .task(id: search) {
        do {
          for try await rows in index.found(search, today: today) { found = rows.map { ItemRow($0, today: today) } }
        } catch {
          // The database can't be read any more.
          found = []
        }
      }
    }
  }
#endif
