// Rejected: does not conform to protocol 'View'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    var title: String
  }
#else
  private struct Screen: View {
    var title: String
    var body: some View { Text(title) }
  }
#endif
