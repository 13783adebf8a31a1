import TodoCommands
import TodoWeb

/// `todo-sync`: `todo` with a web server and the network library, for synced lists. `todo` starts it when it is needed.
@main struct TodoSyncMain {
  static func main() { TodoProgram.run(web: .all, syncing: HTTPEngine()) }
}
