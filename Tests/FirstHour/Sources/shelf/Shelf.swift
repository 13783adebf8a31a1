import Alter

/// A book and the progress of its reader.
struct Book: Identifiable, Hashable, Codable, Alterable {
  enum Change: Hashable, Codable { case read(to: Int), again }

  let id: String
  let pages: Int
  private(set) var page = 0
  private(set) var finishedAt: Int64?  // microseconds since 1970 UTC

  init(_ title: String, pages: Int) { (id, self.pages) = (title, pages) }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .read(let page):
      guard (self.page...pages).contains(page) else { throw .custom("'\(id)' has \(pages) pages, and you are on \(self.page).") }
      self.page = page
      if page == pages { finishedAt = stamp.time }
    case .again: (page, finishedAt) = (0, nil)
    }
  }
}

/// The books on the shelf.
struct Shelf: Journaled, Hashable {
  enum Change: Hashable, Codable { case add(Book), give(String), book(String, Book.Change), goal(Int), praised(String) }

  private(set) var books: IdentityArray<Book> = []
  private(set) var goal = 12
  private(set) var praised: [String] = []

  /// The first finished book without praise: a request.
  var toPraise: String? { books.first { $0.finishedAt != nil && !praised.contains($0.id) }?.id }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(let book): try books.add(book)
    case .give(let title): try books.remove(id: title)
    case .book(let title, let change): try books.apply(change, to: title, at: stamp)
    case .goal(let goal):
      guard goal > 0 else { throw .custom("A goal is at least one book.") }
      self.goal = goal
    case .praised(let title): praised.append(title)
    }
  }
}

/// The terminal output, as a function of the state.
struct ShelfView: Equatable, CustomStringConvertible {
  let lines: [String]

  init(_ shelf: Shelf) {
    let done = shelf.books.count { $0.finishedAt != nil }
    lines =
      shelf.books.map { book in
        let filled = book.page * 20 / max(book.pages, 1)
        return String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
          + " \(book.id), \(book.page)/\(book.pages)"
      } + ["\(done) of \(shelf.goal) books this year"]
  }

  var description: String { lines.joined(separator: "\n") }
}

/// The dependencies of the effects.
struct World: Sendable {
  var say: @Sendable (String) async -> Void

  static let live = World { print($0) }
}

let praise = Feedback<Shelf, World>("praise", request: \.toPraise) { title, world in
  await world.say("*** You have finished '\(title)'! ***")
  return .praised(title)
}
