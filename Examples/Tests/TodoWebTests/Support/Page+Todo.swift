import Alter
import BrowserTesting

// The actions of a user on the todo page, and the visible results.
extension Page {
  /// Opens the page and waits for the list.
  func open(_ server: TodoServer, _ query: String = "") async throws {
    try await open(server.address + query)
    try await wait(until: "document.querySelector('.item, .empty')", "the list")
  }

  /// Waits until the list shows these texts, in this order.
  func waitForItems(_ texts: String...) async throws {
    let wanted = JSONValue.array(texts.map { .string($0) })
    try await wait(until: "JSON.stringify(\(Self.items)) === JSON.stringify(\(wanted))", "the items \(texts)")
  }

  /// The texts of the items, without decorations.
  private static let items = "[...document.querySelectorAll('.item')].map(item => item.querySelector('.box').getAttribute('aria-label'))"

  /// Waits until the box of an item has the focus. The keys then act on the item.
  func waitForFocus(on text: String) async throws {
    try await wait(
      until: "document.activeElement.matches('.box') && document.activeElement.getAttribute('aria-label') === \(JSONValue.string(text))",
      "the focus on '\(text)'")
  }

  /// Waits until the page has the answers to a number of requests.
  ///
  /// A refused request is one of the page's problems (``takeProblems()``). The event stream may show its effect before its answer arrives, so a
  /// test waits for the answer before it takes the problems.
  func waitForAnswers(_ count: Int, to path: String) async throws {
    try await wait(
      until:
        "performance.getEntriesByType('resource').filter(entry => new URL(entry.name).pathname === \(JSONValue.string(path))).length >= \(count)",
      "\(count) answers of \(path)")
  }

  /// Waits until a visible element contains a text.
  func wait(for text: String, in selector: String) async throws {
    try await wait(
      until:
        "[...document.querySelectorAll(\(JSONValue.string(selector)))].some(element => element.innerText.replace(/\\s+/g, ' ').includes(\(JSONValue.string(text))))",
      "'\(text)' in \(selector)")
  }

  /// The selector of an element in the item with a text.
  static func inItem(_ text: String, _ selector: String) -> String {
    ".item:has(.box[aria-label=\(JSONValue.string(text))]) \(selector)"
  }
}
