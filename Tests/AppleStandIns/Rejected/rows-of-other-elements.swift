// Rejected: requires the types 'String' and 'Int' be equivalent
import AlterCore
import AlterStore
import AlterSwiftUI
import SwiftUI

private struct Item: Identifiable, Equatable { let id: Int }
private struct Label: Identifiable, Equatable { let id: String }

private struct Lists: Alterable {
  var items: [Item] = []
  var labels: [Label] = []
  mutating func apply(_ change: Int, at stamp: Stamp) { items.removeAll { $0.id == change } }
}

private struct Screen: View {
  @ObservedValue<Lists, [Item]> private var items: [Item]

  init(store: Store<Lists>) { _items = ObservedValue(store, \.items) }

  var body: some View {
    List {
      #if REJECTED
        ForEach(items) { Text("\($0.id)") }.editRows(of: $items, \.labels, delete: { $0 })
      #else
        ForEach(items) { Text("\($0.id)") }.editRows(of: $items, \.items, delete: { $0 })
      #endif
    }
  }
}
