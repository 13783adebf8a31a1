import Alter
import BrowserTesting
import Foundation
import Testing

@Suite("A long list on the todo page", .enabled(if: Browser.isExpected), .serialized)
struct LongListTests {
  private static func items(_ count: Int) -> [String] { (1...count).map { "Item \($0)" } }

  /// The number of items that can be reached, including those that are not in the document.
  private static let size = "Number(document.querySelector('.item').ariaSetSize)"

  @Test("is shown in parts, by ‘Show more’, until everything is there")
  func more() async throws {
    let server = try await TodoServer(Self.items(650))
    try await Browser.withPage { page in
      try await page.open(server)
      // All items of the first part are in the document, so that the browser's own search finds them.
      #expect(try await page.count(of: ".item") == 200)
      try await page.wait(for: "Show more: 200 of 650 are shown", in: "#more")
      try await page.click("#more")
      try await page.wait(until: "\(Self.size) === 400")
      #expect(try await page.count(of: ".item") < 200)
      try await page.wait(for: "Show more: 400 of 650 are shown", in: "#more")
      try await page.click("#all")
      try await page.wait(until: "\(Self.size) === 650 && !document.querySelector('#more')")
      // Scrolling to the end shows the last item.
      try await page.wait(
        until: "scrollTo(0, 1e9), document.querySelector('[aria-posinset=\"650\"]')?.getBoundingClientRect().bottom < innerHeight")
      #expect(try await page.audit() == [])
      // Another view begins with its first part.
      try await page.click("[data-view=all]")
      try await page.wait(until: "\(Self.size) === 200")
    }
  }

  @Test("is gone through by the keyboard, changed far down, and keeps what is being typed out of sight")
  func keyboard() async throws {
    let server = try await TodoServer(Self.items(650))
    try await Browser.withPage { page in
      try await page.open(server, "?show=all")
      try await page.click("#all")
      try await page.wait(until: "\(Self.size) === 650")
      try await page.run("document.activeElement.blur()")
      for (key, text) in [
        ("G", "Item 650"), ("k", "Item 649"), ("k", "Item 648"), ("j", "Item 649"), ("g", "Item 1"), ("j", "Item 2"), ("G", "Item 650"),
      ] {
        try await page.press(key)
        try await page.waitForFocus(on: text)
        try await page.wait(
          until: "(box => box.top >= 0 && box.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())", "\(text) to be seen")
      }
      try await page.press("k")
      try await page.waitForFocus(on: "Item 649")
      try await page.press("Space")
      try await page.wait(until: "document.activeElement.checked && document.activeElement.ariaLabel === 'Item 649'")
      try await page.press("d")
      try await page.waitForFocus(on: "Item 650")
      try await page.press("u")
      try await page.wait(
        until: "document.activeElement.ariaLabel === 'Item 650' && document.querySelector('.box[aria-label=\"Item 649\"]')")
      // The text in the editor and its focus stay when another part is shown.
      try await page.press("e")
      try await page.fill(".editor input", with: "half a li")
      try await page.run("scrollTo(0, 0)")
      try await page.wait(until: "document.querySelector('[aria-posinset=\"1\"]') && !document.querySelector('[aria-posinset=\"600\"]')")
      try server.todo(["rename", "2", "Item two"])
      try await page.wait(until: "document.querySelector('.box[aria-label=\"Item two\"]')")
      try await page.type("ne")
      #expect(try await page.evaluate("document.activeElement.value", as: String.self) == "half a line")
      try await page.press("Enter")
      try await page.waitForFocus(on: "half a line")
    }
  }

