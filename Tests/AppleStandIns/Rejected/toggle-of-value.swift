// Rejected: to expected type 'Binding<Bool>'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    @State private var isOn = false
    var body: some View { Toggle("On", isOn: isOn) }
  }
#else
  private struct Screen: View {
    @State private var isOn = false
    var body: some View { Toggle("On", isOn: $isOn) }
  }
#endif
