import BrowserTesting
import Foundation
import ProcessTesting
import Testing

@Suite("The browser of the tests", .enabled(if: Browser.isExpected), .timeLimit(.minutes(20)))
struct PageHarnessTests {
  /// The address of a page with this body.
  static func address(_ body: String, head: String = "<title>Test</title>") -> String {
    let page = "<!doctype html><html lang=en><head><meta charset=utf-8>\(head)</head><body>\(body)</body></html>"
    let bytes = page.utf8.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return "data:text/html," + bytes.joined()
  }

  @Test("a page is clicked, typed into and read") func clicked() async throws {
    try await Browser.withPage(width: 600, height: 400) { page in
      try await page.open(
        Self.address(
          """
          <main><h1>Names</h1><label>Name <input id=name></label><button id=add>Add</button><ol></ol></main>
          <script>
            const add = () => setTimeout(() => document.querySelector('ol').append(Object.assign(document.createElement('li'), {textContent: name_.value})))
            const name_ = document.getElementById('name')
            document.getElementById('add').onclick = add
            name_.onkeydown = event => { if (event.key === 'Enter') add() }
          </script>
          """))
      try await page.type("Ada", into: "#name")
      try await page.click("#add")
      try await page.wait(until: "document.querySelector('li')")
      try await page.fill("#name", with: "Grace")
      try await page.press("Enter")
      try await page.wait(until: "document.querySelectorAll('li').length === 2")
      #expect(try await page.texts(of: "li") == ["Ada", "Grace"])
      #expect(try await page.evaluate("[innerWidth, innerHeight]") == [600, 400])
      #expect(try await page.audit() == [])
    }
  }

  @Test("the audit names what keeps people out") func audit() async throws {
    try await Browser.withPage { page in
      try await page.open(
        Self.address(
          """
          <h1>One</h1><h1>Two</h1><p id=a></p><p id=a></p><button></button><input><img src="data:,"><div role=option>Alone</div>
          <p style="color: #999; background: #fff">Pale</p><p style="opacity: .4">Faint</p><a href="#" style="outline: none">Unseen</a>
          <button tabindex=3>First</button><div style="width: 3000px">Wide</div>
          """, head: ""))
      // The problem with the missing picture is not the subject of this test.
      page.takeProblems()
      let findings = try await page.audit().joined(separator: "\n")
      for expected in [
        "no title", "2 h1", "needs one main", "id \"a\" is there 2 times", "<button> \"\" has no name", "<input> \"\" has no name",
        "has no alt",
        "role option outside", "\"Pale\" has text with a contrast of 2.8", "\"Faint\" has text", "\"Unseen\" looks the same",
        "positive tabindex",
        "scrolls sideways",
      ] {
        #expect(findings.contains(expected), "\(expected) in \(findings)")
      }
    }
  }

  @Test("what a page complains of is collected") func problems() async throws {
    try await Browser.withPage { page in
      try await page.open(Self.address("<script>console.error('first'); setTimeout(() => { throw new Error('second') })</script>"))
      try await page.run("fetch('http://127.0.0.1:1/').catch(() => null)")
      let problems = page.takeProblems().joined(separator: "\n")
      for expected in ["console: first", "exception: Error: second", "http://127.0.0.1:1/"] { #expect(problems.contains(expected)) }
      #expect(page.takeProblems() == [])
    }
  }

  @Test("light and dark, sizes and pictures") func appearance() async throws {
    try await Browser.withPage { page in
      try await page.open(Self.address("<p>Hello</p>"))
      for scheme in Page.ColorScheme.allCases {
        try await page.colorScheme(scheme)
        #expect(try await page.evaluate("matchMedia('(prefers-color-scheme: \(scheme))').matches"))
      }
      try await page.size(width: 390, height: 844, scale: 2)
      #expect(try await page.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == [390, 844, 2])
      let folder = try Folder()
      try await page.screenshot(folder.path("page.png"))
      #expect(try folder.bytes("page.png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
  }

  @Test("a condition that fails says what the page shows") func condition() async throws {
    try await Browser.withPage { page in
      try await page.open(Self.address("<p id=p>Still here</p><button disabled>Go</button>"))
      let click = await #expect(throws: BrowserError.self) { try await page.click("button") }
      #expect(click?.description == "can't click button: it is disabled")
      let script = await #expect(throws: BrowserError.self) { try await page.run("nothing.at.all") }
      #expect(script?.description.contains("nothing is not defined") == true)
    }
  }
}