  @Test("leads to a new item that can't be seen, wherever it is")
  func added() async throws {
    let server = try await TodoServer(Self.items(300))
    try await Browser.withPage { page in
      try await page.open(server)
      // The new item is beyond the part that is shown.
      try await page.type("Far away", into: "#add")
      try await page.press("Enter")
      try await page.wait(for: "Added: Far away", in: ".message")
      try await page.click("#show")
      try await page.waitForFocus(on: "Far away")
      // The new item is in the shown part, but outside the window.
      try await page.run("scrollTo(0, 0)")
      try await page.type("Further", into: "#add")
      try await page.press("Enter")
      try await page.wait(for: "Added: Further", in: ".message")
      try await page.click("#show")
      try await page.waitForFocus(on: "Further")
      #expect(try await page.audit() == [])
      // The new item doesn't match the current view.
      try await page.open(server, "?show=done&search=milk")
      try await page.type("Elsewhere", into: "#add")
      try await page.press("Enter")
      try await page.click("#show")
      try await page.waitForFocus(on: "Elsewhere")
      #expect(try await page.evaluate("document.querySelector('#search').value", as: String.self) == "")
      // The page offers no link to an item that is visible.
      try await page.open(server, "?search=elsewhere")
      try await page.type("elsewhere, in sight", into: "#add")
      try await page.press("Enter")
      try await page.waitForItems("Elsewhere", "elsewhere, in sight")
      try await page.wait(for: "Added: elsewhere, in sight", in: ".message")
      #expect(try await page.count(of: "#show") == 0)
    }
  }
}

@Suite("Texts on the todo page that reach beyond themselves", .enabled(if: Browser.isExpected), .serialized)
struct UnrulyTextTests {
  /// The image of the item at a position.
  private func picture(of place: Int, _ page: Page) async throws -> String {
    let box = try await page.evaluate(
      "(box => [box.x, box.y, box.width, box.height])(document.querySelector('[aria-posinset=\"\(place)\"]').getBoundingClientRect())",
      as: [Double].self)
    let answer = try await page.send(
      "Page.captureScreenshot",
      [
        "format": "png",
        "clip": ["x": .number(box[0]), "y": .number(box[1]), "width": .number(box[2]), "height": .number(box[3]), "scale": 1],
      ])
    return try #require(answer["data"]?.text)
  }

  @Test("marks that are piled up on a letter stay in their row")
  func marks() async throws {
    let marks = String(repeating: "\u{30D}\u{316}\u{353}\u{33F}", count: 15)
    let server = try await TodoServer(["above", "plain", "below"])
    try await Browser.withPage { page in
      try await page.reducedMotion(true)
      try await page.open(server)
      let before = [try await picture(of: 1, page), try await picture(of: 3, page)]
      let own = try await picture(of: 2, page)
      try server.todo(["rename", "2", "pla\(marks)in"])
      try await page.wait(until: "document.querySelector('[aria-posinset=\"2\"] .text').innerText.length > 20")
      #expect(try await picture(of: 2, page) != own)
      #expect([try await picture(of: 1, page), try await picture(of: 3, page)] == before)
    }
  }

  @Test("a text in another direction is isolated from the words about it")
  func direction() async throws {
    let text = "שלום 12"
    let server = try await TodoServer([text, "\(text) @home"])
    try server.todo(["note", text])
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.click(".notes summary")
      try await page.type(text, into: "#add")
      try await page.press("Enter")
      try await page.wait(for: text, in: ".message")
      try await page.wait(for: text, in: "#undo")
      let found = try await page.evaluate(
        """
        (() => {
          const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), places = []
          while (texts.nextNode()) {
            const {data, parentElement} = texts.currentNode
            if (data.includes('שלום')) places.push((parentElement.closest('bdi') ? 'apart in ' : 'loose in ') + parentElement.closest('.item, #undo, .message, .notes')?.className)
          }
          return [...new Set(places)]
        })()
        """, as: [String].self)
      #expect(Set(found) == ["apart in item", "apart in step", "apart in message", "apart in notes"])
      // The words around the tags stay in order.
      #expect(
        try await page.evaluate(
          """
          (() => {
            const undo = document.querySelector('#undo .what'), range = new Range()
            const edge = (node, at) => { range.setStart(node, at); range.setEnd(node, at + 1); return range.getBoundingClientRect() }
            const words = [...undo.childNodes].filter(node => node.nodeType === 3 && node.data.trim())
            const name = undo.querySelector('bdi').getBoundingClientRect()
            return edge(words.find(node => node.data.includes('‘')), 0).left < name.left && edge(words.find(node => node.data.includes('’')), 0).left >= name.right - 1
          })()
          """) == true)
    }
  }
}
