public import AlterCore

extension IdentityArray {
  /// Puts a value: replaces the older value of its identity in place, or appends it if the identity is new.
  ///
  /// - Parameter element: The latest value of its identity.
  /// - Returns: The replaced value, or nil if the identity is new.
  /// - Complexity: O(log n) expected.
  @inlinable
  @discardableResult
  public mutating func put(_ element: Element) -> Element? {
    // Without a binding: another reference to the index would make each change of it copy its root.
    if index != nil {
      let fragment = fragment(of: element.id)
      if let place = mutable(element.id, fragment: fragment) { return exchange(element, at: place) }
      insert(element, fragment, at: count)
    } else {
      if let location = search(element.id) { return exchange(element, at: tree.mutable(location)) }
      insert(element, nil, at: count)
    }
    return nil
  }

  /// Adds a value of a new identity at a position.
  ///
  /// - Parameters:
  ///   - element: A value whose identity is absent.
  ///   - position: Its position afterwards; nil for the end. A position beyond an end means that end: when this change is replayed on top
  ///     of another writer's, the original position may no longer exist.
  /// - Throws: ``/AlterCore/Refusal`` `duplicate` if the identity is present; nothing is changed then.
  /// - Complexity: O(log n) expected, amortised.
  @inlinable
  public mutating func add(_ element: Element, at position: Int? = nil) throws(Refusal) {
    guard locate(element.id) == nil else { throw Self.duplicate(element.id) }
    insert(element, nil, at: Swift.max(0, Swift.min(position ?? count, count)))
  }

