// Rejected: to expected argument type 'FocusState<Bool>.Binding'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    @State private var text = ""
    @State private var isFocused = false
    var body: some View { TextField("Text", text: $text).focused($isFocused) }
  }
#else
  private struct Screen: View {
    @State private var text = ""
    @FocusState private var isFocused: Bool
    var body: some View { TextField("Text", text: $text).focused($isFocused) }
  }
#endif
