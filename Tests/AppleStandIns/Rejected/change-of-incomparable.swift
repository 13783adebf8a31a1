// Rejected: requires that 'Draft' conform to 'Equatable'
import SwiftUI

#if REJECTED
  private struct Draft { var text: String }

  private struct Screen: View {
    let draft: Draft
    var body: some View { Text(draft.text).onChange(of: draft) {} }
  }
#else
  private struct Draft: Equatable { var text: String }

  private struct Screen: View {
    let draft: Draft
    var body: some View { Text(draft.text).onChange(of: draft) {} }
  }
#endif
