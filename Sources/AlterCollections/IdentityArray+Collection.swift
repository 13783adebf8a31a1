extension IdentityArray: RandomAccessCollection {
  /// The positions of the elements.
  public typealias Indices = Range<Int>

  /// The first position: 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position after the last: `count`.
  @inlinable
  public var endIndex: Int { elements.count }

  /// How many elements there are.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { elements.count }

  /// The element at a position.
  ///
  /// - Parameter position: From 0 up to, not including, `count`; anything else traps, as with an array.
  /// - Complexity: O(1); O(log n) is all that is promised.
  @inlinable
  public subscript(position: Int) -> Element { elements[position] }

  /// Steps through the elements.
  ///
  /// - Complexity: O(1); all the steps together O(n).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(base: elements.makeIterator()) }

  /// Steps through the elements in order, of the collection as it was when the iteration began.
  public struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline var base: ContiguousArray<Element>.Iterator

    @usableFromInline init(base: ContiguousArray<Element>.Iterator) { self.base = base }

    /// The next element, or nil after the last.
    @inlinable
    public mutating func next() -> Element? { base.next() }
  }
}

extension IdentityArray {
  /// The identities, in the order of their elements.
  ///
  /// - Complexity: O(1); nothing is copied.
  @inlinable
  public var ids: IDs { IDs(base: self) }

  /// The identities of a collection, in the order of their elements.
  public struct IDs: RandomAccessCollection, Sendable {
    /// The positions of the identities.
    public typealias Indices = Range<Int>

    @usableFromInline let base: IdentityArray

    @usableFromInline init(base: IdentityArray) { self.base = base }

    /// The first position: 0.
    @inlinable
    public var startIndex: Int { base.startIndex }

    /// The position after the last.
    @inlinable
    public var endIndex: Int { base.endIndex }

    /// The identity of the element at a position.
    ///
    /// - Parameter position: A position of the collection; anything else traps.
    /// - Complexity: as the collection's own subscript.
    @inlinable
    public subscript(position: Int) -> Element.ID { base[position].id }

    /// Whether an identity is among them.
    ///
    /// - Parameter id: The identity.
    /// - Complexity: O(1) expected.
    @inlinable
    public func contains(_ id: Element.ID) -> Bool { base.contains(id: id) }
  }
}

extension IdentityArray: ExpressibleByArrayLiteral {
  /// The elements of an array literal; of several with one id the last wins, in the place of the first.
  ///
  /// - Parameter elements: Values in order.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}
