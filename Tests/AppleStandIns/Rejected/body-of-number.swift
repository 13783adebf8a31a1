// Rejected: requires that 'Int' conform to 'View'
import SwiftUI

#if REJECTED
  private struct Screen: View {
    var body: some View {
      Text("Count")
      5
    }
  }
#else
  private struct Screen: View {
    var body: some View {
      Text("Count")
      Text("\(5)")
    }
  }
#endif
