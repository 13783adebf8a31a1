/// An ordered collection that holds one value per identity: the latest.
///
/// Elements are told apart by their `id`, not by `==`: Jack before and after his raise is one element. Adding a value whose
/// identity is there already replaces the older value where it stands.
///
/// ```swift
/// var people: IdentityArray = [Person(id: 1, name: "Jack"), Person(id: 2, name: "Jill")]
/// people.add(Person(id: 1, name: "Jack", salary: 9_000))  // replaces the first Jack, in his place
/// people[id: 1]?.salary                                    // 9000
/// people.map(\.name)                                       // ["Jack", "Jill"]
/// ```
///
/// It is a value: a copy is independent of the original and is made only when one of the two changes. Its positions are
/// `0..<count`; they are places in the order, so a mutation can give them to other elements.
///
/// Elements and their ids are `Sendable`, because whatever is kept in a state goes from thread to thread.
///
/// Elements can't be changed through a subscript: what happens to them has a name (``add(_:)``, ``update(_:)``,
/// `alter(id, change, at: stamp)`), so that it can be journaled.
public struct IdentityArray<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  /// The elements in order.
  @usableFromInline var elements: ContiguousArray<Element>

  /// The place of each identity in `elements`. Invariant: the same count as `elements`, and `elements[positions[id]!].id == id`.
  @usableFromInline var positions: [Element.ID: Int]

  /// An empty collection.
  @inlinable
  public init() {
    elements = []
    positions = [:]
  }

  /// The elements of a sequence; of several with one id the last wins, in the place of the first.
  ///
  /// - Parameter elements: Values in order.
  /// - Complexity: O(n) expected.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    self.init()
    let count = elements.underestimatedCount
    self.elements.reserveCapacity(count)
    positions.reserveCapacity(count)
    for element in elements { add(element) }
  }

  /// What is there already, as one collection again.
  ///
  /// - Parameter elements: Values in order.
  /// - Complexity: O(1).
  @inlinable
  public init(_ elements: IdentityArray) { self = elements }

  /// The latest value of an identity, or nil when there is none.
  ///
  /// - Parameter id: The identity.
  /// - Complexity: O(1) expected.
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    guard let position = positions[id] else { return nil }
    return elements[position]
  }

  /// The position of an identity, or nil when there is none.
  ///
  /// - Parameter id: The identity.
  /// - Complexity: O(1) expected; O(log n) is all that is promised.
  @inlinable
  public func index(of id: Element.ID) -> Int? { positions[id] }

  /// Whether there is a value of an identity.
  ///
  /// - Parameter id: The identity.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(id: Element.ID) -> Bool { positions[id] != nil }

  /// The latest state of the thing that a value is a state of, or nil when it isn't here.
  ///
  /// ```swift
  /// people.latest(of: jackBeforeHisRaise)?.salary
  /// ```
  ///
  /// - Parameter element: Any value of the identity, however old.
  /// - Complexity: O(1) expected.
  @inlinable
  public func latest(of element: Element) -> Element? { self[id: element.id] }

  /// The latest value of every identity, in order.
  ///
  /// - Complexity: O(n).
  @inlinable
  public var all: [Element] { Array(elements) }
}
