import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

/// The completions for a shell. They never create or change a list, and report no problems.
enum Completions {
  /// Days as users type them.
  static let days = ["today", "tomorrow", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "+3d", "+1w", "+1m", "none"]

  /// The beginnings of the ids of all items.
  static let items = CompletionKind.custom { words, _, _ in
    guard let state = await state(words) else { return [] }
    return TodoList(state).rows.map(\.id)
  }

  /// The names of all tags.
  static let tags = CompletionKind.custom { words, _, _ in
    guard let state = await state(words) else { return [] }
    // A shell prints completions without escaping.
    return Set(TodoList(state).rows.flatMap(\.tags)).filter { $0 == $0.printable }.sorted()
  }

  /// The list of the command line's `--store`, or the default one.
  private static func state(_ words: [String]) async -> AppState? {
    guard var location = try? StoreLocation.parse([]) else { return nil }
    for (word, next) in zip(words, words.dropFirst()) where word == "--store" { location.given = next }
    for word in words where word.hasPrefix("--store=") { location.given = String(word.dropFirst("--store=".count)) }
    return try? await Session.state(location)
  }
}
