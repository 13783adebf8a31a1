// Rejected: requires that 'Item' conform to 'Identifiable'
import SwiftUI

#if REJECTED
  private struct Item { var text: String }

  private struct Screen: View {
    let items: [Item]
    var body: some View { List(items) { Text($0.text) } }
  }
#else
  private struct Item: Identifiable {
    let id: Int
    var text: String
  }

  private struct Screen: View {
    let items: [Item]
    var body: some View { List(items) { Text($0.text) } }
  }
#endif
