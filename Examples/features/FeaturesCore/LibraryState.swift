public import Alter

/// The state of a library that lends books. All features share it.
///
/// The state itself refuses each change that would break an invariant. A feature can't forget the check and need not repeat it, also when
/// several features write concurrently.
public struct LibraryState: Alterable, Hashable {
  /// The changes of the library.
  public enum Change: Hashable, Sendable {
    case stock(String)
    case lend(String, to: String)
    case takeBack(String)
    case giveBack(String, by: String)
    case wait(String, for: String)
    case stopWaiting(String, for: String)
  }

  /// A book, with its reader and its waiting list.
  public struct Book: Identifiable, Hashable, Sendable {
    /// Its title.
    public let id: String
    /// The reader who has the book; nil when it is in the library.
    public fileprivate(set) var reader: String?
    /// The readers who wait for the book, in the order in which they asked.
    public fileprivate(set) var waiting: [String] = []
  }

  /// The number of books that a reader may have at once.
  public static let limit = 2

  /// All books of the library, lent or not.
  public private(set) var books: IdentityArray<Book> = []

  /// A library without books.
  public init() {}

  /// Makes the change, or throws a refusal if it would break an invariant.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .stock(let title): try books.add(Book(id: title))
    case .lend(let title, let reader):
      guard books.count(where: { $0.reader == reader }) < Self.limit else {
        throw .custom(code: "limit", message: "\(reader) has \(Self.limit) books.")
      }
      try edit(title) { book throws(Refusal) in
        guard book.reader == nil else { throw .custom(code: "lent", message: "\(title) is lent.") }
        book.reader = reader
      }
    case .takeBack(let title):
      try edit(title) { book throws(Refusal) in
        guard book.reader != nil else { throw .custom(code: "here", message: "\(title) is here.") }
        book.reader = nil
      }
    case .giveBack(let title, let reader):
      try edit(title) { book throws(Refusal) in
        guard book.reader == reader else { throw .custom(code: "other", message: "\(reader) doesn't have \(title).") }
        book.reader = nil
      }
    case .wait(let reader, let title):
      try edit(title) { book throws(Refusal) in if !book.waiting.contains(reader) { book.waiting.append(reader) } }
    case .stopWaiting(let reader, let title):
      try edit(title) { book throws(Refusal) in book.waiting.removeAll { $0 == reader } }
    }
  }

  private mutating func edit(_ title: String, _ body: (inout Book) throws(Refusal) -> Void) throws(Refusal) {
    guard try books.modify(id: title, body) != nil else { throw .missing("book", title) }
  }
}
