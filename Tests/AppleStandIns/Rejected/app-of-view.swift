// Rejected: does not conform to protocol 'App'|requires that 'some View' conform to 'Scene'|conform to 'Scene'
import SwiftUI

#if REJECTED
  private struct Program: App {
    var body: some View { Text("") }
  }
#else
  private struct Program: App {
    var body: some Scene { WindowGroup { Text("") } }
  }
#endif
