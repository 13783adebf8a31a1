import Alter
import AlterRows
import AlterTesting
import Foundation
import GRDB
import ProcessTesting
import Testing
import TodoCore
import TodoRows

@Suite("A search in the rows of a list") struct ItemSearchTests {
  private static let vocabulary = ["rent", "renting", "Rent", "re", "käse", "milk", "milk-man", "@home", "+flat", "2026"]

  /// The words of a text, by another way than FTS5's.
  private static func words(_ text: String) -> [String] {
    text.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Whether the words of a term follow one another; the last one may be a beginning.
  private static func contains(_ words: [String], _ term: [String], isPhrase: Bool) -> Bool {
    words.indices.contains { start in
      guard words.count - start >= term.count else { return false }
      return term.indices.allSatisfy { place in
        let word = words[start + place]
        return !isPhrase && place == term.count - 1 ? word.hasPrefix(term[place]) : word == term[place]
      }
    }
  }

  @Test("finds the items of a naive search, as the whole list shows them, after any changes", arguments: 1...UInt64(8))
  func model(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    func text() -> String {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.vocabulary.randomElement(using: &random)! }.joined(separator: " ")
    }
    let (store, queue) = (Store(AppState()), try DatabaseQueue())
    let rows = try await Rows(of: store, in: queue, version: 1, tables: AppState.tables)
    for number in 1...30 {
      let item = store.state.items.randomElement(using: &random)?.id ?? id(0)
      let change: AppState.Change =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .remove(.item(item))
        case 1: .move(item, to: Int.random(in: 0...store.state.items.count, using: &random))
        case 2: .item(item, .text(text()))
        case 3: .tag(["@home", "+work"].randomElement(using: &random)!, .add(item))
        case 4: .item(item, [.due(Day("2026-12-01")), .priority(Priority("B")), .completed(true)].randomElement(using: &random)!)
        default: .add(.item(TodoItem(id: id(number), text: text())))
        }
      _ = try? store.change(change)
      let (phrase, word) = (text(), Self.vocabulary.randomElement(using: &random)!)
      for arguments in [[word], [word, "ho"], [phrase], ["\"\(phrase)\" \(word)"]] {
        guard let search = ItemSearch(arguments) else { continue }
        let list = TodoList(store.state, today: Day("2027-01-01"))
        let terms: [(words: [String], isPhrase: Bool)] =
          switch arguments {
          case [word], [word, "ho"]: arguments.map { (Self.words($0), false) }
          case [phrase]: [(Self.words(phrase), phrase.contains(" "))]
          default: [(Self.words(phrase), true), (Self.words(word), false)]
          }
        let expected = list.rows.filter { row in
          // The text, or a tag that the item belongs to, has all words of the term.
          let fields = [row.item.text] + store.state.tags.filter { $0.items.contains(row.item.id) }.map(\.id)
          return terms.allSatisfy { term in
            fields.contains { Self.contains(Self.words($0), term.words, isPhrase: term.isPhrase) }
          }
        }
        let found = try await rows.read { try search.rows(in: $0, inListOrder: true, today: Day("2027-01-01")) }
        #expect(found == expected, "seed \(seed), change \(number), \(arguments)")
        let ranked = try await rows.read { try search.rows(in: $0) }
        #expect(Set(ranked.map(\.number)) == Set(expected.map(\.number)))
      }
    }
    await rows.close()
    await store.close()
  }

  @Test("an observation shows what is found now, and after each change, as a view does")
  func observed() async throws {
    try await Folder.use { folder in
      let store = Store(try list("Pay rent", "Milk"))
      let index = try await SearchIndex(of: store, at: folder.path("rows.db"))
      var found = index.found(try #require(ItemSearch(["ren"])), today: Day("2026-12-01")!).makeAsyncIterator()
      #expect(try await found.next()?.map(\.text) == ["Pay rent"])
      try store.change(.item(id(2), .text("Rent, rent")))
      #expect(try await found.next()?.map(\.text) == ["Rent, rent", "Pay rent"])
      try store.change(.tag("@renting", .add(id(2))))
      #expect(try await found.next()?.map(\.text) == ["Rent, rent @renting", "Pay rent"])
      try store.change(.remove(.item(id(1))))
      #expect(try await found.next()?.map(\.number) == [1])
      await index.close()
      await store.close()
    }
  }

  @Test(
    "a command line without a letter or a digit in each of its words is none",
    arguments: [[], [""], ["rent", "+"], ["\"\""], [" "], ["\u{0}"]])
  func nothing(arguments: [String]) { #expect(ItemSearch(arguments) == nil) }
}
