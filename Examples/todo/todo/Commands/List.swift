import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo list`
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the list: number, beginning of the id, whether it is done, priority, due day, text.")

    @OptionGroup var store: StoreLocation

    mutating func run() async throws {
      try Console.print(List.lines(of: try await Session.state(store)))
    }

    /// What is shown of a state.
    static func lines(of state: AppState) -> [String] {
      let list = TodoList(state)
      return list.rows.isEmpty ? ["Nothing to do."] : list.lines
    }
  }
#endif
