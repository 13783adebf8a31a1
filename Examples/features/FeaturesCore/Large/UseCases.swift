import Alter

/// One operation of the app, from a request to a response. It may collect changes in variables; the store makes the complete list, all or
/// none.
protocol UseCase {
  associatedtype Request
  associatedtype Response
  func request(_ request: Request) -> Response
}

/// Lends a book and removes the reader from its waiting list, in one batch.
struct LendBook: UseCase {
  struct Request { let title: String, reader: String }
  enum Response { case lent, refused(String) }

  let store: Store<LibraryState>

  func request(_ request: Request) -> Response {
    var changes: [LibraryState.Change] = [.lend(request.title, to: request.reader)]
    if store.state.books[id: request.title]?.waiting.contains(request.reader) == true {
      changes.append(.stopWaiting(request.reader, for: request.title))
    }
    return store.attempt(changes).map { .refused($0) } ?? .lent
  }
}

/// Takes a returned book.
struct TakeBook: UseCase {
  enum Response { case takenBack, refused(String) }

  let store: Store<LibraryState>

  func request(_ title: String) -> Response {
    store.attempt([.takeBack(title)]).map { .refused($0) } ?? .takenBack
  }
}
