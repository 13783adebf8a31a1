#if Macros
  package import Alter
  package import AlterRows
  package import Foundation

  /// The state of the tests of rows.
  package struct Board: Journaled, Hashable {
    package enum Change: Hashable, Codable, Sendable {
      case insert(Card, at: Int)
      case update(Card)
      case remove(Int)
      case move(Int, to: Int)
      case replace([Card])
    }

    package private(set) var cards = IdentityArray<Card>()

    package init(_ cards: [Card] = []) { self.cards = IdentityArray(cards) }

    package mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .insert(let card, let index): try cards.add(card, at: index)
      case .update(let card): try cards.update(card)
      case .remove(let id): try cards.remove(id: id)
      case .move(let id, let index): try cards.move(id, to: index)
      case .replace(let cards): self.cards = IdentityArray(cards)
      }
    }

    /// Returns a random change that the board accepts.
    package func randomChange(using random: inout some RandomNumberGenerator) -> Change {
      let id = (cards.map(\.id).max() ?? 0) + 1
      let words = ["apple", "pear", "Zürich", "", "a \"quoted\" word", "line\nbreak", "naïve"]
      func card(_ id: Int) -> Card {
        Card(
          id, words.randomElement(using: &random)!, notes: Bool.random(using: &random) ? nil : words.randomElement(using: &random),
          isDone: Bool.random(using: &random),
          due: Bool.random(using: &random)
            ? nil : Date(timeIntervalSince1970: Double(Int.random(in: 0..<4_000_000_000, using: &random)) / 4),
          labels: (0..<Int.random(in: 0..<4, using: &random)).map {
            Tag(words[$0], weight: Double(Int.random(in: 0..<9, using: &random)) / 2)
          })
      }
      let index = Int.random(in: 0...cards.count, using: &random)
      guard let any = cards.randomElement(using: &random), cards.count < 60 else { return .insert(card(id), at: index) }
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<7: return .insert(card(id), at: index)
      case 7..<12: return .update(card(any.id))
      case 12..<15: return .remove(any.id)
      case 15..<19: return .move(any.id, to: index)
      default: return .replace(Array(cards.shuffled(using: &random).prefix(index)))
      }
    }

    /// The tables of the tests.
    @RowTableBuilder<Board> package static func tables() -> [RowTable<Board>] {
      RowTable("card", each: \.cards, index: [["isDone", "due"]], search: ["title", "notes"])
      labels
      totals
    }

    /// The same tables, without a search index.
    @RowTableBuilder<Board> package static func typedTables() -> [RowTable<Board>] {
      RowTable("card", each: \.cards, index: [["isDone", "due"]])
      labels
      totals
    }

    private static var labels: RowTable<Board> { RowTable("label", each: \.cards, \.labels) }
    private static var totals: RowTable<Board> {
      RowTable("total", columns: ["name", StoredField("count", .integer)]) {
        [["open", .int($0.cards.count { !$0.isDone })], ["all", .int($0.cards.count)]]
      }
    }
  }

  @Wire package struct Card: Identifiable, Hashable, Sendable {
    package let id: Int
    package var title: String
    package var notes: String?
    package var isDone: Bool
    package var due: Date?
    package var labels: IdentityArray<Tag>

    package init(_ id: Int, _ title: String = "", notes: String? = nil, isDone: Bool = false, due: Date? = nil, labels: [Tag] = []) {
      (self.id, self.title, self.notes, self.isDone, self.due) = (id, title, notes, isDone, due)
      self.labels = IdentityArray(labels)
    }
  }

  @Wire package struct Tag: Identifiable, Hashable, Sendable {
    package let id: String
    package var weight: Double

    package init(_ id: String, weight: Double = 1) { (self.id, self.weight) = (id, weight) }
  }
#endif
