package import Alter

/// A number, the smallest state. It refuses nothing.
package struct Counter: Journaled, Hashable, EmptyInitializable {
  package enum Change: Hashable, Codable { case add(Int) }

  package private(set) var count: Int

  package init() { count = 0 }
  package init(count: Int) { self.count = count }

  package mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .add(let number): count += number
    }
  }
}
