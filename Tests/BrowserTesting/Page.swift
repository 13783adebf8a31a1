import AlterCore
import AlterJournal
import Foundation
import ProcessTesting

/// A page in the browser. A test opens it, reads it, clicks and types as a user does.
///
/// It never waits for a fixed time: ``wait(until:_:)`` observes a condition inside the page.
public final class Page: Sendable {
  let tools: DevTools
  let session: String
  private let problems = Lock<[String]>([])
  private let requests = Lock<[String: String]>([:])

  init(_ tools: DevTools, context: JSONValue) async throws {
    let target = try await tools.send(
      "Target.createTarget", ["url": "about:blank", "browserContextId": context, "newWindow": true])["targetId"]
    let attached = try await tools.send("Target.attachToTarget", ["targetId": target ?? .null, "flatten": true])
    guard let session = attached["sessionId"]?.text else { throw BrowserError("the browser gave no session for a page: \(attached)") }
    (self.tools, self.session) = (tools, session)
    tools.listen(to: session) { [weak self] in self?.notice($0) }
    for domain in ["Page", "Runtime", "Network", "Log"] { try await send("\(domain).enable") }
    // The page behaves as if it were in the foreground, although many pages are open at once.
    try await send("Emulation.setFocusEmulationEnabled", ["enabled": true])
  }

  deinit { tools.listen(to: session, nil) }

  /// Sends a command of the DevTools protocol to this page.
  @discardableResult
  public func send(_ method: String, _ parameters: JSONValue = .object([:])) async throws -> JSONValue {
    try await tools.send(method, parameters, session: session)
  }

  // MARK: Reading

  /// Opens an address, and waits until the page and its scripts are loaded.
  public func open(_ address: String) async throws {
    let answer = try await send("Page.navigate", ["url": .string(address)])
    if let error = answer["errorText"]?.text { throw BrowserError("can't open \(address): \(error)") }
    try await wait(until: "document.readyState === 'complete'", "\(address) to load")
  }

  /// The value of a JavaScript expression in the page. A promise is awaited.
  ///
  /// - Parameters:
  ///   - script: One expression.
  ///   - type: The type that is decoded from the value's JSON. `undefined` becomes null.
  public func evaluate<Value: Decodable>(_ script: String, as type: Value.Type = Value.self) async throws -> Value {
    try await run(script).decode(Value.self)
  }

  /// Runs an expression in the page for its effects.
  @discardableResult
  public func run(_ script: String) async throws -> JSONValue {
    let answer = try await send(
      "Runtime.evaluate",
      ["expression": .string(script), "awaitPromise": true, "returnByValue": true, "userGesture": true])
    if let exception = answer["exceptionDetails"] {
      let what = exception["exception"]?["description"]?.text ?? exception["text"]?.text ?? "\(exception)"
      throw BrowserError("\(what)\n  in: \(script.prefix(500))")
    }
    return answer["result"]?["value"] ?? .null
  }

  /// Waits until an expression is true.
  ///
  /// - Parameters:
  ///   - condition: A JavaScript expression. An exception counts as false.
  ///   - what: A description for the error; the condition itself if nil.
  /// - Throws: ``BrowserError`` after a minute, with the page's text and problems.
  public func wait(until condition: String, _ what: String? = nil) async throws {
    let script = """
      new Promise(resolve => {
        const start = performance.now()
        const look = async () => {
          let isTrue = false
          try { isTrue = !!(await (async () => (\(condition)))()) } catch {}
          if (isTrue) resolve('yes'); else if (performance.now() - start > 60000) resolve('no'); else setTimeout(look, 15)
        }
        look()
      })
      """
    // A navigation ends the scripts of the old page. The wait is repeated in the new one, a few times.
    for attempt in 1... {
      do {
        if try await run(script) == "yes" { return }
        break
      } catch let error as BrowserError where attempt < 10 && Self.isNavigation(error) {}
    }
    let seen = (try? await evaluate("document.body.innerText.slice(0, 1500)", as: String.self)) ?? "nothing"
    throw BrowserError(
      "waited a minute for \(what ?? condition).\nThe page shows:\n\(seen)\nIt complains of: \(problems.withLock { $0 })")
  }

  private static func isNavigation(_ error: BrowserError) -> Bool {
    ["context was destroyed", "navigated or closed", "Cannot find context", "Promise was collected"].contains {
      error.description.contains($0)
    }
  }

  /// The texts of all elements that match a selector, in order.
  public func texts(of selector: String) async throws -> [String] {
    try await evaluate("[...document.querySelectorAll(\(JSONValue.string(selector)))].map(element => element.innerText.trim())")
  }

