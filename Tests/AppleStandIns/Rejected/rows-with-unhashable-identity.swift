// Rejected: conform to 'Hashable'
import SwiftUI

#if REJECTED
  private struct Item { var text: String }

  private struct Screen: View {
    let items: [Item]
    var body: some View { ForEach(items, id: \.self) { Text($0.text) } }
  }
#else
  private struct Item: Hashable { var text: String }

  private struct Screen: View {
    let items: [Item]
    var body: some View { ForEach(items, id: \.self) { Text($0.text) } }
  }
#endif
