public import Alter

/// The large app: several features share one store and exchange messages.
///
/// A message goes to a feature, which calls a use case, which changes the store. The response of the use case is the next message. The view
/// shows the state, and uses messages only for information that the state does not contain.
public struct LibraryApp: Sendable {
  private let features: [any Feature]

  /// An app over a store.
  public init(_ store: Store<LibraryState>) {
    features = [StockFeature(store: store), LendingFeature(store), WaitingFeature(store: store)]
  }

  /// Sends a message to the features, then their answers, until no feature answers any more.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - hear: Called with every message, in order, before the features receive it.
  public func send(_ message: Message, hear: (Message) -> Void = { _ in }) {
    var waiting = [message]
    while !waiting.isEmpty {
      let message = waiting.removeFirst()
      hear(message)
      for feature in features { waiting += feature.receive(message) }
    }
  }
}

/// The small app: each message is a change, which goes to the store directly.
public struct SmallApp: Sendable {
  private let store: Store<LibraryState>

  /// An app over a store.
  public init(_ store: Store<LibraryState>) { self.store = store }

  /// Makes a change.
  ///
  /// - Returns: The reason why the change was not made; nil if it was.
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
