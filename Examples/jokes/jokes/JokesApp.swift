// Effects as state: the state holds a request, a feedback loads it, and the answer is a change.
//
//   jokes                              asks the Official Joke API
//   jokes --environment NAME           production (the default), staging and test (start the bundled server), development (no server)
//   jokes --server http://host:port    uses that server

import Alter
import Console
import Foundation
import JokesCore
import _AlterTerminal

@main struct JokesApp {
  @MainActor static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    var options = ["--environment": "production"]
    // A mistyped option must not lead to the public server.
    let names = stride(from: 0, to: arguments.count, by: 2).map { arguments[$0] }
    let values = stride(from: 1, to: arguments.count, by: 2).map { arguments[$0] }
    for (name, value) in zip(names, values) { options[name] = value }
    guard names.count == values.count, Set(names).isSubset(of: ["--environment", "--server"]),
      let environment = options["--environment"].flatMap(AppEnvironment.init(rawValue:))
    else { fail("usage: jokes [--environment \(AppEnvironment.allCases.map(\.rawValue).joined(separator: "|"))] [--server URL]") }
    let server = environment.needsBundledServer && options["--server"] == nil ? Server() : nil
    defer { server?.stop() }
    let address = options["--server"] ?? environment.publicServer ?? server?.url ?? "http://127.0.0.1"
    guard let url = URL(string: address), url.host() != nil else { fail("jokes: this is not a URL of a server") }

    let jokes = try Jokes(in: environment.context(server: url))
    let display = Display()
    let view = jokes.store.bind(ScreenModel.init) { display.show($0) }
    var isEnded = false
    for await word in inputLines() {
      isEnded = word == "quit"
      if isEnded { break }
      jokes.type(word)
    }
    if !isEnded {
      // At the end of its input, the app shows the answers to all requests before it exits. Closing the store cancels requests in flight.
      for await isAtRest in jokes.store.values(of: \.isAtRest) where isAtRest { break }
    }
    view.cancel()
    display.show(ScreenModel(jokes.store.state))
    _ = await jokes.store.close()
  }
}

/// Shows a screen, unless it equals the previous one.
@MainActor private final class Display {
  private var shown: ScreenModel?

  func show(_ screen: ScreenModel) {
    guard screen != shown else { return }
    shown = screen
    // The text of a server must not act on the terminal.
    for line in ScreenView.lines(screen) { say(line.printable) }
  }
}

/// The bundled server, for an app without `--server`. Its executable is in the app's folder, and it exits with the app.
private struct Server {
  private let process = Process()
  private let input = Pipe()
  let url: String

  init() {
    let output = Pipe()
    process.executableURL = programFolder.appending(path: "jokes-server")
    process.standardInput = input
    process.standardOutput = output
    do { try process.run() } catch { fail("jokes: can't start jokes-server: \(error)") }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    url = line.replacingOccurrences(of: "listening on ", with: "").trimmingCharacters(in: .newlines)
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
