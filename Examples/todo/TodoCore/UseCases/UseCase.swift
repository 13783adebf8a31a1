/// An operation of the app that needs more than one change. It receives requests and sends responses.
///
/// A use case keeps its intermediate state to itself. The result becomes part of the app's state when the use case responds with changes.
public protocol UseCase {
  /// The requests of the use case.
  associatedtype Request
  /// The responses of the use case.
  associatedtype Response

  /// Handles a request. The responses go to the closure that was passed to the initializer.
  mutating func request(_ request: Request)
}
