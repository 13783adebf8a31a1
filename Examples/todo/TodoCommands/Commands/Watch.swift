import Alter
import ArgumentParser
import Dispatch
import TodoCore

/// `todo watch`
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show the list live on the terminal, and change it there.",
    discussion: Help.text(
      "Changes by other processes appear at once. Keys: j k or arrows move, space done, e edit, a add, d remove, u undo, r redo, ? help, q quit.",
      examples: "todo watch"))

  @OptionGroup var store: StoreLocation

  mutating func run() async throws {
    guard Terminal.isThere else {
      throw CommandError(.usage, "watch needs a terminal for its input and output; 'todo list' prints the list anywhere")
    }
    try await Session.change(store, followsOthers: true) { store in
      let signal: Int32?
      // The handlers are installed before the terminal changes. From then on no signal may end the process directly.
      let signals = try SignalPipe.open(Watching.signals)
      do {
        try Terminal.enter()
        defer { Terminal.leave() }
        var watching = Watching(store, signals: signals)
        signal = try await watching.run()
      }
      // The terminal is already restored here, and the store is still open.
      if let signal { throw CommandError.signal(signal) }
    }
  }
}
