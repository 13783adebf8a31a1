public import AlterCore

extension IdentityArray {
  /// Puts a value: in the place of the older value of its identity if there is one, at the end otherwise.
  ///
  /// - Parameter element: The latest value of its identity.
  /// - Returns: The value it replaced, or nil when it is new.
  /// - Complexity: O(1) expected, amortised, when no copy is held; O(n) when one is.
  @inlinable
  @discardableResult
  public mutating func add(_ element: Element) -> Element? {
    guard let position = positions[element.id] else {
      positions[element.id] = elements.count
      elements.append(element)
      return nil
    }
    return exchange(element, at: position)
  }

  /// Puts a value of a new identity in a certain place.
  ///
  /// - Parameters:
  ///   - element: A value whose identity isn't here.
  ///   - position: Where it will be; nil for the end. A position beyond an end means that end: when this change is made again on
  ///     top of somebody else's, the place meant may be gone.
  /// - Throws: ``/AlterCore/Refusal`` `duplicate` when the identity is here already; then nothing is changed.
  /// - Complexity: O(1) expected at the end, O(n) elsewhere.
  @inlinable
  public mutating func insert(_ element: Element, at position: Int? = nil) throws(Refusal) {
    guard positions[element.id] == nil else { throw Self.duplicate(element.id) }
    let place = Swift.max(0, Swift.min(position ?? count, count))
    elements.insert(element, at: place)
    renumber(place..<elements.count)
  }

  /// Replaces the value of an identity that is here, in its place.
  ///
  /// - Parameter element: The latest value of its identity.
  /// - Returns: The value it replaced.
  /// - Throws: ``/AlterCore/Refusal`` `missing` when the identity isn't here; then nothing is changed.
  /// - Complexity: O(1) expected when no copy is held; O(n) when one is.
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element) throws(Refusal) -> Element {
    guard let position = positions[element.id] else { throw Self.missing(element.id) }
    return exchange(element, at: position)
  }

  /// Takes the value of an identity out.
  ///
  /// - Parameter id: The identity.
  /// - Returns: Its last value.
  /// - Throws: ``/AlterCore/Refusal`` `missing` when it isn't here; then nothing is changed.
  /// - Complexity: O(n).
  @inlinable
  @discardableResult
  public mutating func remove(id: Element.ID) throws(Refusal) -> Element {
    guard let element = removeIfPresent(id: id) else { throw Self.missing(id) }
    return element
  }

  /// Takes the value of an identity out, if it is here.
  ///
  /// - Parameter id: The identity.
  /// - Returns: Its last value, or nil when there was none.
  /// - Complexity: O(n).
  @inlinable
  @discardableResult
  public mutating func removeIfPresent(id: Element.ID) -> Element? {
    guard let position = positions.removeValue(forKey: id) else { return nil }
    let element = elements.remove(at: position)
    renumber(position..<elements.count)
    return element
  }

  /// Takes out every element that answers to a description.
  ///
  /// - Parameter shouldBeRemoved: Whether an element goes. If it throws, nothing is removed.
  /// - Complexity: O(n).
  @inlinable
  public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    let kept = try elements.filter { try !shouldBeRemoved($0) }
    if kept.count != elements.count { rebuild(of: ContiguousArray(kept)) }
  }

  /// Puts an element in another place; those between make room.
  ///
  /// - Parameters:
  ///   - id: Whose place.
  ///   - position: Where it will be afterwards. A position beyond an end means that end.
  /// - Throws: ``/AlterCore/Refusal`` `missing` when it isn't here; then nothing is changed.
  /// - Complexity: O(n).
  @inlinable
  public mutating func move(_ id: Element.ID, to position: Int) throws(Refusal) {
    guard let old = positions[id] else { throw Self.missing(id) }
    let new = Swift.max(0, Swift.min(position, count - 1))
    guard new != old else { return }
    let element = elements.remove(at: old)
    elements.insert(element, at: new)
    renumber(Swift.min(old, new)..<Swift.max(old, new) + 1)
  }

  /// Replaces everything.
  ///
  /// - Parameter elements: The values from now on; of several with one id the last wins, in the place of the first.
  /// - Complexity: O(n) expected; O(1) when they are an ``IdentityArray`` already.
  @inlinable
  public mutating func replace(with elements: some Sequence<Element>) {
    self = (elements as? IdentityArray) ?? IdentityArray(elements)
  }

  /// Puts the elements in the order that a comparison gives.
  ///
  /// - Parameter areInIncreasingOrder: Whether the first argument belongs before the second: a strict weak ordering. If it
  ///   throws, nothing is changed.
  /// - Complexity: O(n log n).
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    elements = ContiguousArray(try elements.sorted(by: areInIncreasingOrder))
    renumber(0..<elements.count)
  }

  /// Works on the value of an identity where it stands, without copying it.
  ///
  /// The identity itself must stay: a closure that leaves another `id` behind is a programmer's mistake, and traps.
  ///
  /// ```swift
  /// guard people.modify(id: 1, { $0.raise(by: 500) }) != nil else { throw .missing("person", 1) }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The identity.
  ///   - body: Works on the value. What it did before it throws stays done.
  /// - Returns: What the closure returns, or nil when the identity isn't here.
  /// - Throws: What the closure throws.
  /// - Complexity: O(1) expected beside the closure when no copy is held; O(n) when one is.
  @inlinable
  public mutating func modify<Result, Failure: Error>(
    id: Element.ID, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let position = positions[id] else { return nil }
    defer {
      precondition(
        elements[position].id == id,
        "IdentityArray.modify(id:_:) must not change an element's id: to replace one by another, remove it and add the other.")
    }
    return try body(&elements[position])
  }

  // MARK: - Keeping the invariant

  @inlinable
  mutating func exchange(_ element: Element, at position: Int) -> Element {
    let old = elements[position]
    elements[position] = element
    return old
  }

  /// Notes the places of the elements in a range anew.
  @inlinable
  mutating func renumber(_ range: Range<Int>) {
    for position in range { positions[elements[position].id] = position }
  }

  /// Takes elements that are known to have different ids.
  @inlinable
  mutating func rebuild(of elements: ContiguousArray<Element>) {
    self.elements = elements
    positions = Dictionary(minimumCapacity: elements.count)
    renumber(0..<elements.count)
  }

  @usableFromInline
  static func missing(_ id: Element.ID) -> Refusal { .missing("\(Element.self)", id) }

  @usableFromInline
  static func duplicate(_ id: Element.ID) -> Refusal { .duplicate("\(Element.self)", id) }
}
