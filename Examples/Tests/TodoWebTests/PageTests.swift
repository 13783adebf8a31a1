import Alter
import BrowserTesting
import Foundation
import Testing
import TodoTesting

@Suite("The page of todo serve", .enabled(if: Browser.isExpected), .serialized, .timeLimit(.minutes(20)))
struct PageTests {
  @Test(
    "shows a terminal's changes at once, makes its own for the terminal, tells a refusal, and is accessible",
    arguments: [(390, Page.ColorScheme.dark), (1200, .light)])
  func live(width: Int, scheme: Page.ColorScheme) async throws {
    let hostile = #"<img src=x onerror="document.title='taken'"> @<b>bold</b>"#
    let list = try ServedList("Pay rent", hostile)
    let server = try await list.serve()
    try await Browser.withPage(width: width, height: 800) { page in
      try await page.colorScheme(scheme)
      try await page.open(server.address)
      try await page.waitForItems("Pay rent", hostile)
      #expect(try await page.evaluate("location.search", as: String.self) == "")
      #expect(try await page.count(of: "img, .item b") == 0)

      try list.todo("add", "(A) Call Ann due:2020-01-01 @phone")
      try await page.waitForItems("Pay rent", hostile, "(A) Call Ann @phone")
      try list.todo("remove", "2")
      try await page.waitForItems("Pay rent", "(A) Call Ann @phone")

      try await page.type("Buy bread", into: "#add")
      try await page.press("Enter")
      try await page.waitForItems("Pay rent", "(A) Call Ann @phone", "Buy bread")
      try await page.wait(until: "document.querySelector('#add').value === ''")
      try await page.click(".item input")
      try await page.wait(until: "document.querySelector('.item.done .text').innerText === 'Pay rent'")
      #expect(try list.todo("list", "--done").contains("Pay rent"))
      try await page.click(".item input")
      try await page.wait(until: "!document.querySelector('.done')")
      try await page.click("[aria-label='Remove Buy bread']")
      try await page.waitForItems("Pay rent", "(A) Call Ann @phone")
      try await page.click("#undo")
      try await page.wait(until: "document.querySelector('#answer').innerText === 'Undid: removed ‘Buy bread’'")
      #expect(try list.todo("list").contains("Buy bread"))
      try await page.click("#redo")
      try await page.waitForItems("Pay rent", "(A) Call Ann @phone")

      try await page.click("#redo")
      try await page.wait(until: "document.querySelector('#answer').innerText === 'There is nothing to redo.'")
      #expect(page.takeProblems().contains { $0.contains("409") })
      #expect(try await page.audit() == [])
      try await page.click("header a")
      try await page.wait(until: "location.pathname === '/inspector/' && document.body.innerText.includes('Buy bread')")
    }
  }

  @Test("says that its server is gone, and catches up when it is back")
  func restart() async throws {
    let list = try ServedList("Pay rent")
    let first = try await list.serve("--token", "a-good-token")
    let second = try await Browser.withPage { page in
      try await page.open(first.address)
      try await page.waitForItems("Pay rent")
      first.process.child.end(SIGKILL)
      try await page.wait(until: "document.querySelector('#problem').innerText.includes('can’t be reached')")
      try list.todo("add", "Buy bread")
      let second = try await list.serve("--token", "a-good-token", "--port", "\(first.port)")
      try await page.waitForItems("Pay rent", "Buy bread")
      try await page.wait(until: "document.querySelector('#problem').innerText === ''")
      page.takeProblems()
      return second
    }
    #expect(second.process.child.end(SIGTERM) == 0)
  }

  @Test("of a synced list shows the connection, unconfirmed and refused changes, and says that the list has moved")
  func synced() async throws {
    let sync = try TodoServerProcess()
    let tokens = (ann: try sync.add("ann"), bob: try sync.add("bob"))
    let (ann, bob) = (try ServedList("Pay rent"), try ServedList())
    try ann.sync(with: sync, token: tokens.ann)
    try sync.admin("share", "ann/todo", "bob", "--write")
    try bob.sync(with: sync, token: tokens.bob)
    let server = try await bob.serve()
    func waitForSync(_ page: Page, _ words: String) async throws {
      try await page.wait(until: "document.querySelector('#sync').innerText.includes(\(JSONValue.string(words)))", words)
    }
    try await Browser.withPage { page in
      try await page.open(server.address)
      try await page.waitForItems("Pay rent")
      try await waitForSync(page, "Sync: connected. Everything is confirmed.")
      try ann.todo("add", "Call home")
      try await page.waitForItems("Pay rent", "Call home")

      sync.kill()
      try await waitForSync(page, "Sync: offline since")
      try await page.type("Buy bread", into: "#add")
      try await page.press("Enter")
      try await waitForSync(page, "1 not yet confirmed.")
      try await page.wait(until: "document.querySelector('.item:last-child').innerText.includes('(not yet confirmed)')")
      try sync.restart()
      try await waitForSync(page, "Sync: connected. Everything is confirmed.")
      try await page.click("#undo")
      try await page.waitForItems("Pay rent", "Call home")

      try await page.click("[aria-label='Remove Pay rent']")
      try await waitForSync(page, "1 refused: 'todo refused' shows them.")
      try await page.wait(until: "document.querySelector('.item').innerText.includes('Only ann, who owns this list, removes items.')")
      // The request itself was refused, too, unless the server's verdict came late.
      try await page.wait(until: "performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/api/changes')).length === 3")
      page.takeProblems()
    }
    try bob.todo("refused", "--dismiss", "1")
    try bob.todo("sync", "--stop")
    let refused = try await server.change(#"{"add":{"text":"Nowhere"}}"#)
    #expect(refused.status == 503 && refused.error.hasPrefix("This list is not synced any more"), "\(refused)")
    #expect(try await server.view()["problem"]?.text == refused.error)
  }
}

extension Page {
  /// Waits until the list shows these texts, in this order.
  fileprivate func waitForItems(_ texts: String...) async throws {
    let wanted = JSONValue.array(texts.map { .string($0) })
    try await wait(
      until: "JSON.stringify([...document.querySelectorAll('.item .text')].map(text => text.innerText)) === JSON.stringify(\(wanted))",
      "the items \(texts)")
  }
}
