import Alter

/// A state that is not `Equatable` and contains a set: its stored form has no stable order.
struct Bag: Journaled {
  enum Change: Hashable, Codable { case put(String), take(String) }
  private(set) var items: Set<String> = []
  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .put(let item): items.insert(item)
    case .take(let item): items.remove(item)
    }
  }
}
