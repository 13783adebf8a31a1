import AlterWeb
import Foundation

#if Inspector
  import Hummingbird
#endif

/// The thin slice of sync over HTTP. It plays the stories of `Design/0020-sync-slice.md`; the real transport will replace it.
///
/// ```
/// sync-slice server FILE [--schema N]
/// sync-slice device FOLDER --server URL [--as NAME] [--schema N] [--offline]
/// ```
@main
struct SyncSlice {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    func option(_ name: String) -> String? {
      arguments.firstIndex(of: "--\(name)").flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
    }
    let schema = option("schema").flatMap { Int($0) } ?? 1
    let paths = Array(arguments.prefix(2))
    guard paths.count == 2 else { return print("usage: sync-slice server FILE | sync-slice device FOLDER --server URL") }
    let url = URL(fileURLWithPath: paths[1])
    if paths[0] == "device" {
      guard let server = option("server").flatMap({ URL(string: $0) }) else { return print("--server needs an address") }
      let settings = DeviceJournal.Settings(server: server, token: option("as"), isOnline: !arguments.contains("--offline"))
      return try await DeviceProgram(url, schema: schema, settings: settings, console: Console()).run(lines)
    }
    #if Inspector
      let server = try ListServer(url, schema: schema)
      let console = Console()
      let web = Task { try await serve(server, console) }
      for await line in lines {
        if line == "quit" { break }
        console.show("> \(line)")
        console.show(server.obey(line))
      }
      web.cancel()
    #else
      print("The server needs the trait Inspector.")
    #endif
  }

  #if Inspector
    private static func serve(_ server: ListServer, _ console: Console) async throws {
      let add: (Router<WebContext>) -> Void = { server.addRoutes(to: $0) }
      try await WebServer(token: .none).run(assets: [], routes: add) { console.show("listening on \($0)") }
    }
  #endif

  /// The lines of the standard input.
  private static var lines: AsyncStream<String> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
    }
  }
}
