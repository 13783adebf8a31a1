public import Alter

/// The large app: features over one store, and messages between them.
///
/// The path: message, feature, use case, changes, store; the use case's response is the next message. The view shows the state, and hears
/// messages only for what is not in it.
public struct LibraryApp: Sendable {
  private let features: [any Feature]

  /// An app over a store.
  public init(_ store: Store<LibraryState>) {
    features = [StockFeature(store: store), LendingFeature(store), WaitingFeature(store: store)]
  }

  /// Says something, and lets the features answer until nobody has anything to say any more.
  ///
  /// - Parameters:
  ///   - message: What is said.
  ///   - hear: Hears everything that is said, in order, before it is answered.
  public func send(_ message: Message, hear: (Message) -> Void = { _ in }) {
    var waiting = [message]
    while !waiting.isEmpty {
      let message = waiting.removeFirst()
      hear(message)
      for feature in features { waiting += feature.receive(message) }
    }
  }
}

/// The small app: what a user says is a change, and that is all of the path.
public struct SmallApp: Sendable {
  private let store: Store<LibraryState>

  /// An app over a store.
  public init(_ store: Store<LibraryState>) { self.store = store }

  /// Says something.
  ///
  /// - Returns: Why it was not done; nil when it was.
  @discardableResult
  public func send(_ change: LibraryState.Change) -> String? {
    do throws(ChangeError<Refusal>) {
      try store.change(change)
      return nil
    } catch {
      return error.reason
    }
  }
}
