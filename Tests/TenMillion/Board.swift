#if Postgres && SQLite
  import Alter

  /// A task of a board.
  struct Card: Identifiable, Codable, Hashable, Sendable {
    let id: Int
    var title: String
    var isDone = false
  }

  /// The state of the measured journals: a list of a thousand tasks, which is about 100 KB as JSON.
  struct Board: Journaled {
    enum Change: Codable, Hashable {
      case title(Int, String)
      case done(Int, Bool)
    }

    private var cards = IdentityArray(
      (0..<1_000).map { Card(id: $0, title: "A task whose title is about as long as titles are in an app") })

    mutating func apply(_ change: Change, at stamp: Stamp) { Board.apply(change, to: &cards) }

    static func apply(_ change: Change, to cards: inout IdentityArray<Card>) {
      switch change {
      case .title(let id, let title): if let old = cards[id: id] { cards.put(Card(id: id, title: title, isDone: old.isDone)) }
      case .done(let id, let isDone): if let old = cards[id: id] { cards.put(Card(id: id, title: old.title, isDone: isDone)) }
      }
    }

    /// The change of a number: of every four, three set a title, which takes about a hundred bytes, and one marks a task.
    static func change(_ number: Int64) -> Change {
      let id = Int(number &* 7_919 % 1_000)
      return number % 4 == 0 ? .done(id, number % 8 == 0) : .title(id, "The title that this task has after change number \(number)")
    }
  }

  /// The same app a release later: another name in its state, with a migration that covers states.
  struct NextBoard: Journaled {
    typealias Change = Board.Change

    static var schema: StateSchema {
      StateSchema(
        version: 2, migrations: [Migration(from: 1, to: 2, state: { $0.renaming("cards", to: "tasks") })], snapshotsFrom: 1)
    }

    private var tasks: IdentityArray<Card> = []

    mutating func apply(_ change: Change, at stamp: Stamp) { Board.apply(change, to: &tasks) }
  }
#endif
