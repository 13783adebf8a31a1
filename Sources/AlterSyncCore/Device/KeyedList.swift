/// A value that a ``KeyedList`` finds by its key.
package protocol Keyed {
  associatedtype Key: Hashable & Sendable
  var key: Key { get }
}

/// Values in the order in which they were added, found and removed by their keys, with a record of what a transaction has changed.
///
/// A removed value leaves a free slot, and the slots are closed up when most of them are free. So the work of a transaction depends on what
/// it changes, and not on the length of the list.
package struct KeyedList<Element: Keyed & Sendable>: Sendable {
  private var slots: [Element?] = []
  private var places: [Element.Key: Int] = [:]
  /// No slot before this one is in use.
  private var first = 0
  /// The slots from here on are of this transaction.
  private var mark = 0
  /// The removed elements of before the transaction.
  package private(set) var removed: [Element] = []

  package init() {}

  /// The number of elements.
  package var count: Int { places.count }

  package var isEmpty: Bool { places.isEmpty }

  /// The elements, in order.
  ///
  /// - Complexity: O(n).
  package var elements: [Element] { slots[first...].compactMap { $0 } }

  /// The last element.
  package var last: Element? { slots[first...].last { $0 != nil } ?? nil }

  /// The elements that the transaction has added, in order.
  ///
  /// - Complexity: O(added).
  package var added: [Element] { slots[mark...].compactMap { $0 } }

  /// The element of a key.
  package subscript(key: Element.Key) -> Element? { places[key].flatMap { slots[$0] } }

  package func contains(_ key: Element.Key) -> Bool { places[key] != nil }

  /// The place of a key among the others: it grows along the list. It is valid until the next transaction begins.
  package func place(of key: Element.Key) -> Int? { places[key] }

  /// The element before a place.
  package func element(before place: Int) -> Element? {
    var place = place - 1
    while place >= first {
      if let element = slots[place] { return element }
      place -= 1
    }
    return nil
  }

  /// Passes the elements from a place on, with their places, until the closure returns false.
  package func forEach(from place: Int, _ body: (Int, Element) -> Bool) {
    for place in max(place, first)..<max(place, first, slots.count) {
      if let element = slots[place], !body(place, element) { return }
    }
  }

  /// Adds an element at the end.
  ///
  /// - Returns: Whether its key was free. Otherwise nothing changes.
  /// - Complexity: O(1).
  @discardableResult
  package mutating func append(_ element: Element) -> Bool {
    guard places[element.key] == nil else { return false }
    places[element.key] = slots.count
    slots.append(element)
    return true
  }

  /// Removes the element of a key.
  ///
  /// - Complexity: O(1).
  @discardableResult
  package mutating func remove(_ key: Element.Key) -> Element? {
    guard let place = places.removeValue(forKey: key), let element = slots[place] else { return nil }
    slots[place] = nil
    while first < slots.count, slots[first] == nil { first += 1 }
    if place < mark { removed.append(element) }
    return element
  }

  /// Removes the elements that fulfil a condition.
  ///
  /// - Complexity: O(n).
  package mutating func removeAll(where condition: (Element) -> Bool) {
    for element in elements where condition(element) { remove(element.key) }
  }

  /// Begins a transaction. The list forgets the additions and removals of the last one.
  ///
  /// - Returns: Whether the places have changed.
  /// - Complexity: O(1), apart from closing up the slots, which costs O(1) for each removed element.
  @discardableResult
  package mutating func beginTransaction() -> Bool {
    removed = []
    let closesUp = slots.count > 2 * count + 16
    if closesUp {
      slots = elements
      for (place, element) in slots.enumerated() { places[element!.key] = place }
      first = 0
    }
    mark = slots.count
    return closesUp
  }
}

extension KeyedList: Equatable where Element: Equatable {
  package static func == (left: Self, right: Self) -> Bool { left.count == right.count && left.elements == right.elements }
}

extension KeyedList: Hashable where Element: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}
