import Alter

/// The stock. It is simple and needs no use case: each message becomes a change.
struct StockFeature: Feature {
  let store: Store<LibraryState>

  func receive(_ message: Message) -> [Message] {
    guard case .stock(.add(let title)) = message, let why = store.attempt([.stock(title)]) else { return [] }
    return [.stock(.wasRefused(why))]
  }
}

/// Lending. Each message becomes the request of a use case, and the response becomes a message.
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

/// The waiting list. It observes the messages of another feature, which doesn't know it: when a book comes back, it is lent to the first
/// reader on the list.
struct WaitingFeature: Feature {
  let store: Store<LibraryState>

  func receive(_ message: Message) -> [Message] {
    switch message {
    case .waiting(.wait(let reader, let title)):
      if let why = store.attempt([.wait(reader, for: title)]) { return [.waiting(.wasRefused(why))] }
    case .lending(.wasTakenBack(let title)):
      if let next = store.state.books[id: title]?.waiting.first { return [.lending(.lend(title, to: next))] }
    case .stock, .lending, .waiting: break
    }
    return []
  }
}
