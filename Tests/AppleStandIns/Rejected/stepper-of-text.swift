// Rejected: requires that 'String' conform to 'Strideable'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    @State private var count = "1"
    var body: some View { Stepper("Count", value: $count) }
  }
#else
  private struct Screen: View {
    @State private var count = 1
    var body: some View { Stepper("Count", value: $count) }
  }
#endif
