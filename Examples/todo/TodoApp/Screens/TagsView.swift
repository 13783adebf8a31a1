#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The tags. A link leads to the items of each tag.
  struct TagsView: View {
    @ObservedValue<AppState, TagsScreen> private var screen: TagsScreen

    init(store: Store<AppState>) { _screen = ObservedValue(store, TagsScreen.init) }

    var body: some View {
      List {
        if let hint = screen.hint { Text(hint) }
        ForEach(screen.rows) { tag in
          NavigationLink(value: Destination.tag(tag.id)) {
            VStack(alignment: .leading) {
              Text(verbatim: tag.id)
              Text(tag.summary).font(.caption).foregroundStyle(Color.secondary)
            }
          }
        }
      }
      .navigationTitle("Tags")
    }
  }

  /// The items of a tag.
  struct TagView: View {
    let store: Store<AppState>
    let tag: String
    let today: Day
    @State private var filter = ListFilter.open
    @AppStorage("order") private var order = ItemQuery.Order.list

    var body: some View {
      FilteredListView(store: store, selection: Selection(filter: filter, tag: tag, order: order, today: today))
        .toolbar {
          Picker("Filter", selection: $filter) {
            ForEach(ListFilter.allCases) { filter in Text(filter.title).tag(filter) }
          }
        }
    }
  }
#endif
