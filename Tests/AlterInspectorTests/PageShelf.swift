#if InspectorServer
  import Alter
  import Foundation

  /// The state of the page's tests: books, and a private address.
  struct Shelf: Journaled, Hashable {
    struct Book: Identifiable, Hashable, Codable {
      let id: Int
      var title: String
      var isRead = false
    }

    enum Change: Hashable, Codable {
      case put(Book), title(id: Int, String), read(id: Int), remove(Int), email(String), order, ordered
    }

    private(set) var books = IdentityArray<Book>()
    private(set) var numbers: [Int] = []
    private(set) var email = ""
    private(set) var isOrdering = false

    init(books: Int = 0, numbers: Int = 0) {
      for id in 0..<books { self.books.put(Book(id: id, title: "Volume \(id)")) }
      self.numbers = Array(0..<numbers)
    }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .put(let book): books.put(book)
      case .title(let id, let title): guard books.modify(id: id, { $0.title = title }) != nil else { throw .missing("book", id) }
      case .read(let id): guard books.modify(id: id, { $0.isRead = true }) != nil else { throw .missing("book", id) }
      case .remove(let id): try books.remove(id: id)
      case .email(let email): self.email = email
      case .order: isOrdering = true
      case .ordered: isOrdering = false
      }
    }

    /// Code that a page must never run.
    static let hostile = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"

    /// A store of nine entries: 1 initial, 2-3 books, 4 a new title, 5 a book read, 6 the undo of that, 7 an address, 8 a hostile title, 9
    /// both changes of a batch.
    static func store(_ first: Shelf = Shelf()) async throws -> Store<Shelf> {
      let store = try await Store.open(first, in: MemoryJournal(name: "shelf"))
      try await store.change(.put(Book(id: 101, title: "Moby Dick"))).durable()
      try await store.change(.put(Book(id: 102, title: "Emma"))).durable()
      try await store.change(.title(id: 101, "The Whale")).durable()
      try await store.change(.read(id: 102)).durable()
      _ = try await store.undo()
      try await store.change(.email("jack@secret.example")).durable()
      try await store.change(.title(id: 102, hostile)).durable()
      try await store.change(.put(Book(id: 103, title: "Middlemarch")), .read(id: 101)).durable()
      return store
    }

    /// A journal of many entries, each of which adds a book. Every 10,000th book is a needle. The entry 5,000 before each needle is an undo
    /// of its predecessor.
    static func journal(of count: Int) async throws -> MemoryJournal {
      let journal = MemoryJournal(name: "large")
      let origins = [Origin.random(), .random()]
      var drafts: [Entry.Draft] = []
      drafts.reserveCapacity(count)
      for number in 1...count {
        let id = EntryID(origin: origins[number % 2], sequence: Int64(number))
        var kind = Entry.Kind.changes
        var payload = Data(
          #"[{"put":{"_0":{"id":\#(number),"title":"\#(number % 10_000 == 0 ? "Needle" : "Book") \#(number)","isRead":false}}}]"#.utf8)
        if number == 1 {
          (kind, payload) = (.initial, try JournalCoding.encode(Shelf()))
        } else if number % 10_000 == 5_000, let last = drafts.last?.id {
          (kind, payload) = (.undo, try JournalCoding.encode(Entry.Targets([last])))
        }
        drafts.append(Entry.Draft(kind: kind, id: id, time: 1_700_000_000_000_000 + Int64(number) * 1_000_000, payload: payload))
      }
      for start in stride(from: 0, to: count, by: 10_000) {
        _ = try await journal.append(Array(drafts[start..<min(start + 10_000, count)]), after: try await journal.head())
      }
      return journal
    }
  }
#endif
