// Rejected: self' is immutable
import SwiftUI

#if REJECTED
  private struct Screen: View {
    var count = 0
    var body: some View { Button("Add") { count += 1 } }
  }
#else
  private struct Screen: View {
    @State private var count = 0
    var body: some View { Button("Add") { count += 1 } }
  }
#endif
