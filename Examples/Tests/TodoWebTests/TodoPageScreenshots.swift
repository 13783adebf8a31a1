import BrowserTesting
import Foundation
import Testing

/// The folder for the pictures.
private let pictures = ProcessInfo.processInfo.environment["ALTER_SCREENSHOTS_IN"]

/// Takes the pictures of the documentation; run by `script/docs --pictures`.
@Suite("Pictures of the todo page", .enabled(if: pictures != nil), .serialized)
struct TodoPageScreenshots {
  /// A server with a realistic list.
  private func server() async throws -> TodoServer {
    let server = try await TodoServer([
      "(A) Call the landlord about the heating +flat @phone", "Pay rent @home", "Buy bread, olives and two lemons @market",
      "(B) Write the talk for the autumn meeting +talk", "Prune the roses @garden", "Book the night train to Köln +travel",
      "Read the chapter on journals @reading", "Renew the passport +travel", "Fix the bicycle's back light @garage",
    ])
    for (item, day) in [("1", "yesterday"), ("2", "today"), ("3", "tomorrow"), ("4", "+5d"), ("6", "+3w")] {
      try server.todo(["due", item, day])
    }
    try server.todo(["note", "The plumber comes on Friday, between 9 and 11"])
    try server.todo(["done", "7"])
    try server.todo(["done", "9"])
    return server
  }

  @Test("are taken wide, in light and dark", arguments: Page.ColorScheme.allCases)
  func wide(scheme: Page.ColorScheme) async throws {
    let server = try await server()
    try await take("todo-\(scheme)", of: server, width: 1_200, height: 780, scheme) { page in
      try await page.click(Page.inItem("Prune the roses @garden", ".more"))
      try await page.wait(until: "document.querySelector('.details')")
    }
  }

  @Test("are taken on a tablet, in light and dark", arguments: Page.ColorScheme.allCases)
  func middle(scheme: Page.ColorScheme) async throws {
    let server = try await server()
    try await take("todo-tablet-\(scheme)", of: server, width: 900, height: 780, scheme) { page in
      try await page.click(Page.inItem("Pay rent @home", ".rename"))
      try await page.wait(until: "document.querySelector('.editor')")
    }
  }

  @Test("are taken on a phone, in light and dark", arguments: Page.ColorScheme.allCases)
  func phone(scheme: Page.ColorScheme) async throws {
    let server = try await server()
    try await take("todo-phone-\(scheme)", of: server, width: 390, height: 844, scheme) { _ in }
  }

  private func take(
    _ name: String, of server: TodoServer, width: Int, height: Int, _ scheme: Page.ColorScheme, _ prepare: (Page) async throws -> Void
  ) async throws {
    let folder = try #require(pictures)
    try await Browser.withPage(width: width, height: height) { page in
      try await page.colorScheme(scheme)
      try await page.reducedMotion(true)
      try await page.open(server, "?show=all")
      try await page.wait(for: "completed ‘Fix the bicycle's back light", in: "#undo")
      try await prepare(page)
      try await page.run("new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
      try await page.screenshot(folder + "/\(name).png")
    }
  }
}
