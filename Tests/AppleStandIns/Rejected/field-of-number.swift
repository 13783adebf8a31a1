// Rejected: to expected argument type 'Binding<String>'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    @State private var number = 1
    var body: some View { TextField("Number", text: $number) }
  }
#else
  private struct Screen: View {
    @State private var number = "1"
    var body: some View { TextField("Number", text: $number) }
  }
#endif
