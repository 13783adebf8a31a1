// Rejected: WritableKeyPath<EnvironmentValues,
import SwiftUI

#if REJECTED
  private struct Screen: View {
    let manager: UndoManager
    var body: some View { Text("").environment(\.undoManager, manager) }
  }
#else
  private struct Screen: View {
    @Environment(\.undoManager) private var manager
    var body: some View { Button("Undo") { manager?.undo() } }
  }
#endif
