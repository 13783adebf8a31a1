extension IdentityArray: RandomAccessCollection {
  /// The first position: 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position after the last: `count`.
  @inlinable
  public var endIndex: Int { tree.count }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { tree.count }

  /// The element at a position.
  ///
  /// To visit all elements, iterate: iteration is faster than access by position.
  ///
  /// - Parameter position: A position in `0..<count`; any other value traps, as with an array.
  /// - Complexity: O(log n).
  @inlinable
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < count, "This is not a position of the IdentityArray: positions are 0..<count.")
    let element = tree.spot(at: position).element.pointee
    return withExtendedLifetime(self) { element }
  }

  /// Returns an iterator over the elements.
  ///
  /// - Complexity: O(1); all steps together O(n).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(tree) }

  /// Calls a closure with each element, in order.
  ///
  /// - Parameter body: Receives an element. An error that it throws ends the iteration.
  /// - Complexity: O(n).
  @inlinable
  public func forEach(_ body: (Element) throws -> Void) rethrows {
    try tree.forEachRun { for element in $0 { try body(element) } }
  }

  /// Returns the results of a closure for each element, in order.
  ///
  /// - Parameter transform: Converts an element. An error that it throws ends the iteration.
  /// - Complexity: O(n).
  @inlinable
  public func map<Result, Failure: Error>(_ transform: (Element) throws(Failure) -> Result) throws(Failure) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    for element in self { results.append(try transform(element)) }
    return results
  }

  /// Returns the position of the first element that satisfies a predicate, or nil if there is none.
  ///
  /// - Parameter predicate: Whether an element matches.
  /// - Complexity: O(n).
  @inlinable
  public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    var position = 0
    for element in self {
      if try predicate(element) { return position }
      position += 1
    }
    return nil
  }

  /// Calls a closure with the elements in memory, if they are few enough to be contiguous.
  ///
  /// - Parameter body: Receives the elements.
  /// - Returns: The closure's result; nil, without a call, if the elements are not contiguous.
  /// - Complexity: O(1), plus the closure.
  @inlinable
  public func withContiguousStorageIfAvailable<Result>(_ body: (UnsafeBufferPointer<Element>) throws -> Result) rethrows -> Result? {
    guard tree.height == 0 else { return nil }
    guard tree.count > 0 else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
    let elements = UnsafeBufferPointer(start: tree.spot(at: 0).element, count: tree.count)
    return try withExtendedLifetime(self) { try body(elements) }
  }

  /// An iterator over the elements in order, of the collection at the beginning of the iteration.
  ///
  /// The type is Sendable although it contains addresses: its own copy of the collection keeps the nodes alive.
  public struct Iterator: IteratorProtocol, @unchecked Sendable {
    @usableFromInline let tree: Tree<Element>
    /// The next element of the current leaf.
    @usableFromInline var upcoming: UnsafePointer<Element>?
    @usableFromInline var end: UnsafePointer<Element>?
    /// The position after the current leaf.
    @usableFromInline var position: Int
    /// The branch just above the leaf, and the next of the branch's children.
    @usableFromInline var branch: Unmanaged<Branch>?
    @usableFromInline var child: Int
    /// The numbers of elements in the next leaves of the branch; 0 beyond the last. They are read early, so that fetching their first cache
    /// lines overlaps with the processing of the elements before them.
    @usableFromInline var following: (Int, Int, Int)

    @inlinable
    init(_ tree: Tree<Element>) {
      self.tree = tree
      upcoming = nil
      end = nil
      position = 0
      branch = nil
      child = 0
      following = (0, 0, 0)
    }

    /// The next element, or nil after the last.
    ///
    /// - Complexity: O(1) amortised.
    @inlinable
    public mutating func next() -> Element? {
      if upcoming == end, !enterNextLeaf() { return nil }
      let element = upcoming.unsafelyUnwrapped
      upcoming = element + 1
      return element.pointee
    }

    @inlinable
    mutating func enterNextLeaf() -> Bool {
      guard position < tree.count else { return false }
      guard tree.height > 0 else {
        enter(tree.base, count: tree.count)
        return true
      }
      if following.0 == 0 {
        (branch, child) = tree.parent(at: position)
        following = (size(of: child), size(of: child + 1), size(of: child + 2))
      }
      branch.unsafelyUnwrapped._withUnsafeGuaranteedRef { enter($0.node(child), count: following.0) }
      child += 1
      following = (following.1, following.2, size(of: child + 2))
      return true
    }

    /// The number of elements in the branch's child.
    @inlinable
    func size(of child: Int) -> Int {
      branch.unsafelyUnwrapped._withUnsafeGuaranteedRef { branch in
        child < branch.count ? Tree<Element>.leaf(branch.node(child))._withUnsafeGuaranteedRef { $0.countReadingAhead } : 0
      }
    }

    @inlinable
    mutating func enter(_ leaf: UnsafeRawPointer, count: Int) {
      let first = UnsafePointer(Tree<Element>.leaf(leaf)._withUnsafeGuaranteedRef { $0.elements })
      upcoming = first
      end = first + count
      position += count
    }
  }
}

extension IdentityArray: ExpressibleByArrayLiteral {
  /// Creates a collection from an array literal. Of several elements with one id, the last wins, at the position of the first.
  ///
  /// - Parameter elements: The values in order.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}
