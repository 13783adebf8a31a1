import Alter

/// A part of the app: hears every message, minds its own, changes the store, and answers with messages.
protocol Feature: Sendable {
  func receive(_ message: Message) -> [Message]
}

/// The stock. It is simple, and has no use cases: a message becomes a change.
struct StockFeature: Feature {
  let store: Store<LibraryState>

  func receive(_ message: Message) -> [Message] {
    if case .stock(.add(let title)) = message { UserAction(store, .stock(title))() }
    return []
  }
}

/// Lending: a message becomes a request of a use case, its response a message.
struct LendingFeature: Feature {
  let lend: LendBook
  let take: TakeBook

  init(_ store: Store<LibraryState>) { (lend, take) = (LendBook(store: store), TakeBook(store: store)) }

  func receive(_ message: Message) -> [Message] {
    guard case .lending(let message) = message else { return [] }
    switch message {
    case .lend(let title, let reader):
      switch lend.request(.init(title: title, reader: reader)) {
      case .lent: return [.lending(.wasLent(title, to: reader))]
      case .refused(let why): return [.lending(.wasRefused(why))]
      }
    case .takeBack(let title):
      switch take.request(title) {
      case .takenBack: return [.lending(.wasTakenBack(title))]
      case .refused(let why): return [.lending(.wasRefused(why))]
      }
    case .wasLent, .wasTakenBack, .wasRefused: return []
    }
  }
}

/// Those who wait. It listens to another feature, which knows nothing of it: a book that was taken back is lent to the first of them.
struct WaitingFeature: Feature {
  let store: Store<LibraryState>

  func receive(_ message: Message) -> [Message] {
    switch message {
    case .waiting(.wait(let reader, let title)): UserAction(store, .wait(reader, for: title))()
    case .lending(.wasTakenBack(let title)):
      if let next = store.state.books[id: title]?.waiting.first { return [.lending(.lend(title, to: next))] }
    case .stock, .lending: break
    }
    return []
  }
}
