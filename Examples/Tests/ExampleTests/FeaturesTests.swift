import Alter
import FeaturesCore
import Foundation
import Testing

@Suite("features") struct FeaturesTests {
  /// All messages that a feature exchanges because of one message.
  private func said<App: Feature>(_ app: App, _ message: App.Message) -> [App.Message] {
    var said: [App.Message] = []
    app.send(message) { said.append($0) }
    return said
  }

  @Test("A small app: one feature in one file takes messages, and its use cases act on the store") func small() {
    let store = Store(LibraryState())
    let app = SmallLibrary(store)
    #expect(said(app, .stock("Emma")) == [.stock("Emma"), .done])
    #expect(said(app, .lend("Emma", to: "Ann")).last == .done)
    #expect(store.state.books[id: "Emma"]?.reader == "Ann")
    #expect(said(app, .lend("Emma", to: "Bob")).last == .refused("Emma is lent."))
    #expect(said(app, .lend("Persuasion", to: "Bob")).last == .refused("There is no book 'Persuasion'."))
  }

  @Test("A use case's changes are made all or none: a book that can't be exchanged stays with its reader") func exchange() {
    let store = Store(LibraryState())
    let app = SmallLibrary(store)
    for message in [SmallLibrary.Message.stock("Emma"), .stock("Evelina"), .lend("Emma", to: "Ann"), .lend("Evelina", to: "Bob")] {
      app.send(message)
    }
    let before = store.state
    #expect(said(app, .exchange("Emma", for: "Evelina", by: "Ann")).last == .refused("Evelina is lent."))
    #expect(store.state == before && store.state.books[id: "Emma"]?.reader == "Ann")
    app.send(.stock("Persuasion"))
    // A reader can't exchange the book of another one.
    #expect(said(app, .exchange("Emma", for: "Persuasion", by: "Cat")).last == .refused("Cat doesn't have Emma."))
    #expect(store.state.books[id: "Emma"]?.reader == "Ann" && store.state.books[id: "Persuasion"]?.reader == nil)
    let revision = store.revision
    #expect(said(app, .exchange("Emma", for: "Persuasion", by: "Ann")).last == .done)
    #expect(store.state.books.filter { $0.reader == "Ann" }.map(\.id) == ["Persuasion"])
    #expect(store.revision.number == revision.number + 1)
  }

  @Test("Both sizes lead to the same state, over the same store") func sizes() {
    let stores = [Store(LibraryState()), Store(LibraryState())]
    for message in [SmallLibrary.Message.stock("Emma"), .lend("Emma", to: "Ann"), .lend("Emma", to: "Bob")] {
      SmallLibrary(stores[0]).send(message)
    }
    for message in [Message.stock(.add("Emma")), .lending(.lend("Emma", to: "Ann")), .lending(.lend("Emma", to: "Bob"))] {
      LibraryApp(stores[1]).send(message)
    }
    #expect(stores[0].state == stores[1].state && stores[0].revision == stores[1].revision)
    #expect(stores[0].state.books[id: "Emma"]?.reader == "Ann")
  }

  @Test("Features are composed in the same way at each size: an app and another feature are a feature") func composed() {
    /// Counts the refusals of all features. None of them knows this one.
    struct Refusals: Feature {
      let count: Shared<Int>
      func receive(_ message: Message) -> [Message] {
        switch message {
        case .stock(.wasRefused), .lending(.wasRefused), .waiting(.wasRefused): count.value += 1
        case .stock, .lending, .waiting: break
        }
        return []
      }
    }
    let count = Shared(0)
    let store = Store(LibraryState())
    let app = Features<Message>(LibraryApp(store), Refusals(count: count))
    let larger = Features<Message>(app, Refusals(count: count))
    for message in [Message.stock(.add("Emma")), .stock(.add("Emma")), .lending(.takeBack("Emma")), .waiting(.wait("Bob", for: "Evelina"))]
    {
      app.send(message)
    }
    #expect(count.value == 3 && store.state.books.map(\.id) == ["Emma"])
    #expect(said(larger, .lending(.takeBack("Emma"))).last == .lending(.wasRefused("Emma is here.")))
    #expect(count.value == 5)
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
    #expect(lines.contains("refused(\"Emma is lent.\")"))
    #expect(lines.contains { $0.hasPrefix("   revision 6: lend(\"Emma\", to: \"Bob\"), stopWaiting(") })
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../features/README.md")
    let readme = try String(contentsOf: file, encoding: .utf8)
    #expect(readme.contains(lines.joined(separator: "\n") + "\n```\n"), "the README shows another output")
  }
}
