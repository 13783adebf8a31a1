// Rejected: to expected type 'Binding<Bool>'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    @State private var isFailed = false
    var body: some View {
      Text("").alert("Failed", isPresented: isFailed) {
      } message: {
        Text("")
      }
    }
  }
#else
  private struct Screen: View {
    @State private var isFailed = false
    var body: some View {
      Text("").alert("Failed", isPresented: $isFailed) {
      } message: {
        Text("")
      }
    }
  }
#endif
