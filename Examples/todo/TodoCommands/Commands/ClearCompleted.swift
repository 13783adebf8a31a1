import Alter
import ArgumentParser
import TodoCore

/// `todo clear-completed`
struct ClearCompleted: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear-completed", abstract: "Remove every item that is done, as one change.",
    discussion: Help.text("One 'todo undo' brings them all back.", examples: "todo clear-completed"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions

  mutating func run() async throws {
    guard try await Session.exists(store) else { return try nothing() }
    let edit = ItemEdit(location: store, output: output, action: "clear-completed")
    try await Session.change(store) { store in
      let state = store.state
      let done = state.items.filter(\.completed).map(\.id)
      guard !done.isEmpty else { return try nothing() }
      try await edit.change(done, in: store, at: state) { item, number, _ in
        .make([.remove(.item(item.id))], saying: "Removed \(number)")
      }
    }
  }

  private func nothing() throws {
    if !output.json { try Console.print("Nothing is done, so nothing was removed.") }
  }
}
