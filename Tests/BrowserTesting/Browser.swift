import AlterCore
import AlterJournal
import Foundation
import Testing

/// A real browser, for tests of pages: Chromium without a window, one for the test run, ended with it.
///
/// ```swift
/// @Suite(.enabled(if: Browser.isExpected)) struct PageTests {
///   @Test func `a click adds a card`() async throws {
///     try await Browser.withPage { page in
///       try await page.open(address)
///       try await page.click("#add")
///       try await page.wait(until: "document.querySelectorAll('.card').length === 1")
///     }
///   }
/// }
/// ```
package final class Browser: Sendable {
  /// Whether tests of pages are run: where a browser is, and with `CI=true` in any case, so that they fail where one is missing.
  package static let isExpected: Bool = {
    if BrowserProcess.executable != nil || ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    print("The tests of the pages are skipped: they need Chromium (Debian's packages 'chromium' and 'fonts-dejavu-core').")
    return false
  }()

  private let process: BrowserProcess
  private let tools: DevTools

  private init() throws {
    process = try BrowserProcess()
    tools = DevTools(process)
  }

  /// The one browser of this process, started when it is first asked for.
  private static let shared = Lock<Browser?>(nil)

  private static func start() throws -> Browser {
    try shared.withLock { shared in
      if let shared { return shared }
      let browser = try Browser()
      atexit { Browser.shared.withLock { $0?.process.end() } }
      shared = browser
      return browser
    }
  }

  /// Runs a test in a page of its own, with cookies and storage of its own, and fails on everything that the page complains of.
  ///
  /// - Parameters:
  ///   - width: In CSS pixels.
  ///   - height: In CSS pixels.
  ///   - body: The test. What it expects to go wrong it takes out by ``Page/takeProblems()``.
  package static func withPage<Result>(
    width: Int = 1440, height: Int = 900, sourceLocation: SourceLocation = #_sourceLocation, _ body: (Page) async throws -> Result
  ) async throws -> Result {
    let tools = try start().tools
    let context = try await tools.send("Target.createBrowserContext")["browserContextId"] ?? .null
    do {
      let page = try await Page(tools, context: context)
      try await page.size(width: width, height: height)
      let result = try await body(page)
      for problem in page.takeProblems() { Issue.record("The page complains: \(problem)", sourceLocation: sourceLocation) }
      try await tools.send("Target.disposeBrowserContext", ["browserContextId": context])
      return result
    } catch {
      _ = try? await tools.send("Target.disposeBrowserContext", ["browserContextId": context])
      throw error
    }
  }
}
