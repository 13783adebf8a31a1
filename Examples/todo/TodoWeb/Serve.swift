import Alter
import AlterInspector
import AlterInspectorServer
import ArgumentParser
import Hummingbird
import TodoCommands
import TodoCore
import _AlterWeb

/// `todo serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: WebCommands.serveAbstract,
    discussion: Help.text(
      """
      Prints the address of the page, and serves until Ctrl-C. Changes made elsewhere, in a terminal or on another page, appear at once.

      Only this machine can reach it, unless --host names another of its addresses, and only visitors with the token that is in the printed address. There is no \
      encryption: beyond a network that you trust, put a server with TLS before it.
      """, examples: "todo serve", "todo serve --port 0", "todo serve --host 0.0.0.0 --allow-host todo.example"))

  @OptionGroup var store: StoreLocation

  @Option(help: "The address or name to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port; 0 for any free one.")
  var port = 4040

  @OptionGroup var token: TokenOptions

  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp(
      "Another name under which browsers may request the page, with the port if it isn't the server's own. May be repeated.",
      valueName: "name"))
  var names: [String] = []

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port needs a number from 0 to 65535") }
    guard !host.isEmpty else { throw ValidationError("--host needs an address or a name") }
  }

  mutating func run() async throws {
    let server = WebServer(host: host, port: port, names: Set(names), token: try token.choose(for: host))
    try await Session.change(store, followsOthers: true) { store in
      // Pages have seen the list at this address: the process does not begin again.
      ListMove.acknowledge()
      let service = ListService(store: store, live: LiveList(store))
      let following = Task { await service.live.follow() }
      defer { following.cancel() }
      // A synced list is inspected as the server has decided it.
      let mirror = try await SyncSupport.openMirror?()
      let inspection =
        if let mirror { Inspection(of: mirror, as: AppState.self, conditions: AppState.conditions) } else {
          Inspection(of: store, conditions: AppState.conditions)
        }
      defer { inspection.end() }
      do {
        let add: (Router<WebContext>) -> Void = { router in
          service.addRoutes(to: router)
          InspectorRoutes(inspection).add(to: router, under: ListService.inspector)
        }
        try await server.run(assets: ListService.assets, routes: add) { address in
          // The server runs even if its standard output is closed.
          try? Console.print(["The list is at \(address)", "Press Ctrl-C to end."])
        }
      } catch let error as WebServerError {
        throw CommandError(error)
      }
    }
  }
}

extension CommandError {
  init(_ error: WebServerError) {
    switch error.code {
    case EADDRINUSE: self.init(.tryAgain, error.description)
    case EACCES, EPERM: self.init(.noPermission, error.description)
    default: self.init(.usage, error.description)
    }
  }
}

extension WebCommands {
  /// The commands of this module.
  package static let all = WebCommands(serve: Serve.self, inspect: InspectorServerCommand<AppState>.self)
}
