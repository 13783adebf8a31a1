import Alter

/// A part of an app, or a whole app: it receives messages, and answers with messages.
///
/// Features are composed in the same way at each size: several features are a feature (``Features``).
public protocol Feature<Message>: Sendable {
  /// The messages that the feature exchanges with the user and with other features.
  associatedtype Message: Sendable

  /// Handles the messages that concern this feature, and answers. A feature ignores all other messages.
  func receive(_ message: Message) -> [Message]
}

extension Feature {
  /// Sends a message to the feature, then each of its answers, until it answers no more.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - hear: Called with every message, in order, before the feature receives it.
  public func send(_ message: Message, hear: (Message) -> Void = { _ in }) {
    var waiting = [message]
    while !waiting.isEmpty {
      let message = waiting.removeFirst()
      hear(message)
      waiting += receive(message)
    }
  }
}

/// Several features as one: each receives every message.
public struct Features<Message: Sendable>: Feature {
  private let parts: [any Feature<Message>]

  /// A feature from its parts, in the order in which they receive a message.
  public init(_ parts: any Feature<Message>...) { self.parts = parts }

  /// Sends the message to each part.
  public func receive(_ message: Message) -> [Message] { parts.flatMap { $0.receive(message) } }
}

extension Store where State == LibraryState {
  /// Makes changes, all or none.
  ///
  /// - Returns: The reason why they were not made, for users: the message of a refusal, or of another error. Nil if they were made.
  func attempt(_ changes: [LibraryState.Change]) -> String? {
    do throws(ChangeError<Refusal>) {
      try change(changes)
      return nil
    } catch {
      if case .refused(let refusal) = error { return refusal.message }
      return error.description
    }
  }
}
