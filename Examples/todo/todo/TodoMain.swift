import TodoCommands

/// `todo`: every command that needs neither a web server nor a connection. For the others it becomes `todo-web` or `todo-sync`.
@main struct TodoMain {
  static func main() { TodoProgram.run() }
}
