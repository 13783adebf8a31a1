// Rejected: no exact matches in call to initializer|requires the types|missing argument|cannot convert
import SwiftUI

#if REJECTED
  private struct Screen: View {
    @FocusState private var field: Int
    var body: some View { Text("") }
  }
#else
  private struct Screen: View {
    @FocusState private var field: Int?
    var body: some View { Text("") }
  }
#endif
