import AlterCore
import AlterJournal
import Foundation
import Testing

/// A real browser for tests of pages: a Chromium without a window. One instance serves the whole test run and ends with it.
///
/// ```swift
/// @Suite(.enabled(if: Browser.isExpected)) struct PageTests {
///   @Test("a click adds a card") func click() async throws {
///     try await Browser.withPage { page in
///       try await page.open(address)
///       try await page.click("#add")
///       try await page.wait(until: "document.querySelectorAll('.card').length === 1")
///     }
///   }
/// }
/// ```
public final class Browser: Sendable {
  /// Whether tests of pages run: if a browser is installed, and always with `CI=true`, so that they fail if it is missing.
  public static let isExpected: Bool = {
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

  /// The only browser of this process, started on first use.
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

  /// Limits the number of pages that are open at once. Tests run in parallel, and a browser with twenty busy pages slows each of them down.
  private final class Turns: Sendable {
    private struct State {
      var free = 3
      var waiting: [CheckedContinuation<Void, Never>] = []
    }

    static let shared = Turns()
    private let state = Lock(State())

    func take() async {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append(continuation)
          return false
        }
        if isFree { continuation.resume() }
      }
    }

    func giveBack() {
      let next: CheckedContinuation<Void, Never>? = state.withLock { state in
        if state.waiting.isEmpty {
          state.free += 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      next?.resume()
    }
  }

  /// Runs a test with a new page, which has its own cookies and storage. Fails if the page reports a problem.
  ///
  /// - Parameters:
  ///   - width: The width in CSS pixels.
  ///   - height: The height in CSS pixels.
  ///   - body: The test. It removes expected problems with ``Page/takeProblems()``.
  public static func withPage<Result>(
    width: Int = 1440, height: Int = 900, sourceLocation: SourceLocation = #_sourceLocation, _ body: (Page) async throws -> Result
  ) async throws -> Result {
    await Turns.shared.take()
    defer { Turns.shared.giveBack() }
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
