import Alter
import AlterTerminal
import ArgumentParser
import TodoCore

/// What a shell may complete a word with. It never makes or changes a list, and says nothing when there is a problem.
enum Completions {
  /// Days as people write them.
  static let days = ["today", "tomorrow", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "+3d", "+1w", "+1m", "none"]

  /// The items of the list, by the beginnings of their ids.
  static let items = CompletionKind.custom { words, _, _ in
    guard let state = await state(words) else { return [] }
    return TodoList(state).rows.map(\.id)
  }

  /// The tags of the list.
  static let tags = CompletionKind.custom { words, _, _ in
    guard let state = await state(words) else { return [] }
    // A shell prints them as they are.
    return Set(TodoList(state).rows.flatMap(\.tags)).filter { $0 == $0.printable }.sorted()
  }

  /// The list that a command line is about: that of its `--store`, or the usual one.
  private static func state(_ words: [String]) async -> AppState? {
    guard var location = try? StoreLocation.parse([]) else { return nil }
    for (word, next) in zip(words, words.dropFirst()) where word == "--store" { location.given = next }
    for word in words where word.hasPrefix("--store=") { location.given = String(word.dropFirst("--store=".count)) }
    return try? await Session.state(location)
  }
}