  /// The number of elements that match a selector.
  public func count(of selector: String) async throws -> Int {
    try await evaluate("document.querySelectorAll(\(JSONValue.string(selector))).length")
  }

  /// Whether a selector matches a visible element.
  public func shows(_ selector: String) async throws -> Bool {
    try await evaluate("!!document.querySelector(\(JSONValue.string(selector)))?.checkVisibility({visibilityProperty: true})")
  }

  /// Writes a picture of the visible part as PNG.
  public func screenshot(_ path: String) async throws {
    let answer = try await send("Page.captureScreenshot", ["format": "png"])
    guard let text = answer["data"]?.text, let data = Data(base64Encoded: text) else { throw BrowserError("no picture: \(answer)") }
    try data.write(to: URL(fileURLWithPath: path))
  }

  // MARK: The screen

  /// Sets the size of the window in CSS pixels.
  ///
  /// - Parameter scale: The number of picture pixels for each CSS pixel.
  public func size(width: Int, height: Int, scale: Double = 1) async throws {
    try await send(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .integer(Int64(width)), "height": .integer(Int64(height)), "deviceScaleFactor": .number(scale), "mobile": false,
      ])
  }

  /// The colour scheme of the user's system.
  public enum ColorScheme: String, Sendable, CaseIterable { case light, dark }

  /// The widths and color schemes in which a page must be accessible. The short run tries each of them once.
  public static let looks: [(Int, ColorScheme)] =
    [(390, .dark), (900, .light), (1440, .dark)] + (Effort.isFull ? [(390, .light), (900, .dark), (1440, .light)] : [])

  private struct Media: Sendable {
    var colorScheme: ColorScheme?
    var isMotionReduced = false
  }

  private let media = Lock(Media())

  /// Sets the colour scheme of the user's system.
  public func colorScheme(_ scheme: ColorScheme) async throws {
    media.withLock { $0.colorScheme = scheme }
    try await setMedia()
  }

  /// Sets whether the user prefers reduced motion.
  public func reducedMotion(_ isReduced: Bool) async throws {
    media.withLock { $0.isMotionReduced = isReduced }
    try await setMedia()
  }

  private func setMedia() async throws {
    let media = media.withLock { $0 }
    var features: [JSONValue] = [
      ["name": "prefers-reduced-motion", "value": .string(media.isMotionReduced ? "reduce" : "no-preference")]
    ]
    if let scheme = media.colorScheme { features.append(["name": "prefers-color-scheme", "value": .string(scheme.rawValue)]) }
    try await send("Emulation.setEmulatedMedia", ["features": .array(features)])
  }

  // MARK: Problems

  /// Returns and removes the problems since the last call: errors in the console, uncaught exceptions, failed requests. Problems that are
  /// left at the end of a test make it fail.
  @discardableResult
  public func takeProblems() -> [String] {
    problems.withLock { problems in
      defer { problems = [] }
      return problems
    }
  }

  private func notice(_ event: DevTools.Event) {
    let parameters = event.parameters
    switch event.method {
    case "Runtime.exceptionThrown":
      let details = parameters["exceptionDetails"]
      add("exception: \(details?["exception"]?["description"]?.text ?? details?["text"]?.text ?? "\(parameters)")")
    case "Runtime.consoleAPICalled" where ["error", "warning", "assert"].contains(parameters["type"]?.text):
      let words = parameters["args"]?.values?.map { $0["value"].map { $0.text ?? "\($0)" } ?? $0["description"]?.text ?? "?" } ?? []
      add("console: \(words.joined(separator: " "))")
    case "Log.entryAdded"
    where ["error", "warning"].contains(parameters["entry"]?["level"]?.text) && parameters["entry"]?["source"] != "network":
      add("log: \(parameters["entry"]?["text"]?.text ?? "") \(parameters["entry"]?["url"]?.text ?? "")")
    case "Network.requestWillBeSent":
      guard let id = parameters["requestId"]?.text, let url = parameters["request"]?["url"]?.text else { return }
      requests.withLock { $0[id] = url }
    case "Network.responseReceived":
      guard let status = parameters["response"]?["status"]?.int, status >= 400 else { return }
      add("request: \(status) \(parameters["response"]?["url"]?.text ?? "")")
    case "Network.loadingFailed" where parameters["canceled"] != true:
      let url = parameters["requestId"]?.text.flatMap { id in requests.withLock { $0[id] } } ?? ""
      add("request: \(parameters["errorText"]?.text ?? "failed") \(parameters["blockedReason"]?.text ?? "") \(url)")
    default: break
    }
  }

  private func add(_ problem: String) { problems.withLock { $0.append(problem) } }
}
