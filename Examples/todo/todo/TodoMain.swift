import TodoCommands

/// `todo`: every command, for lists that are not synced. For a synced list it becomes the program `todo-sync`, which has the same commands.
@main struct TodoMain {
  static func main() async { await TodoProgram.run() }
}
