// Rejected: branches have mismatching types|do not have matching underlying types|opaque return type
import SwiftUI

#if REJECTED
  @MainActor private func content(_ isDone: Bool) -> some View {
    if isDone { return Text("Done") }
    return Button("Do") {}
  }
#else
  @MainActor @ViewBuilder private func content(_ isDone: Bool) -> some View {
    if isDone { Text("Done") } else { Button("Do") {} }
  }
#endif
