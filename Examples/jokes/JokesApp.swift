// Effects as state: the state has a request, a feedback performs it, and the answer is a change.
//
//   jokes                asks the Official Joke API
//   jokes development    without a server
//   jokes URL            asks this server

import Alter
import Console
import Foundation

@main struct JokesApp {
  @MainActor static func main() async throws {
    guard let context = context(Array(CommandLine.arguments.dropFirst())) else { fail("usage: jokes [development | URL]") }
    let store = Store(JokeState.empty)
    try store.run([.loading], in: context)
    let view = store.bind(JokeScreen.init) { screen in
      for line in screen.lines { say(line) }
      say("   [\(screen.actions.joined(separator: "] ["))]")
    }
    let act = UserAction(store, JokeScreen.change)
    for await word in inputLines() where word != "" {
      if case .failure(let error) = act(word) { say(error.description) }
    }
    // Closing the store cancels the request in flight.
    view.cancel()
    await store.close()
  }

  private static func context(_ words: [String]) -> JokeContext? {
    switch words {
    case []: .production
    case ["development"]: .development
    default: words.count == 1 ? URL(string: words[0]).flatMap { $0.host() == nil ? nil : .server($0) } : nil
    }
  }
}
