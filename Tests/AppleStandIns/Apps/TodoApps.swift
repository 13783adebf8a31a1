import AppIntents
import SwiftUI
import TodoApp
import WidgetKit

// The code of Examples/todo/TodoApp/README.md, without `@main`.

struct MyApp: App {
  var body: some Scene { TodoScene() }
}

struct MyIntents: AppIntentsPackage {
  static var includedPackages: [any AppIntentsPackage.Type] { [TodoIntents.self] }
}

struct MyWidgets: WidgetBundle {
  var body: some Widget { TodoWidget() }
}
