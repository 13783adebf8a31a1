import Alter
import AlterSQLite
import FastingApp
import FastingCore
import SwiftUI

// The code in the comment of TimerView, without `@main`.

struct MyTimer: App {
  @State private var model = TimerModel(in: .app("Fasting"))

  var body: some Scene { WindowGroup { TimerView(model: model) } }
}
