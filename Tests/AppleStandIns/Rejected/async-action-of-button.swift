// Rejected: to parameter expecting synchronous function type
import SwiftUI

private func load() async {}

#if REJECTED
  private struct Screen: View {
    var body: some View { Button("Load") { await load() } }
  }
#else
  private struct Screen: View {
    var body: some View { Button("Load") { Task { await load() } } }
  }
#endif
