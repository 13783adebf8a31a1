// A functional core and an imperative shell: the timer is a value, and only this file uses the terminal, the journal and the clock.
//
//   fasting                     reads commands, one a line; an empty line shows the timer
//   fasting begin               also finish, reset, undo, goal HOURS, status
//   --store FILE                the journal; ~/.fasting.alter by default

import Alter
import AlterSQLite
import Console
import FastingCore
import Foundation

@main struct Fasting {
  static func main() async {
    var words = Array(CommandLine.arguments.dropFirst())
    var file = NSHomeDirectory() + "/.fasting.alter"
    if let place = words.firstIndex(of: "--store"), place + 1 < words.count {
      file = words[place + 1]
      words.removeSubrange(place...place + 1)
    }
    do {
      // A mistyped command opens no journal.
      let command = words.isEmpty ? nil : try Command(words)
      let store = try await Store.open(FastingState(), in: SQLiteJournal(at: file))
      if let command { try await run(command, store) } else { await converse(store) }
      await store.close()
    } catch {
      fail("fasting: \(error)")
    }
  }

  private enum Command {
    case status
    case undo
    case change(FastingState.Change)

    init(_ words: [String]) throws(Usage) {
      switch (words.first, words.last.flatMap { Int($0) }.flatMap(Goal.init(rawValue:)), words.count) {
      case (nil, _, _), ("status", _, 1): self = .status
      case ("undo", _, 1): self = .undo
      case ("begin", _, 1): self = .change(.begin)
      case ("finish", _, 1): self = .change(.finish)
      case ("reset", _, 1): self = .change(.reset)
      case ("goal", let goal?, 2): self = .change(.goal(goal))
      default: throw Usage()
      }
    }
  }

  private struct Usage: Error, CustomStringConvertible {
    let description = "usage: fasting [begin | finish | reset | undo | goal HOURS | status] [--store FILE]"
  }

  /// Shows the timer after each command, and the reason why a command fails.
  private static func converse(_ store: Store<FastingState>) async {
    show(store)
    for await line in inputLines() {
      do { try await run(Command(line.split(separator: " ").map(String.init)), store) } catch { say("\(error)") }
    }
  }

  /// Runs a command. The timer is shown when the change is on the disk, so that each visible change survives the end of the process.
  private static func run(_ command: Command, _ store: Store<FastingState>) async throws {
    switch command {
    case .status: break
    case .undo: try await store.undo()
    case .change(let change): try await store.change(change).durable()
    }
    show(store)
  }

  private static func show(_ store: Store<FastingState>) { for line in store.state.lines(at: Date()) { say(line) } }
}
