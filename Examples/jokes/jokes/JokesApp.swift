// Effects are in the state: it says what it wants, a feedback loads it, the answer is a change.
//
//   jokes                              with a server of its own
//   jokes --server http://host:port    with that one
//   jokes --environment NAME           production (the default), staging, test, development (no server)

import Alter
import Console
import Foundation
import JokesCore

@main struct JokesApp {
  @MainActor static func main() async {
    let arguments = CommandLine.arguments
    func option(_ name: String) -> String? {
      arguments.firstIndex(of: name).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
    }
    guard let environment = AppEnvironment(rawValue: option("--environment") ?? "production") else {
      fail("usage: jokes [--environment \(AppEnvironment.allCases.map(\.rawValue).joined(separator: "|"))] [--server URL]")
    }
    let server = environment.needsServer && option("--server") == nil ? Server() : nil
    defer { server?.stop() }
    guard let url = URL(string: option("--server") ?? server?.url ?? "http://127.0.0.1") else { fail("jokes: this is not a URL") }

    let jokes = Jokes(in: environment.world(server: url))
    let display = Display()
    let view = jokes.store.bind(ScreenModel.init) { display.show($0) }
    for await word in inputLines() {
      if word == "quit" { break }
      jokes.type(word)
    }
    // What was asked for is shown before the end.
    for await wanted in jokes.store.values(of: \.wanted) where wanted == nil { break }
    view.cancel()
    display.show(ScreenModel(jokes.store.state))
    _ = await jokes.store.close()
  }
}

/// Shows a screen, unless it is the one that was shown last.
@MainActor private final class Display {
  private var shown: ScreenModel?

  func show(_ screen: ScreenModel) {
    guard screen != shown else { return }
    shown = screen
    for line in ScreenView.lines(screen) { say(line) }
  }
}

/// The bundled server, for an app that was given no other: it lies beside the app, and ends with it.
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
