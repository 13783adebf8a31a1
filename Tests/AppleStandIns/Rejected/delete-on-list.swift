// Rejected: has no member 'onDelete'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    @State private var items = ["a"]
    var body: some View {
      List(items, id: \.self) { Text($0) }
        .onDelete { items.remove(atOffsets: $0) }
    }
  }
#else
  private struct Screen: View {
    @State private var items = ["a"]
    var body: some View {
      List {
        ForEach(items, id: \.self) { Text($0) }
          .onDelete { items.remove(atOffsets: $0) }
      }
    }
  }
#endif
