// A functional core and an imperative shell: the timer is a value, and only this folder uses the terminal, files and the clock.
//
//   fasting                     live, on a terminal; a fast that another process began continues
//   fasting begin               also finish, reset, undo, goal HOURS|omad, status
//   fasting status --at TIME    the status at that time: seconds since 1970 UTC
//   --store FILE                the journal file; ~/.fasting.alter by default
//   --json FILE                 a JSON file without a journal, for comparison

import Alter
import AlterSQLite
import Console
import FastingCore
import Foundation

@main struct Fasting {
  static func main() async {
    var words = Array(CommandLine.arguments.dropFirst())
    let time = option("--at", in: &words)
    let json = option("--json", in: &words)
    let file = option("--store", in: &words) ?? NSHomeDirectory() + "/.fasting.alter"
    do {
      // Only a status has a time: every change happens now.
      guard time == nil || words == ["status"] else { throw Usage() }
      let date = try time.map(date)
      if let json { return try await withoutJournal(words, json, at: date) }
      if words != ["undo"] { _ = try change(words) }  // A mistyped command opens no journal.
      let store = try await Store.open(FastingState(), in: SQLiteJournal(at: file))
      if words.isEmpty, Terminal.isThere {
        await Live(store).run()
      } else {
        try await run(words, store)
        show(store.state, at: date ?? Date())
      }
      _ = await store.close()
    } catch {
      fail("fasting: \(error)")
    }
  }

  private static func run(_ words: [String], _ store: Store<FastingState>) async throws {
    if words == ["undo"] {
      _ = try await store.undo()
    } else if let change = try change(words) {
      try await store.change(change).durable()
    }
  }

  private static func withoutJournal(_ words: [String], _ file: String, at date: Date?) async throws {
    let change = try change(words)
    let timer = try await EnvironmentTimer(in: .file(at: file))
    if let change { try await timer.send(change) }
    show(await timer.state, at: date ?? Date())
  }

  /// The date that the option `--at` gives.
  private static func date(_ text: String) throws -> Date {
    guard let seconds = Double(text), seconds.isFinite else { throw Usage() }
    return Date(timeIntervalSince1970: seconds)
  }

  private static func show(_ state: FastingState, at date: Date) {
    for line in FastingView(state, at: date).lines { say(line) }
  }

  /// The change that the words request; nil for 'status'.
  private static func change(_ words: [String]) throws -> FastingState.Change? {
    switch (words.first, words.count) {
    case (nil, _), ("status", 1): return nil
    case ("begin", 1): return .begin
    case ("finish", 1): return .finish
    case ("reset", 1): return .reset
    case ("goal", 2):
      if let goal = Goal(words[1]) { return .goal(goal) }
    default: break
    }
    throw Usage()
  }

  private static func option(_ name: String, in words: inout [String]) -> String? {
    guard let place = words.firstIndex(of: name), place + 1 < words.count else { return nil }
    defer { words.removeSubrange(place...(place + 1)) }
    return words[place + 1]
  }

  private struct Usage: Error, CustomStringConvertible {
    let description =
      "usage: fasting [begin | finish | reset | undo | goal HOURS|omad | status [--at SECONDS]] [--store FILE | --json FILE]"
  }
}
