import Alter

/// One operation of the app, from a request to a response. Its changes are made all or none.
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
    do throws(ChangeError<Refusal>) {
      try store.change(changes)
      return .lent
    } catch {
      return .refused(error.reason)
    }
  }
}

/// Takes a returned book.
struct TakeBook: UseCase {
  enum Response { case takenBack, refused(String) }

  let store: Store<LibraryState>

  func request(_ title: String) -> Response {
    do throws(ChangeError<Refusal>) {
      try store.change(.takeBack(title))
      return .takenBack
    } catch {
      return .refused(error.reason)
    }
  }
}

extension ChangeError<Refusal> {
  /// The reason for users: the message of a refusal, or the description of another error.
  var reason: String { if case .refused(let refusal) = self { refusal.message } else { description } }
}
