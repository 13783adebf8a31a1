// Rejected: conform to 'Hashable'
import SwiftUI

#if REJECTED
  private struct Place { var name: String }

  private struct Screen: View {
    let place: Place
    var body: some View { NavigationStack { NavigationLink("Go", value: place) } }
  }
#else
  private struct Place: Hashable { var name: String }

  private struct Screen: View {
    let place: Place
    var body: some View { NavigationStack { NavigationLink("Go", value: place) } }
  }
#endif
