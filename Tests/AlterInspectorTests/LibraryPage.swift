#if InspectorServer
  import _AlterWeb
  import BrowserTesting
  import Testing

  /// An empty page that may use the library of the inspector's pages.
  enum LibraryPage {
    private static let assets =
      WebAsset.library + [
        WebAsset(
          "/",
          Array(
            "<!doctype html><html lang=en><head><title>Test</title><link rel=icon href='data:,'></head><body><div id=app></div></body></html>"
              .utf8))
      ]

    /// Opens the page on its own server, with the headers of every page.
    static func with(_ body: (Page) async throws -> Void) async throws {
      let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
      let server = WebServer(port: 0, token: .none)
      let task = Task {
        defer { continuation.finish() }
        try await server.run(obeysSignals: false, assets: assets) { _ in
        } onReady: {
          continuation.yield($0)
        }
      }
      defer { task.cancel() }
      for await address in addresses {
        return try await Browser.withPage(width: 800, height: 600) { page in
          try await page.open(address)
          // Makes the names of the module available to the test's scripts, and waits for the next rendering.
          try await page.run(
            """
            Promise.all([import('/library/render.js'), import('/library/virtual-list.js')]).then(modules => {
              Object.assign(window, ...modules, {app: document.getElementById('app'), rendered: () => new Promise(resolve => setTimeout(resolve))})
            })
            """)
          try await body(page)
        }
      }
      try await task.value
    }
  }

  extension Page {
    /// Runs statements and decodes their result.
    func script<Value: Decodable>(_ statements: String, as type: Value.Type = Value.self) async throws -> Value {
      try await evaluate("(async () => { \(statements) })()")
    }
  }
#endif