  /// Replaces the value of a present identity, in place.
  ///
  /// - Parameter element: The latest value of its identity.
  /// - Returns: The replaced value.
  /// - Throws: ``/AlterCore/Refusal`` `missing` if the identity is absent; nothing is changed then.
  /// - Complexity: O(log n) expected.
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element) throws(Refusal) -> Element {
    guard let place = mutable(element.id) else { throw Self.missing(element.id) }
    return exchange(element, at: place)
  }

  /// Removes the value of an identity.
  ///
  /// - Parameter id: The identity.
  /// - Returns: Its last value.
  /// - Throws: ``/AlterCore/Refusal`` `missing` if the identity is absent; nothing is changed then.
  /// - Complexity: O(log n) expected, amortised.
  @inlinable
  @discardableResult
  public mutating func remove(id: Element.ID) throws(Refusal) -> Element {
    guard let element = removeIfPresent(id: id) else { throw Self.missing(id) }
    return element
  }

  /// Removes the value of an identity, if it is present.
  ///
  /// - Parameter id: The identity.
  /// - Returns: Its last value, or nil if the identity is absent.
  /// - Complexity: O(log n) expected, amortised.
  @inlinable
  @discardableResult
  public mutating func removeIfPresent(id: Element.ID) -> Element? {
    guard let location = locate(id) else { return nil }
    let position = location.position
    if index != nil { index!.remove(fragment(of: id), location.label) }
    let element = tree.remove(at: position)
    shrinkIndex()
    return element
  }

  /// Removes every element that satisfies a predicate.
  ///
  /// - Parameter shouldBeRemoved: Whether to remove an element. If it throws, nothing is removed.
  /// - Complexity: O(n) calls of the closure, plus O(k log n) for k removed elements.
  @inlinable
  public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    var leaving: [Element.ID] = []
    try forEach { if try shouldBeRemoved($0) { leaving.append($0.id) } }
    if leaving.count == count {
      self = IdentityArray()
    } else {
      for id in leaving { removeIfPresent(id: id) }
    }
  }

  /// Moves an element to another position and shifts the elements in between.
  ///
  /// - Parameters:
  ///   - id: The identity of the element.
  ///   - position: Its position afterwards. A position beyond an end means that end.
  /// - Throws: ``/AlterCore/Refusal`` `missing` if the identity is absent; nothing is changed then.
  /// - Complexity: O(log n) expected, amortised.
  @inlinable
  public mutating func move(_ id: Element.ID, to position: Int) throws(Refusal) {
    guard let location = locate(id) else { throw Self.missing(id) }
    let old = location.position
    let new = Swift.max(0, Swift.min(position, count - 1))
    guard new != old else { return }
    let label = location.label
    let element = tree.remove(at: old)
    let newLabel = freeLabel(at: new)
    tree.insert(element, newLabel, at: new)
    if index != nil { index!.rename(fragment(of: id), from: label, to: newLabel) }
  }

  /// Replaces all elements.
  ///
  /// - Parameter elements: The new values. Of several with one id, the last wins, at the position of the first.
  /// - Complexity: O(n log n) expected; O(1) if they are an ``IdentityArray`` already.
  @inlinable
  public mutating func replace(with elements: some Sequence<Element>) {
    self = (elements as? IdentityArray) ?? IdentityArray(elements)
  }

  /// Sorts the elements by a comparison.
  ///
  /// - Parameter areInIncreasingOrder: Whether the first argument belongs before the second: a strict weak ordering. If it throws, nothing
  ///   is changed.
  /// - Complexity: O(n log n).
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    let sorted = try sorted(by: areInIncreasingOrder)
    // What is in order already keeps its structure, and with it what it shares with other versions.
    if zip(self, sorted).contains(where: { $0.id != $1.id }) { self = IdentityArray(sorted) }
  }

  /// Modifies the value of an identity in place, without copying it.
  ///
  /// The identity should stay the same; `apply(_:to:at:)` refuses a change that gives its element another one. An element whose
  /// `id` the closure changes stays where it is. If another element has the new identity, the later one is kept, at the place of the earlier.
  /// Such a change takes O(n log n).
  ///
  /// ```swift
  /// guard people.modify(id: 1, { $0.raise(by: 500) }) != nil else { throw .missing("person", 1) }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The identity.
  ///   - body: Modifies the value. Modifications that it makes before it throws are kept.
  /// - Returns: The closure's result, or nil if the identity is absent.
  /// - Throws: Any error of the closure.
  /// - Complexity: O(log n) expected, plus the closure.
  @inlinable
  public mutating func modify<Result, Failure: Error>(
    id: Element.ID, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var hasMoved = false
    return try modify(id: id, &hasMoved, body)
  }

  /// Modifies the value of an identity in place, and notes whether it has another identity then.
  ///
  /// The change may come from a file or a network, so it must not trap, and the array must be sound even if a refusal is caught.
  @inlinable
  mutating func modify<Result, Failure: Error>(
    id: Element.ID, _ hasMoved: inout Bool, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let element = mutable(id) else { return nil }
    defer {
      hasMoved = element.pointee.id != id
      withExtendedLifetime(tree.root) {}
      if hasMoved { self = IdentityArray(Array(self)) }
    }
    return try body(&element.pointee)
  }

  // MARK: - Keeping the invariant

  /// The element of an identity, ready for writing; nil if the identity is absent.
  @inlinable
  mutating func mutable(_ id: Element.ID) -> UnsafeMutablePointer<Element>? {
    guard index == nil else { return mutable(id, fragment: fragment(of: id)) }
    return search(id).map { tree.mutable($0) }
  }

  /// The same, for a known fragment. There must be an index.
  @inlinable
  @inline(__always)
  mutating func mutable(_ id: Element.ID, fragment: UInt32) -> UnsafeMutablePointer<Element>? {
    var labels = IdentityIndex.labels(for: fragment, in: indexRoot)
    guard let label = labels.next() else { return nil }
    // The first label leads straight to the element unless hashes agree or the order was disturbed there.
    if tree.height > 0 {
      let place = tree.mutable(guessing: label)
      if place.pointee.id == id { return place }
    }
    return locate(id, fragment: fragment).map { tree.mutable($0) }
  }

  @inlinable
  mutating func exchange(_ element: Element, at place: UnsafeMutablePointer<Element>) -> Element {
    let old = place.move()
    place.initialize(to: element)
    withExtendedLifetime(tree.root) {}
    return old
  }

  /// Inserts an element whose identity is absent.
  ///
  /// - Parameter fragment: The fragment of its id, if it is already known.
  @inlinable
  mutating func insert(_ element: Element, _ fragment: UInt32?, at position: Int) {
    let label = freeLabel(at: position)
    tree.insert(element, label, at: position)
    if index != nil {
      index!.insert(fragment ?? self.fragment(of: element.id), label)
    } else if tree.height > 0 {
      buildIndex()
    }
  }

  /// Returns a label for an element to be inserted at a position.
  @inlinable
  mutating func freeLabel(at position: Int) -> Label {
    if let label = tree.label(forInsertionAt: position) { return label }
    return labelAnew(around: position)
  }

  @inlinable
  @inline(never)
  mutating func labelAnew(around position: Int) -> Label {
    var renamed: [(fragment: UInt32, old: Label, new: Label)] = []
    let seed = index?.root.seed
    tree.makeRoom(at: position) { element, old, new in
      if let seed { renamed.append((IdentityIndex.fragment(of: element.id, seed), old, new)) }
    }
    // With equal fragments a new label may be another's old one: so all the old ones go before a new one comes.
    for (fragment, old, _) in renamed { index?.remove(fragment, old) }
    for (fragment, _, new) in renamed { index?.insert(fragment, new) }
    return tree.label(forInsertionAt: position).unsafelyUnwrapped
  }

  @inlinable
  @inline(never)
  mutating func buildIndex() {
    var index = IdentityIndex()
    let seed = index.root.seed
    func visit(_ node: UnsafeRawPointer, level: Int) {
      if level == 0 {
        Tree<Element>.leaf(node)._withUnsafeGuaranteedRef { leaf in
          for place in 0..<leaf.count { index.insert(IdentityIndex.fragment(of: leaf.elements[place].id, seed), leaf.labels[place]) }
        }
      } else {
        Tree<Element>.branch(node)._withUnsafeGuaranteedRef { branch in
          for child in 0..<branch.count { visit(branch.node(child), level: level - 1) }
        }
      }
    }
    if tree.count > 0 { visit(tree.base, level: tree.height) }
    self.index = index
  }

  /// Releases an index that has become too large for the remaining elements.
  @inlinable
  mutating func shrinkIndex() {
    guard let peak = index?.peak else { return }
    if tree.height == 0 {
      // Half a leaf: so that an element that comes and goes does not make and drop an index each time.
      if count <= Leaf<Element>.maximum / 2 { self.index = nil }
    } else if peak > 1_024, count < peak / 8 {
      buildIndex()
    }
  }

  @usableFromInline
  static func missing(_ id: Element.ID) -> Refusal { .missing("\(Element.self)", id) }

  @usableFromInline
  static func moved(_ id: Element.ID) -> Refusal {
    .custom(code: "identity", message: "The change would give \(Element.self) '\(id)' another id: remove it and add the other.")
  }

  @usableFromInline
  static func duplicate(_ id: Element.ID) -> Refusal { .duplicate("\(Element.self)", id) }
}
