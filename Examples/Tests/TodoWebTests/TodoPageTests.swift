import Alter
import BrowserTesting
import Foundation
import Testing

@Suite("The todo page", .enabled(if: Browser.isExpected), .serialized)
struct TodoPageTests {
  @Test("adds what is typed, understands its day, tags and priority, and is ready for the next")
  func add() async throws {
    let server = try await TodoServer()
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.wait(for: "Nothing to do.", in: ".empty")
      try await page.type("(A) Call the landlord due:tomorrow +flat", into: "#add")
      try await page.press("Enter")
      // The user continues to type before the answer arrives. No text may be lost.
      try await page.type("Pay rent @home")
      try await page.waitForItems("Call the landlord +flat")
      try await page.wait(until: "document.activeElement.id === 'add' && document.activeElement.value === 'Pay rent @home'")
      try await page.wait(for: "tomorrow", in: ".due")
      try await page.wait(for: "A", in: ".priority")
      try await page.wait(for: "Added: (A) Call the landlord", in: "[role=status]")
      try await page.click(".adding button")
      try await page.waitForItems("Call the landlord +flat", "Pay rent @home")
      #expect(try await page.texts(of: ".tag") == ["+flat", "@home"])
      #expect(try await page.evaluate("document.title", as: String.self) == "(2) Todo")
    }
    #expect(try server.todo(["export"]).contains("(A)"))
  }

  @Test("keeps a line that is refused, and says why")
  func refusedLine() async throws {
    let server = try await TodoServer()
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.type("Return the book due:2026-02-30", into: "#add")
      try await page.press("Enter")
      try await page.wait(for: "no such day", in: ".adding .problem")
      #expect(try await page.evaluate("document.querySelector('#add').value", as: String.self) == "Return the book due:2026-02-30")
      #expect(page.takeProblems().contains { $0.contains("422") })
      try await page.fill("#add", with: "Return the book")
      try await page.press("Enter")
      try await page.waitForItems("Return the book")
      // The list may arrive before the answer to the request.
      try await page.wait(until: "!document.querySelector('.problem')")
    }
  }

  @Test("completes by a click, shows what is done where it is asked for, and opens it again")
  func complete() async throws {
    let server = try await TodoServer(["Pay rent", "Buy bread"])
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.click(Page.inItem("Pay rent", ".box"))
      try await page.waitForItems("Buy bread")
      try await page.wait(for: "Done: Pay rent", in: "[role=status]")
      // The item leaves the list, and the focus moves to another one.
      try await page.waitForFocus(on: "Buy bread")
      try await page.click("[data-view=done]")
      try await page.waitForItems("Pay rent")
      try await page.click(Page.inItem("Pay rent", ".box"))
      try await page.wait(for: "Nothing is done yet.", in: ".empty")
      try await page.click("[data-view=open]")
      try await page.waitForItems("Pay rent", "Buy bread")
    }
  }

  @Test("renames in place: Enter saves, Escape leaves it as it was")
  func rename() async throws {
    let server = try await TodoServer(["Pay rent", "Buy bread"])
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.click(Page.inItem("Pay rent", ".text"))
      try await page.fill(".editor input", with: "Pay the rent")
      try await page.press("Enter")
      try await page.waitForItems("Pay the rent", "Buy bread")
      try await page.waitForFocus(on: "Pay the rent")
      try await page.press("e")
      try await page.fill(".editor input", with: "Something else")
      try await page.press("Escape")
      try await page.wait(until: "!document.querySelector('.editor')")
      try await page.waitForFocus(on: "Pay the rent")
      try await page.waitForItems("Pay the rent", "Buy bread")
      try await page.press("Enter")
      try await page.fill(".editor input", with: "  ")
      try await page.press("Enter")
      try await page.wait(for: "type one", in: ".editor .problem")
      #expect(page.takeProblems().contains { $0.contains("422") })
      #expect(try await page.evaluate("document.querySelector('.editor input').value", as: String.self) == "  ")
    }
  }

  @Test("changes the day, the priority and the tags of an item")
  func details() async throws {
    let server = try await TodoServer(["Pay rent @home", "Buy bread"])
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.click(Page.inItem("Buy bread", ".more"))
      try await page.run(
        "(() => { const field = document.querySelector('input[type=date]'); field.value = '2020-02-29'; field.dispatchEvent(new InputEvent('input', {bubbles: true})) })()"
      )
      try await page.wait(for: "29 Feb 2020", in: ".due.overdue")
      try await page.wait(for: "1 overdue", in: ".summary")
      try await page.run("[...document.querySelectorAll('.details .chip')].find(chip => chip.innerText === 'tomorrow').click()")
      try await page.wait(until: "document.querySelector('.due').innerText.includes('tomorrow')")
      try await page.run(
        "(() => { const field = document.querySelector('.details select'); field.value = 'C'; field.dispatchEvent(new Event('change', {bubbles: true})) })()"
      )
      try await page.wait(for: "C", in: ".priority")
      try await page.type("market", into: ".tag-form input")
      try await page.press("Enter")
      try await page.wait(for: "@market", in: ".tag")
      try await page.wait(until: "document.querySelector('.tag-form input').value === ''")
      try await page.click("[aria-label='Take @market off']")
      try await page.wait(
        until:
          "!document.body.innerText.includes('@market 1') && ![...document.querySelectorAll('.tag')].some(tag => tag.innerText === '@market')"
      )
      try await page.run("[...document.querySelectorAll('.details .chip')].find(chip => chip.innerText === 'no day').click()")
      try await page.wait(until: "!document.querySelector('.due')")
    }
    #expect(try server.todo(["list"]).contains("(C)"))
  }

  @Test("a day that is typed is taken when it is complete, not digit by digit")
  func typedDay() async throws {
    let server = try await TodoServer(["Pay rent"])
    let before = try #require(try await server.page()["revision"]?.int)
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.click(".more")
      try await page.focus("input[type=date]")
      for digit in "12242031" { try await page.press(String(digit)) }
      try await page.press("Enter")
      try await page.wait(for: "24 Dec 2031", in: ".due")
    }
    #expect(try await server.page()["revision"]?.int == before + 1)
  }

  @Test("shows only what has a tag, what contains some words, in another order, and keeps that in its address")
  func filter() async throws {
    let server = try await TodoServer(["Pay rent @home", "Buy bread @market", "Water the plants @home"])
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.click(Page.inItem("Pay rent @home", ".tag"))
      try await page.waitForItems("Pay rent @home", "Water the plants @home")
      try await page.type("WATER", into: "#search")
      try await page.waitForItems("Water the plants @home")
      try await page.wait(until: "location.search === '?search=WATER&tag=%40home'")
      try await page.open(server, "?search=WATER&tag=%40home")
      try await page.waitForItems("Water the plants @home")
      #expect(try await page.evaluate("document.querySelector('#search').value", as: String.self) == "WATER")
      try await page.fill("#search", with: "nothing of the kind")
      try await page.wait(for: "Nothing found.", in: ".empty")
      try await page.click(".empty button")
      try await page.waitForItems("Pay rent @home", "Buy bread @market", "Water the plants @home")
      try await page.run(
        "(() => { const field = document.querySelector('.order select'); field.value = 'text'; field.dispatchEvent(new Event('change', {bubbles: true})) })()"
      )
      try await page.waitForItems("Buy bread @market", "Pay rent @home", "Water the plants @home")
    }
  }

  @Test("is used by the keyboard alone")
  func keyboard() async throws {
    let server = try await TodoServer(["one", "two", "three"])
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.press("a")
      try await page.type("four")
      try await page.press("Enter")
      try await page.waitForItems("one", "two", "three", "four")
      try await page.press("Escape")
      try await page.press("j")
      try await page.waitForFocus(on: "one")
      try await page.press("j")
      try await page.waitForFocus(on: "two")
      try await page.press("Space")
      try await page.waitForItems("one", "three", "four")
      try await page.waitForFocus(on: "three")
      try await page.press("k")
      try await page.waitForFocus(on: "one")
      try await page.press("d")
      try await page.waitForItems("three", "four")
      try await page.waitForFocus(on: "three")
      try await page.press("u")
      try await page.waitForItems("one", "three", "four")
      try await page.press("u")
      try await page.waitForItems("one", "two", "three", "four")
      try await page.press("r")
      try await page.waitForItems("one", "three", "four")
      try await page.press("G")
      try await page.waitForFocus(on: "four")
      try await page.press("e")
      try await page.wait(until: "document.querySelector('.editor')")
      try await page.type("the last")
      try await page.press("Enter")
      try await page.waitForItems("one", "three", "the last")
      try await page.waitForFocus(on: "the last")
      try await page.press("g")
      try await page.waitForFocus(on: "one")
      try await page.press("m")
      try await page.wait(until: "document.activeElement.type === 'date'")
      try await page.press("/")
      try await page.focus("#search")
      try await page.type("three")
      try await page.waitForItems("three")
      try await page.press("Escape")
      try await page.waitForItems("one", "three", "the last")
      try await page.press("Escape")
      try await page.press("?")
      try await page.wait(until: "document.querySelector('dialog').open")
      try await page.press("Escape")
      try await page.wait(until: "!document.querySelector('dialog').open")
    }
  }

  @Test("has buttons that tell what undo and redo would do")
  func undo() async throws {
    let server = try await TodoServer()
    try await Browser.withPage { page in
      try await page.open(server)
      #expect(
        try await page.evaluate("document.querySelector('#undo').disabled && document.querySelector('#redo').disabled", as: Bool.self))
      try await page.type("Pay rent", into: "#add")
      try await page.press("Enter")
      try await page.wait(for: "added ‘Pay rent’", in: "#undo")
      try server.todo(["rename", "1", "Pay the rent"])
      try await page.wait(for: "renamed ‘Pay rent’ to ‘Pay the rent’", in: "#undo")
      try await page.click("#undo")
      try await page.waitForItems("Pay rent")
      try await page.wait(for: "renamed ‘Pay rent’ to ‘Pay the rent’", in: "#redo")
      try await page.wait(for: "added ‘Pay rent’", in: "#undo")
      try await page.click("#redo")
      try await page.waitForItems("Pay the rent")
      try await page.wait(for: "Redid: renamed", in: "[role=status]")
    }
  }

  @Test("removes what is done at one go, and brings it back by one undo")
  func clear() async throws {
    let server = try await TodoServer(["one", "two", "three"])
    try server.todo(["done", "1", "3"])
    try await Browser.withPage { page in
      try await page.open(server, "?show=all")
      try await page.waitForItems("one", "two", "three")
      try await page.click("#clear")
      try await page.waitForItems("two")
      try await page.click("#undo")
      try await page.waitForItems("one", "two", "three")
    }
  }

  @Test("writes notes")
  func notes() async throws {
    let server = try await TodoServer()
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.click(".notes summary")
      try await page.type("The plumber comes on Friday", into: "#note")
      try await page.press("Enter")
      try await page.wait(for: "The plumber comes on Friday", in: ".notes li")
      try await page.wait(until: "document.querySelector('#note').value === ''")
    }
    #expect(try server.todo(["notes"]).contains("plumber"))
  }

  @Test("leads to the inspector of its own list, which leads back")
  func inspector() async throws {
    let server = try await TodoServer(["Pay rent"])
    try await Browser.withPage { page in
      try await page.open(server)
      try await page.click(".tools a")
      try await page.wait(for: "Pay rent", in: "body")
      try await page.wait(until: "location.pathname === '/inspector/'")
      try await page.wait(for: "List", in: ".home")
      try await page.click(".home")
      try await page.wait(until: "location.pathname === '/'")
      try await page.waitForItems("Pay rent")
    }
  }

  @Test("shows what hostile text is: text")
  func hostile() async throws {
    let texts = [
      #"<img src=x onerror="document.title='taken'"> @<b>bold</b>"#, "</script><script>document.title='taken'</script>",
      "${document.title='taken'}",
      #"" onfocus="document.title='taken'" autofocus=""#, "javascript:document.title='taken'",
    ]
    let server = try await TodoServer(texts)
    try server.todo(["note", texts[0]])
    try await Browser.withPage { page in
      try await page.open(server)
      #expect(try await page.texts(of: ".item .text") == texts)
      try await page.wait(for: texts[4], in: "#undo, .item")
      try await page.click(".more")
      try await page.click(".notes summary")
      try await page.wait(for: texts[0], in: ".notes li")
      #expect(try await page.count(of: "img, .item script, b") == 0)
      #expect(try await page.evaluate("document.title", as: String.self) == "(5) Todo")
    }
  }
}
