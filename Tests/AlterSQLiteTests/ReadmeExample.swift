#if SQLite
  import Alter
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import Testing

  // The code of README.md, from its `struct Card` to the end of `tour`. Change both together.

  struct Card: Identifiable, Hashable, Codable, Alterable {
    enum Change: Hashable, Codable { case title(String), done(Bool) }

    let id: Int
    private(set) var title: String
    private(set) var isDone = false

    init(id: Int, title: String) { (self.id, self.title) = (id, title) }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .title(let title): self.title = title
      case .done(let isDone): self.isDone = isDone
      }
    }
  }

  struct Board: Journaled, Hashable {
    enum Change: Hashable, Codable { case add(Card), card(Int, Card.Change) }

    private(set) var cards: IdentityArray<Card> = []

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .add(let card): try cards.insert(card)  // refused if its id is already present
      case .card(let id, let change): try cards.apply(change, to: id, at: stamp)  // one element, in place
      }
    }
  }

  func tour(of path: String) async throws -> Board {
    let store = try await Store.open(Board(), in: SQLiteJournal(at: path))
    try store.change(.add(Card(id: 1, title: "Water the plants")))  // visible at once, from any thread
    let commit = try store.change(.card(1, .done(true)), .card(1, .title("Watered")))  // both or none
    try await commit.durable()  // on the disk
    try await store.undo()  // also an entry: later work of others stays
    print(store.state.cards[id: 1]?.title ?? "", store.revision)  // Water the plants 4
    let earlier = try await store.state(at: 3)  // as it was before the undo
    await store.close()
    return earlier
  }

  @Suite("The README's example")
  struct ReadmeExample {
    @Test("does what its comments say")
    func tourIsTrue() async throws {
      let folder = try Folder()
      let path = folder.path("board.db")
      let before = try await tour(of: path)
      #expect(before.cards.map(\.title) == ["Watered"])
      #expect(before.cards.map(\.isDone) == [true])
      let journal = try await SQLiteJournal(at: path)
      let after = try await Store<Board>.state(at: 4, in: journal)
      await journal.close()
      #expect(after.cards.map(\.title) == ["Water the plants"])
      #expect(after.cards.map(\.isDone) == [false])
    }

    @Test("is this file's code, to the letter")
    func codeIsTheSame() throws {
      let here = URL(fileURLWithPath: #filePath)
      let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      // Here the code is inside `#if SQLite` and indented by two more spaces.
      let code = try String(contentsOf: here, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0 }.joined(separator: "\n")
      let start = try #require(code.range(of: "struct Card:"))
      let end = try #require(code.range(of: "\n@Suite"))
      let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
      #expect(readme.contains("```swift\nimport Alter\nimport AlterSQLite\n\n" + code[start.lowerBound..<end.lowerBound] + "```"))
    }
  }
#endif
