/// Something the app can do that takes more than one change: it is asked, and it answers.
///
/// What it must remember in between is its own: it becomes part of the app's state only when the use case answers with changes.
public protocol UseCase {
  /// What it can be asked.
  associatedtype Request
  /// What it can answer.
  associatedtype Response

  /// Asks. The answers go to the responder that the use case was made with.
  mutating func request(_ request: Request)
}
