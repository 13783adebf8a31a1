// Warned: main actor-isolated property 'body'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    var body: some View { Text("") }
  }

  private nonisolated func evaluate(_ screen: Screen) { _ = screen.body }
#else
  private struct Screen: View {
    var body: some View { Text("") }
  }

  @MainActor private func evaluate(_ screen: Screen) { _ = screen.body }
#endif
