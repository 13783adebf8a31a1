import ArgumentParser
import TodoCore

/// The commands that need a web server. The programs `todo-web` and `todo-sync` have them; `todo` starts without a web server.
package struct WebCommands: Sendable {
  /// `todo serve`
  let serve: any AsyncParsableCommand.Type
  /// `todo inspect`, with `serve`.
  let inspect: any AsyncParsableCommand.Type

  package init(serve: any AsyncParsableCommand.Type, inspect: any AsyncParsableCommand.Type) {
    (self.serve, self.inspect) = (serve, inspect)
  }

  /// Those of this program; nil in `todo`. Set once by the main function, before anything else runs.
  nonisolated(unsafe) static var linked: WebCommands?

  /// The summary of `todo serve`.
  package static let serveAbstract = "Show the list in a browser, live, and change it there."
}

/// `todo serve` among the commands of `todo`, which then continues as `todo-web`.
struct ServeElsewhere: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "serve", abstract: WebCommands.serveAbstract)

  @Argument(parsing: .captureForPassthrough, help: "The arguments; 'todo serve --help' explains them.")
  var arguments: [String] = []

  func run() throws { throw OtherProgram.web.replaceThisProcess(["serve"] + arguments) }
}

/// `todo inspect serve`, likewise.
struct InspectServeElsewhere: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "serve", abstract: "Serve the journal as a web page, until Ctrl-C.")

  @Argument(parsing: .captureForPassthrough, help: "The arguments; 'todo inspect serve --help' explains them.")
  var arguments: [String] = []

  func run() throws { throw OtherProgram.web.replaceThisProcess(["inspect", "serve"] + arguments) }
}
