import SwiftUI
import TodoApp

// The code of Examples/todo/TodoApp/README.md, without `@main`.

struct MyApp: App {
  var body: some Scene { TodoScene() }
}
