// Rejected: get-only property
import AlterCore
import AlterStore
import AlterSwiftUI
import SwiftUI

private struct Count: Alterable {
  var number = 0
  mutating func apply(_ change: Int, at stamp: Stamp) { number += change }
}

private struct Screen: View {
  @ObservedValue<Count, Int> private var number: Int

  init(store: Store<Count>) { _number = ObservedValue(store, \.number) }

  #if REJECTED
    var body: some View { Button("Add") { number += 1 } }
  #else
    var body: some View { Button("Add") { $number.send(1) } }
  #endif
}
