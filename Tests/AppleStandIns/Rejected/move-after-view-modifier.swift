// Rejected: has no member 'onMove'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    @State private var items = ["a"]
    var body: some View {
      List {
        ForEach(items, id: \.self) { Text($0) }
          .padding()
          .onMove { items.move(fromOffsets: $0, toOffset: $1) }
      }
    }
  }
#else
  private struct Screen: View {
    @State private var items = ["a"]
    var body: some View {
      List {
        ForEach(items, id: \.self) { Text($0) }
          .onMove { items.move(fromOffsets: $0, toOffset: $1) }
          .padding()
      }
    }
  }
#endif
