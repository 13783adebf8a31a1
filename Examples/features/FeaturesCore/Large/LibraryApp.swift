public import Alter

/// The large form: several features share one store and exchange messages.
///
/// A message goes to a feature, which calls a use case, which changes the store. The response of the use case is the next message. The view
/// shows the state, and uses messages only for information that the state does not contain.
public struct LibraryApp: Feature {
  private let features: Features<Message>

  /// An app over a store.
  public init(_ store: Store<LibraryState>) {
    features = Features(StockFeature(store: store), LendingFeature(store), WaitingFeature(store: store))
  }

  /// Sends the message to all features.
  public func receive(_ message: Message) -> [Message] { features.receive(message) }
}
