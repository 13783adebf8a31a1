#if InspectorServer
  package import AlterInspector
  internal import _AlterWeb
  package import ArgumentParser

  /// `serve`: serves the page.
  package struct ServeCommand<Source: InspectorSource>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "serve", abstract: "Serve the journal as a web page, until Ctrl-C.",
        discussion: """
          Only this machine can reach the page, unless --host names another address, and a visitor needs the token that is in the printed address. The page does not \
          change the journal.
          """)
    }

    @OptionGroup var source: Source
    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port; 0 for any free one.") var port = 0
    @OptionGroup var token: TokenOptions
    @Option(
      help: ArgumentHelp(
        "Another name by which browsers may reach the server, with the port if it differs from the server's: the name of a tunnel or a proxy. May be given several times.",
        valueName: "name"))
    var allowHost: [String] = []
    @OptionGroup var common: CommonOptions

    /// Creates the command; its parser sets the properties.
    package init() {}

    package func validate() throws {
      guard (0...65_535).contains(port) else { throw ValidationError("--port needs a number from 0 to 65535") }
      guard !host.isEmpty else { throw ValidationError("--host needs an address or a name") }
    }

    package func run() async throws {
      let token = try token.choose(for: host)
      try await source.work(common, handlesSignals: true) { inspection in
        let name = try await inspection.overview().name
        inspection.follow()
        let server = WebServer(host: host, port: port, names: Set(allowHost), token: token)
        do {
          try await server.run(assets: WebAsset.library + InspectorRoutes.assets()) { router in
            InspectorRoutes(inspection).add(to: router)
          } onReady: { address in
            try? CommandOutput.print("\(name) is shown at \(address) (Ctrl-C ends it)")
          }
        } catch let error as WebServerError {
          CommandOutput.complain(error.description)
          throw ExitCode(CommandStatus.cannotCreate)
        }
      }
    }
  }
#endif
