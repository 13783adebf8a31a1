import Alter
import BrowserTesting
import Foundation
import Testing
import TodoTesting

@Suite("The page of a synced list", .enabled(if: Browser.isExpected), .serialized)
struct SyncedPageTests {
  /// Ann's list with two items, and the page of Bob, who may change it.
  private func begin() async throws -> (server: TodoServerProcess, ann: TodoServer, bob: TodoServer) {
    let server = try TodoServerProcess()
    let tokens = (ann: try server.add("ann"), bob: try server.add("bob"))
    let ann = try await TodoServer(["Pay rent @home", "Buy bread @market"]) { try $0.begin(server, token: tokens.ann) }
    try server.admin("share", "ann/todo", "bob", "--write")
    let bob = try await TodoServer { try $0.begin(server, token: tokens.bob) }
    return (server, ann, bob)
  }

  private func audit(_ page: Page, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await page.wait(until: "document.getAnimations().length === 0")
    let findings = try await page.audit()
    #expect(findings.isEmpty, "\(findings)", sourceLocation: sourceLocation)
  }

  @Test("shows the connection, what is not confirmed, and who has changed what, on two pages")
  func connection() async throws {
    let (server, ann, bob) = try await begin()
    try await Browser.withPage { page in
      try await page.open(bob)
      try await page.wait(for: "Sync: connected. Everything is confirmed.", in: "#sync[role=status]")
      try await ann.change(#"{"add":{"text":"Call home"}}"#)
      try await page.waitForItems("Pay rent @home", "Buy bread @market", "Call home")
      try await page.wait(for: "by ann", in: Page.inItem("Call home", ".author"))
      server.kill()
      try await page.wait(for: "Sync: offline since", in: "#sync")
      try await page.click(Page.inItem("Buy bread @market", ".more"))
      try await page.type("Water the plants", into: "#add")
      try await page.press("Enter")
      try await page.wait(for: "not yet confirmed", in: Page.inItem("Water the plants", ".mark"))
      try await page.wait(for: "1 change not yet confirmed. The server can't be reached", in: "#sync")
      try await page.click(".recent summary")
      try await page.wait(for: "you: added ‘Water the plants’ not yet confirmed", in: ".recent li")
      try await page.wait(for: "ann: added ‘Call home’", in: ".recent li")
      try server.restart()
      try await page.wait(for: "Sync: connected. Everything is confirmed.", in: "#sync")
      try await page.wait(until: "!document.querySelector('.mark')")
    }
  }

  @Test("shows a refusal beside what it would have done; it is made again and dismissed, by the keyboard alone")
  func refusal() async throws {
    let (server, _, bob) = try await begin()
    try await Browser.withPage { page in
      try await page.open(bob)
      try await page.wait(for: "connected", in: "#sync")
      try await page.focus(Page.inItem("Pay rent @home", ".box"))
      try await page.press("d")
      try await page.wait(for: "removed ‘Pay rent @home’", in: ".refusals .would")
      try await page.wait(for: "Only ann, who owns this list, removes items.", in: ".refusals .why")
      try await page.wait(for: "change refused", in: Page.inItem("Pay rent @home", ".mark"))
      // The request itself may have been refused, too.
      try await page.waitForAnswers(1, to: "/api/changes")
      page.takeProblems()
      let names = try await page.evaluate(
        "[...document.querySelectorAll('.refusals button')].map(button => button.getAttribute('aria-label'))", as: [String].self)
      #expect(names == ["Retry: removed ‘Pay rent @home’", "Dismiss: removed ‘Pay rent @home’"])
      let first = try await page.evaluate("document.querySelector('.refusals button').dataset.focus", as: String.self)
      try await page.focus(".refusals button")
      try await page.press("Enter")
      // Another attempt has an id of its own.
      try await page.wait(
        until: "(document.querySelector('.refusals button')?.dataset.focus ?? \(JSONValue.string(first))) !== \(JSONValue.string(first))",
        "the second refusal")
      try await page.waitForAnswers(1, to: "/api/refusals")
      page.takeProblems()
      try await page.focus(".refusals button:last-of-type")
      try await page.press("Enter")
      try await page.wait(until: "!document.querySelector('.refusals') && !document.querySelector('.mark')", "no refusal")
      try await page.wait(for: "Dismissed", in: "[role=status]")
      try await page.waitForItems("Pay rent @home", "Buy bread @market")
    }
    let reply = try await bob.send(.post("/api/refusals", #"{"dismiss":["nothing"]}"#))
    #expect(reply.status == 409 && reply.error.contains("settled already"))
    #expect(try await bob.send(.post("/api/refusals", #"{"retry":["a"],"dismiss":["a"]}"#)).status == 400)
    server.kill()
  }

  @Test("fits every width, in light and dark, and is accessible", arguments: [390, 900], Page.ColorScheme.allCases)
  func accessible(width: Int, scheme: Page.ColorScheme) async throws {
    let (server, ann, bob) = try await begin()
    try await ann.change(#"{"add":{"text":"Fix \#(String(repeating: "a long word", count: 12))"}}"#)
    try bob.sync()
    try await Browser.withPage(width: width, height: 844) { page in
      try await page.colorScheme(scheme)
      try await page.reducedMotion(true)
      try await page.open(bob)
      try await page.wait(for: "connected", in: "#sync")
      try await audit(page)
      try await page.focus(Page.inItem("Pay rent @home", ".box"))
      try await page.press("d")
      try await page.wait(for: "removed", in: ".refusals .would")
      server.kill()
      try await page.wait(for: "Sync: offline since", in: "#sync")
      try await page.type("Water the plants", into: "#add")
      try await page.press("Enter")
      try await page.wait(for: "not yet confirmed", in: ".item .mark")
      // A message may cover the summary, so it is not clicked.
      try await page.run("document.querySelector('.recent').open = true")
      try await page.waitForAnswers(2, to: "/api/changes")
      page.takeProblems()
      try await audit(page)
    }
  }

  @Test("a page says that its list has gone to a server, or has come back, and changes nothing then")
  func moved() async throws {
    let sync = try TodoServerProcess()
    let token = try sync.add("ann")
    let local = try await TodoServer(["Pay rent"])
    try local.begin(sync, token: token)
    let synced = try await local.beside()
    func problem(_ server: TodoServer) async throws -> String {
      while true {
        if let text = try await server.page()["problem"]?.text { return text }
      }
    }
    #expect(try await problem(local).hasPrefix("This list is synced with a server now"))
    let refused = try await local.send(.post("/api/changes", #"{"changes":[{"add":{"text":"Nowhere"}}]}"#))
    #expect(refused.status == 409 && refused.error.contains("This list is synced now, as ann/todo"))
    try await synced.change(#"{"add":{"text":"Buy bread"}}"#)
    try synced.sync()
    try synced.todo(["sync", "--stop"])
    #expect(try await problem(synced).hasPrefix("This list is not synced any more"))
    #expect(try await synced.send(.post("/api/changes", #"{"changes":[{"add":{"text":"Nowhere"}}]}"#)).status == 503)
    // The page of the local list shows it as it has come back.
    while try await local.page()["problem"]?.text != nil {}
    try await local.change(#"{"add":{"text":"Call home"}}"#)
    #expect(try local.todo(["export"]).split(separator: "\n").map { $0.dropFirst(11) } == ["Pay rent", "Buy bread", "Call home"])
  }

  @Test("a list that is not synced shows nothing of it")
  func local() async throws {
    let server = try await TodoServer(["Pay rent"])
    #expect(try await server.page()["sync"] == nil)
    #expect(try await server.send(.post("/api/refusals", #"{"dismiss":["x"]}"#)).status == 409)
    try await Browser.withPage { page in
      try await page.open(server)
      #expect(try await page.count(of: "#sync, .refusals, .recent, .mark, .author") == 0)
    }
  }
}
