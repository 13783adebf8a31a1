import AlterCollections
import AlterCore

/// A model that refuses nothing.
struct Person: Identifiable, Hashable, Codable, Alterable {
  enum Change: Hashable, Codable { case name(String), raise(Int) }

  let id: Int
  private(set) var name: String
  private(set) var salary = 0

  init(_ id: Int, _ name: String, salary: Int = 0) {
    self.id = id
    self.name = name
    self.salary = salary
  }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .name(let name): self.name = name
    case .raise(let amount): salary += amount
    }
  }
}

/// A model that refuses with `Refusal`.
struct Account: Identifiable, Hashable, Alterable {
  enum Change { case withdraw(Int) }

  let id: String
  private(set) var balance: Int
  private(set) var altered: Int64 = 0

  init(id: String, balance: Int) {
    self.id = id
    self.balance = balance
  }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .withdraw(let amount):
      guard amount <= balance else { throw .custom(code: "overdrawn", message: "There is only \(balance).") }
      balance -= amount
      altered = stamp.time
    }
  }
}

/// A model with its own failure type.
struct Door: Identifiable, Hashable, Alterable {
  enum Change { case open }
  enum Failure: Error, Hashable { case locked }

  let id: Int
  let isLocked: Bool
  private(set) var isOpen = false

  init(id: Int, isLocked: Bool) {
    self.id = id
    self.isLocked = isLocked
  }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Failure) {
    guard !isLocked else { throw .locked }
    isOpen = true
  }
}

/// An id whose hashes all collide. Only `==` distinguishes two ids.
struct Colliding: Hashable, Sendable, Codable {
  let number: Int

  func hash(into hasher: inout Hasher) {}
}

/// An id that shares its hash with many others.
struct Clumped: Hashable, Sendable {
  let number: Int

  func hash(into hasher: inout Hasher) { hasher.combine(number % 5) }
}

/// An id with a large size and alignment, so that a leaf holds only few elements. A small tree then already has several levels.
struct Broad: Hashable, Sendable {
  let number: Int
  private let padding = (SIMD8<Int64>.zero, SIMD8<Int64>.zero, SIMD8<Int64>.zero)

  init(number: Int) { self.number = number }

  static func == (left: Broad, right: Broad) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A value with any id type, for tests that need no `Change` type.
struct Item<ID: Hashable & Sendable>: Identifiable, Hashable, Alterable {
  typealias Change = Never

  let id: ID
  var value: Int
}

extension Item: Codable where ID: Codable {}

// MARK: - The law of differences

extension IdentityArray where Element: Equatable {
  /// Returns this version with a difference applied.
  ///
  /// `older.applying(newer.changes(from: older)) == newer` always holds. Nil if the difference was taken from another version.
  func applying(_ difference: [Step]) -> IdentityArray? {
    var leaving: Set<Element.ID> = []
    var arriving: [(element: Element, position: Int)] = []
    var updates: [Element.ID: Element] = [:]
    for step in difference {
      guard case .updated(let old, let new) = step else { continue }
      guard self[id: old.id] == old, new.id == old.id else { return nil }
      updates[old.id] = new
    }
    for step in difference {
      switch step {
      case .updated: break
      case .removed(let element, let position):
        guard index(of: element.id) == position, self[position] == element, leaving.insert(element.id).inserted else { return nil }
      case .moved(let id, let old, let new):
        guard index(of: id) == old, leaving.insert(id).inserted else { return nil }
        arriving.append((updates[id] ?? self[old], new))
      case .inserted(let element, let position):
        guard !contains(id: element.id) else { return nil }
        arriving.append((element, position))
      }
    }
    var staying = lazy.filter { !leaving.contains($0.id) }.makeIterator()
    var result = IdentityArray()
    func stay(until end: Int) {
      while result.count < end, let element = staying.next() { result.put(updates[element.id] ?? element) }
    }
    for (element, position) in arriving {
      stay(until: position)
      guard result.count == position, result.put(element) == nil else { return nil }
    }
    stay(until: .max)
    return result
  }
}
