public import Alter

/// A library that lends books: the one state that all features work on.
///
/// What must always hold is refused here, whoever asks and however many at once. No feature can forget it, and none has to check it first.
public struct LibraryState: Alterable, Hashable {
  /// What can happen.
  public enum Change: Hashable, Sendable {
    case stock(String)
    case lend(String, to: String)
    case takeBack(String)
    case wait(String, for: String)
    case stopWaiting(String, for: String)
  }

  /// A book: who has it, and who waits for it.
  public struct Book: Identifiable, Hashable, Sendable {
    /// Its title.
    public let id: String
    /// Who has it; nil when it is in its place.
    public fileprivate(set) var reader: String?
    /// Who waits for it, first to last.
    public fileprivate(set) var waiting: [String] = []
  }

  /// How many books a reader may have.
  public static let limit = 2

  /// All books.
  public private(set) var books: IdentityArray<Book> = []

  /// A library without books.
  public init() {}

  /// Makes the change, or refuses it.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .stock(let title): try books.insert(Book(id: title))
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
