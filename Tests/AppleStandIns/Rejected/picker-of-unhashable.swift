// Rejected: requires that 'Size' conform to 'Hashable'
import SwiftUI

#if REJECTED
  private struct Size { var width: Int }

  private struct Screen: View {
    @State private var size = Size(width: 1)
    var body: some View {
      Picker("Size", selection: $size) { Text("small") }
    }
  }
#else
  private struct Size: Hashable { var width: Int }

  private struct Screen: View {
    @State private var size = Size(width: 1)
    var body: some View {
      Picker("Size", selection: $size) { Text("small").tag(Size(width: 1)) }
    }
  }
#endif
