/// What is said in the app: to a feature, or by one. Each feature has words of its own.
public enum Message: Hashable, Sendable, CustomStringConvertible {
  case stock(Stock)
  case lending(Lending)
  case waiting(Waiting)

  /// As in `lending: lend("Emma", to: "Ann")`.
  public var description: String {
    switch self {
    case .stock(let message): "stock: \(message)"
    case .lending(let message): "lending: \(message)"
    case .waiting(let message): "waiting: \(message)"
    }
  }

  /// What is said about the stock.
  public enum Stock: Hashable, Sendable { case add(String) }

  /// What is said about lending: the first two ask, the others answer.
  public enum Lending: Hashable, Sendable {
    case lend(String, to: String)
    case takeBack(String)
    case wasLent(String, to: String)
    case wasTakenBack(String)
    case wasRefused(String)
  }

  /// What is said about those who wait.
  public enum Waiting: Hashable, Sendable { case wait(String, for: String) }
}
