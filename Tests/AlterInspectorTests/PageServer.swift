#if InspectorServer
  import AlterCore
  import AlterInspector
  import AlterInspectorServer
  import _AlterWeb
  import BrowserTesting
  import Foundation
  import Testing

  /// Serves the inspector's page from this process to a browser.
  final class PageServer: Sendable {
    private struct Running {
      var task: Task<Void, any Error>
      var port: Int
    }

    private let inspection: Inspection
    private let running = Lock<Running?>(nil)

    init(_ inspection: Inspection) { self.inspection = inspection }

    /// Serves a page, opens it in a browser, and closes both afterwards.
    static func withPage(
      _ inspection: Inspection, at hash: String = "", width: Int = 1440, height: Int = 900, _ body: (Page, PageServer) async throws -> Void
    ) async throws {
      let server = PageServer(inspection)
      let address = try await server.start()
      do {
        try await Browser.withPage(width: width, height: height) { page in
          try await page.open(address + hash)
          try await page.wait(
            until: "document.querySelector('.row, .empty, .card, .about-line') && !document.querySelector('.waiting')",
            "the page to have loaded")
          try await body(page, server)
        }
      } catch {
        await server.stop()
        inspection.end()
        throw error
      }
      await server.stop()
      inspection.end()
    }

    /// Starts to serve. After a stop, the server uses the same port again.
    ///
    /// - Returns: The address.
    @discardableResult
    func start() async throws -> String {
      let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
      let server = WebServer(port: running.withLock { $0?.port ?? 0 }, token: .none)
      let task = Task { [inspection] in
        defer { continuation.finish() }
        try await server.run(obeysSignals: false, assets: WebAsset.library + InspectorRoutes.assets()) { router in
          InspectorRoutes(inspection).add(to: router)
        } onReady: { address in
          continuation.yield(address)
        }
      }
      for await address in addresses {
        guard let port = URLComponents(string: address)?.port else { break }
        running.withLock { $0 = Running(task: task, port: port) }
        return address
      }
      try await task.value
      throw BrowserError("the server gave no address")
    }

    /// Stops the server and its streams.
    func stop() async {
      let task = running.withLock { $0?.task }
      task?.cancel()
      _ = try? await task?.value
    }
  }
#endif
