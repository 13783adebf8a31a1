public import Alter

/// The small form: the whole app is one feature, in one file.
///
/// It has the same parts as the large form: messages, a feature that receives them, use cases that act on the store.
public struct SmallLibrary: Feature {
  /// The messages: requests of the user, then answers.
  public enum Message: Hashable, Sendable {
    case stock(String)
    case lend(String, to: String)
    case exchange(String, for: String, by: String)
    case done
    case refused(String)
  }

  private let store: Store<LibraryState>

  /// An app over a store.
  public init(_ store: Store<LibraryState>) { self.store = store }

  /// Answers each request.
  public func receive(_ message: Message) -> [Message] {
    switch message {
    case .stock(let title): answer(store.attempt([.stock(title)]))
    case .lend(let title, let reader): answer(store.attempt([.lend(title, to: reader)]))
    case .exchange(let old, let new, let reader): answer(exchange(old, for: new, by: reader))
    case .done, .refused: []
    }
  }

  /// The only use case that is more than a change: a reader returns one book and borrows another, both or none.
  private func exchange(_ old: String, for new: String, by reader: String) -> String? {
    store.attempt([.giveBack(old, by: reader), .lend(new, to: reader)])
  }

  private func answer(_ refusal: String?) -> [Message] { [refusal.map { .refused($0) } ?? .done] }
}
