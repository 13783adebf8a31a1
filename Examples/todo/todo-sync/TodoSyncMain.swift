import TodoCommands

/// `todo-sync`: `todo` with the network library, for synced lists. `todo` starts it when it is needed.
@main struct TodoSyncMain {
  static func main() async { await TodoProgram.run(syncing: HTTPEngine()) }
}
