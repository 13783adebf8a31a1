import TodoCommands
import TodoWeb

/// `todo-web`: `todo` with a web server, for `serve`. `todo` starts it when it is needed.
@main struct TodoWebMain {
  static func main() { TodoProgram.run(web: .all) }
}
