import Alter
import FeaturesCore
import Testing

@Suite("features") struct FeaturesTests {
  /// All messages that the app exchanges because of one message.
  private func said(_ app: LibraryApp, _ message: Message) -> [Message] {
    var said: [Message] = []
    app.send(message) { said.append($0) }
    return said
  }

  @Test("A small app: a message is a change, or why it can't be one") func small() {
    let store = Store(LibraryState())
    let app = SmallApp(store)
    #expect(app.send(.stock("Emma")) == nil && app.send(.lend("Emma", to: "Ann")) == nil)
    #expect(store.state.books[id: "Emma"]?.reader == "Ann")
    #expect(app.send(.lend("Emma", to: "Bob")) == "Emma is lent.")
    #expect(app.send(.takeBack("Persuasion")) == "There is no book 'Persuasion'.")
  }

  @Test("A large app: a message becomes a use case's request, its response the next message") func large() {
    let store = Store(LibraryState())
    let app = LibraryApp(store)
    #expect(said(app, .stock(.add("Emma"))) == [.stock(.add("Emma"))])
    #expect(
      said(app, .lending(.lend("Emma", to: "Ann"))) == [.lending(.lend("Emma", to: "Ann")), .lending(.wasLent("Emma", to: "Ann"))])
    #expect(said(app, .lending(.lend("Emma", to: "Bob"))).last == .lending(.wasRefused("Emma is lent.")))
    #expect(store.state.books[id: "Emma"]?.reader == "Ann")
  }

  @Test("Features work together by messages alone: a book that comes back goes to the first who waits") func together() {
    let store = Store(LibraryState())
    let app = LibraryApp(store)
    for message in [
      Message.stock(.add("Emma")), .lending(.lend("Emma", to: "Ann")), .waiting(.wait("Bob", for: "Emma")),
      .waiting(.wait("Cat", for: "Emma")),
    ] {
      app.send(message)
    }
    let before = store.revision
    #expect(
      said(app, .lending(.takeBack("Emma"))) == [
        .lending(.takeBack("Emma")), .lending(.wasTakenBack("Emma")), .lending(.lend("Emma", to: "Bob")),
        .lending(.wasLent("Emma", to: "Bob")),
      ])
    #expect(store.state.books[id: "Emma"]?.reader == "Bob" && store.state.books[id: "Emma"]?.waiting == ["Cat"])
    // Lending the book and removing Bob from the waiting list are one entry. No observer sees one without the other.
    #expect(store.revision.number == before.number + 2)
  }

  @Test("What must always hold is refused by the state, whichever feature asks") func rules() {
    let app = LibraryApp(Store(LibraryState()))
    for title in ["Emma", "Persuasion", "Evelina"] { app.send(.stock(.add(title))) }
    for title in ["Emma", "Persuasion"] { app.send(.lending(.lend(title, to: "Ann"))) }
    #expect(said(app, .lending(.lend("Evelina", to: "Ann"))).last == .lending(.wasRefused("Ann has 2 books.")))
    app.send(.lending(.lend("Evelina", to: "Bob")))
    app.send(.waiting(.wait("Ann", for: "Evelina")))
    #expect(said(app, .lending(.takeBack("Evelina"))).last == .lending(.wasRefused("Ann has 2 books.")))
  }

  @Test("The program shows both paths") func program() throws {
    let lines = try Example.run("features")
    #expect(lines.contains("   refused: Emma is lent."))
    #expect(lines.contains { $0.hasPrefix("   revision 6: lend(\"Emma\", to: \"Bob\"), stopWaiting(") })
  }
}
