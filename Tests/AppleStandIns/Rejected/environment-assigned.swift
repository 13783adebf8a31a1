// Rejected: get-only property
import SwiftUI

#if REJECTED
  private struct Screen: View {
    @Environment(\.isEnabled) private var isEnabled
    var body: some View { Button("Off") { isEnabled = false } }
  }
#else
  private struct Screen: View {
    @State private var isEnabled = true
    var body: some View { Button("Off") { isEnabled = false }.environment(\.isEnabled, isEnabled) }
  }
#endif
