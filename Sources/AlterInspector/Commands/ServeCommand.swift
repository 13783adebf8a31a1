#if Inspector || Examples
  import AlterInspectorPage
  internal import AlterWeb
  import ArgumentParser

  /// `serve`: the page.
  struct ServeCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "serve", abstract: "Show the journal as a web page, until you end it (Ctrl-C).",
        discussion: """
          It is for this machine alone, unless --host says otherwise; then a token is needed, which is in the address that is printed. Nothing \
          in the page changes the journal.
          """)
    }

    @OptionGroup var source: Source
    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port; 0 for any free one.") var port = 0
    @Option(help: "What a visitor must know, even on this machine.") var token: String?
    @Option(
      help: ArgumentHelp("A name by which this machine is asked for, beside its addresses. May be given several times.", valueName: "name"))
    var allowHost: [String] = []
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (0...65_535).contains(port) else { throw ValidationError("--port needs a number from 0 to 65535") }
      if let token, token.utf8.count < 8 { throw ValidationError("--token needs 8 characters at least") }
      if let token, !token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !";,\"\\&%+#=".utf8.contains($0) }) {
        throw ValidationError("--token may have letters, digits and most signs, without spaces")
      }
    }

    func run() async throws {
      try await source.work(common) { inspection in
        let name = try await inspection.overview().name
        inspection.follow()
        let server = WebServer(host: host, port: port, names: Set(allowHost), token: token)
        do {
          try await server.run(assets: WebAsset.library + InspectorPage.assets()) { router in
            InspectorRoutes(inspection).add(to: router)
          } onReady: { address in
            try? CommandOutput.print("\(name) is shown at \(address) (Ctrl-C ends it)")
          }
        } catch let error as WebServerError {
          CommandOutput.complain(error.description)
          throw ExitCode(73)
        }
      }
    }
  }
#endif
