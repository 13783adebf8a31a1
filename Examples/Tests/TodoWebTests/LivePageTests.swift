import Alter
import BrowserTesting
import Foundation
import Testing

@Suite("The todo page lives", .enabled(if: Browser.isExpected), .serialized)
struct LivePageTests {
  @Test("what somebody changes on another page, or in a terminal, shows at once")
  func live() async throws {
    let server = try await TodoServer(["Pay rent"])
    let beside = try await server.beside()
    try await Browser.withPage { one in
      try await Browser.withPage { other in
        try await one.open(server)
        try await other.open(beside)
        try await one.type("Buy bread", into: "#add")
        try await one.press("Enter")
        try await other.waitForItems("Pay rent", "Buy bread")
        try await other.click(Page.inItem("Pay rent", ".box"))
        try await one.waitForItems("Buy bread")
        try server.todo(["add", "From a terminal"])
        try await one.waitForItems("Buy bread", "From a terminal")
        try await other.waitForItems("Buy bread", "From a terminal")
        try server.todo(["undo"])
        try await one.waitForItems("Buy bread")
      }
    }
  }

  @Test("nothing that is being typed is lost when the list changes under it")
  func typing() async throws {
    let server = try await TodoServer(["one", "two", "three"])
    try await Browser.withPage { page in
      try await page.open(server, "?sort=text")
      try await page.type("half a li", into: "#add")
      try await page.click(Page.inItem("two", ".text"))
      try await page.fill(".editor input", with: "two and a ha")
      try await page.run("document.activeElement.setSelectionRange(3, 6)")
      // The item moves, its text changes, and others appear and disappear.
      try server.todo(["rename", "2", "a second"])
      try server.todo(["remove", "1"])
      try server.todo(["add", "zero"])
      try await page.wait(for: "Meanwhile changed elsewhere to: a second", in: ".editor .hint")
      try await page.wait(until: "document.querySelectorAll('.item').length === 3 && !document.querySelector('[aria-label=one]')")
      #expect(try await page.evaluate("document.querySelector('.editor input').value", as: String.self) == "two and a ha")
      #expect(
        try await page.evaluate(
          "[document.activeElement === document.querySelector('.editor input'), document.activeElement.selectionStart, document.activeElement.selectionEnd].join()",
          as: String.self) == "true,3,6")
      #expect(try await page.evaluate("document.querySelector('#add').value", as: String.self) == "half a li")
      try await page.press("Enter")
      try await page.waitForItems("three", "two and a ha", "zero")
    }
  }

  @Test("what is typed for an item that somebody removes stays, and can become an item of its own")
  func removedUnderneath() async throws {
    let server = try await TodoServer(["one", "two"])
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.click(Page.inItem("two", ".text"))
      try await page.fill(".editor input", with: "two and a half")
      try server.todo(["remove", "2"])
      try await page.wait(for: "Your text is still here.", in: ".lost")
      try await page.press("Enter")
      try await page.wait(for: "it was removed elsewhere", in: ".lost .problem")
      #expect(page.takeProblems().contains { $0.contains("409") })
      try await page.click(".lost > button")
      try await page.waitForItems("one", "two and a half")
      try await page.wait(until: "!document.querySelector('.lost')")
    }
  }

  @Test("a change that the list refuses says why, and shows what the list is")
  func refused() async throws {
    let server = try await TodoServer(["one", "two"])
    try await Browser.withPage { page in
      try await page.open(server)
      // The page has not received the removal yet.
      try await page.run(
        "(() => { const real = window.fetch; window.fetch = (path, options) => real(path, {...options, body: options.body.replace(/[0-9a-f-]{36}/, '00000000-0000-4000-8000-000000000000')}) })()"
      )
      try await page.click(Page.inItem("one", ".box"))
      try await page.wait(for: "it was removed elsewhere", in: ".message.wrong")
      #expect(page.takeProblems().contains { $0.contains("409") })
      #expect(try await page.evaluate("document.querySelector('.box').checked", as: Bool.self) == false)
      try await page.click(".message.wrong button")
      try await page.wait(until: "!document.querySelector('.message.wrong')")
    }
  }

  @Test("catches up by itself when the server was killed and has come back, and has lost nothing that was typed")
  func restart() async throws {
    let server = try await TodoServer(["Pay rent"])
    try await Browser.withPage { page in
      try await page.open(server)
      try server.end(SIGKILL)
      try await page.wait(for: "can’t be reached", in: ".banner")
      try await page.type("Buy bread", into: "#add")
      try await page.press("Enter")
      try await page.wait(for: "nothing was changed", in: ".adding .problem")
      try server.todo(["add", "Meanwhile"])
      try await server.restart()
      try await page.waitForItems("Pay rent", "Meanwhile")
      try await page.wait(until: "!document.querySelector('.banner')")
      #expect(try await page.evaluate("document.querySelector('#add').value", as: String.self) == "Buy bread")
      try await page.press("Enter")
      try await page.waitForItems("Pay rent", "Meanwhile", "Buy bread")
      page.takeProblems()
    }
  }

  @Test("a token is asked for once, and then remembered")
  func token() async throws {
    let server = try await TodoServer(["Pay rent"], arguments: ["--token", "secret-1234"])
    try await Browser.withPage { page in
      try await page.open("http://127.0.0.1:\(server.port)/")
      try await page.wait(for: "A token is needed", in: "body")
      try await page.open(server)
      try await page.waitForItems("Pay rent")
      #expect(try await page.evaluate("location.href", as: String.self) == "http://127.0.0.1:\(server.port)/")
      // The browser also requested the page's icon, and was refused.
      let problems = page.takeProblems()
      #expect(problems.allSatisfy { $0.contains("401") }, "\(problems)")
    }
  }

  private func expectAccessible(_ page: Page, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    // During a transition, a colour is neither the old nor the new one.
    try await page.wait(until: "document.getAnimations().length === 0")
    let findings = try await page.audit()
    #expect(findings.isEmpty, "\(findings)", sourceLocation: sourceLocation)
  }

  @Test("fits every width, and is accessible", arguments: Page.looks)
  func audit(width: Int, scheme: Page.ColorScheme) async throws {
    let server = try await TodoServer([
      "(A) Call the landlord +flat @phone due:2020-01-01", "x Buy bread @market", "(B) Pay rent @home",
      "Fix \(String(repeating: "a long word", count: 12))",
      "Water the plants due:2031-01-01",
    ])
    try server.todo(["due", "3", "today"])
    try server.todo(["note", "The plumber comes on Friday"])
    try server.todo(["done", "5"])
    try server.todo(["undo"])
    try await Browser.withPage(width: width, height: 844) { page in
      try await page.colorScheme(scheme)
      try await page.reducedMotion(true)
      try await page.open(server, "?show=all&tag=@home")
      try await expectAccessible(page)
      try await page.open(server, "?show=all")
      try await expectAccessible(page)
      try await page.click(".more")
      try await page.click(".notes summary")
      try await page.focus(Page.inItem("Pay rent @home", ".box"))
      try await page.press("e")
      try await page.wait(until: "document.querySelector('.editor')")
      try await expectAccessible(page)
      try await page.press("Escape")
      try await page.type("due:2026-02-30", into: "#add")
      try await page.press("Enter")
      try await page.wait(until: "document.querySelector('.problem')")
      page.takeProblems()
      try await expectAccessible(page)
      try await page.click("[aria-label=Keys]")
      try await page.wait(until: "document.querySelector('dialog').open")
      try await expectAccessible(page)
      try await page.press("Escape")
      try await page.open(server, "?search=nothing")
      try await expectAccessible(page)
    }
  }
}
