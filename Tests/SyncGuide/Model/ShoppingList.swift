import Alter

/// The model of the guide "Sync": the device and the server compile it.
public struct ShoppingList: Journaled, Hashable {
  /// A change of the list.
  public enum Change: Hashable, Codable, Sendable {
    case add(String)
    case buy(String)
  }

  /// The items to buy.
  public private(set) var open: [String] = []
  /// The items that were bought.
  public private(set) var bought: [String] = []

  /// Creates an empty list.
  public init() {}

  /// Makes a change.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(let item):
      guard !open.contains(item) else { throw .duplicate("item", item) }
      open.append(item)
    case .buy(let item):
      guard let place = open.firstIndex(of: item) else { throw .missing("item", item) }
      bought.append(open.remove(at: place))
    }
  }
}
