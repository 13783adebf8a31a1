import AlterCore
import AlterJournal
import Foundation

/// A page in the browser, used as a person would: opened, looked at, clicked, typed into.
///
/// It never waits by the clock: ``wait(until:_:)`` watches a condition inside the page.
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
    // It behaves as if it were in front, though many pages are open at a time.
    try await send("Emulation.setFocusEmulationEnabled", ["enabled": true])
  }

  deinit { tools.listen(to: session, nil) }

  /// Sends a command of the DevTools protocol to this page.
  @discardableResult
  public func send(_ method: String, _ parameters: JSONValue = .object([:])) async throws -> JSONValue {
    try await tools.send(method, parameters, session: session)
  }

  // MARK: Looking

  /// Opens an address, and waits until the page and its scripts are there.
  public func open(_ address: String) async throws {
    let answer = try await send("Page.navigate", ["url": .string(address)])
    if let error = answer["errorText"]?.text { throw BrowserError("can't open \(address): \(error)") }
    try await wait(until: "document.readyState === 'complete'", "\(address) to load")
  }

  /// What an expression in the page's JavaScript comes to; a promise is waited for.
  ///
  /// - Parameters:
  ///   - script: One expression.
  ///   - type: What it is decoded as, from JSON. `undefined` is null.
  public func evaluate<Value: Decodable>(_ script: String, as type: Value.Type = Value.self) async throws -> Value {
    try await run(script).decode(Value.self)
  }

  /// Runs an expression in the page, for what it does.
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
  ///   - condition: JavaScript. What throws is not true yet.
  ///   - what: What is waited for, for the error; the condition itself if nil.
  /// - Throws: ``BrowserError``, with what the page shows and complains of, when it does not come true within a minute.
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
    // Going to another page ends what runs in the old one: looked for again in the new one, a few times.
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

  /// The text of every element that a selector finds, in order.
  public func texts(of selector: String) async throws -> [String] {
    try await evaluate("[...document.querySelectorAll(\(JSONValue.string(selector)))].map(element => element.innerText.trim())")
  }

  /// The number of elements that a selector finds.
  public func count(of selector: String) async throws -> Int {
    try await evaluate("document.querySelectorAll(\(JSONValue.string(selector))).length")
  }

  /// Whether a selector finds something that can be seen.
  public func shows(_ selector: String) async throws -> Bool {
    try await evaluate("!!document.querySelector(\(JSONValue.string(selector)))?.checkVisibility({visibilityProperty: true})")
  }

  /// Writes a picture of what can be seen, as PNG.
  public func screenshot(_ path: String) async throws {
    let answer = try await send("Page.captureScreenshot", ["format": "png"])
    guard let text = answer["data"]?.text, let data = Data(base64Encoded: text) else { throw BrowserError("no picture: \(answer)") }
    try data.write(to: URL(fileURLWithPath: path))
  }

  // MARK: The screen

  /// The size of the window, in CSS pixels.
  ///
  /// - Parameter scale: Pixels of a picture for each of them.
  public func size(width: Int, height: Int, scale: Double = 1) async throws {
    try await send(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .integer(Int64(width)), "height": .integer(Int64(height)), "deviceScaleFactor": .number(scale), "mobile": false,
      ])
  }

  /// What a person has chosen in their system.
  public enum ColorScheme: String, Sendable, CaseIterable { case light, dark }

  private struct Media: Sendable {
    var colorScheme: ColorScheme?
    var isMotionReduced = false
  }

  private let media = Lock(Media())

  /// Light or dark.
  public func colorScheme(_ scheme: ColorScheme) async throws {
    media.withLock { $0.colorScheme = scheme }
    try await setMedia()
  }

  /// Whether the person wants no animation.
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

  // MARK: Complaints

  /// What the page has complained of since it was last asked: errors in its console, uncaught exceptions, requests that failed.
  /// What is left at the end of a test fails it.
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
