/// A message from or to a feature of the large form. Each feature has its own type of messages.
public enum Message: Hashable, Sendable, CustomStringConvertible {
  case stock(Stock)
  case lending(Lending)
  case waiting(Waiting)

  /// The feature and the message, as in `lending: lend("Emma", to: "Ann")`.
  public var description: String {
    switch self {
    case .stock(let message): "stock: \(message)"
    case .lending(let message): "lending: \(message)"
    case .waiting(let message): "waiting: \(message)"
    }
  }

  /// The messages of the stock: a request, and an answer.
  public enum Stock: Hashable, Sendable { case add(String), wasRefused(String) }

  /// The messages of lending. The first two are requests, the others are answers.
  public enum Lending: Hashable, Sendable {
    case lend(String, to: String)
    case takeBack(String)
    case wasLent(String, to: String)
    case wasTakenBack(String)
    case wasRefused(String)
  }

  /// The messages of the waiting list: a request, and an answer.
  public enum Waiting: Hashable, Sendable { case wait(String, for: String), wasRefused(String) }
}
