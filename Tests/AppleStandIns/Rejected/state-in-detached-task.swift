// Warned: main actor-isolated property 'count'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    @State private var count = 0
    var body: some View { Button("Add") { Task.detached { count += 1 } } }
  }
#else
  private struct Screen: View {
    @State private var count = 0
    var body: some View { Button("Add") { Task { count += 1 } } }
  }
#endif
