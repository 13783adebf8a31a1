/// An ordered collection that holds one value per identity: the latest.
///
/// Elements are identified by their `id`, not by `==`: Jack before and after his raise is one element. Putting a value whose identity is
/// already present replaces the older value in place.
///
/// ```swift
/// struct Person: Identifiable, Hashable, Sendable {
///   let id: Int
///   var name: String
///   var salary = 8_000
/// }
/// var people: IdentityArray = [Person(id: 1, name: "Jack"), Person(id: 2, name: "Jill")]
/// people.put(Person(id: 1, name: "Jack", salary: 9_000))  // replaces the first Jack, in his place
/// people[id: 1]?.salary                                    // 9000
/// people.map(\.name)                                       // ["Jack", "Jill"]
/// ```
///
/// ## Adding, replacing and removing elements
///
/// ``put(_:)`` never fails. The other operations distinguish a new identity from a present one, and throw ``/AlterCore/Refusal`` if the
/// identity is in the wrong state. An operation that throws a refusal changes nothing.
///
/// | operation | if the identity is present | if it is absent |
/// |---|---|---|
/// | ``put(_:)`` | replaces the value in place | appends |
/// | ``add(_:at:)`` | throws `duplicate` | adds |
/// | ``update(_:)`` | replaces the value in place | throws `missing` |
/// | `apply(change, to: id, at: stamp)` | makes the change in place | throws `missing` |
/// | ``remove(id:)`` | removes the value | throws `missing` |
/// | ``removeIfPresent(id:)`` | removes the value | returns nil |
///
/// A subscript cannot modify elements. Each modification has a name, so that it can be journaled. The collection is also a model of its
/// own: its ``Change`` has a case for the most important of these operations.
///
/// ## Order and positions
///
/// The elements keep the order in which they were added, until ``move(_:to:)`` or ``sort(by:)`` changes it. Positions are `0..<count`. They
/// are places in the order, so a mutation can assign them to other elements.
///
/// ## Versions and differences
///
/// The type is a value: a copy is independent of the original. Copying costs O(1), and a copy and its original share all parts that have
/// not changed since in either, so you can keep many older versions. ``==(_:_:)`` and ``changes(from:)`` read only the parts that two
/// versions do not share.
///
/// ```swift
/// let before = people
/// try people.move(2, to: 0)
/// people.changes(from: before).count  // 1
/// before.map(\.name)                        // ["Jack", "Jill"]
/// ```
///
/// ## Performance
///
/// | operation | complexity |
/// |---|---|
/// | finding, adding, replacing, removing or moving by id | O(log n) expected |
/// | access by position | O(log n) |
/// | `count`, copying | O(1) |
/// | iteration | O(n) |
/// | ``changes(from:)`` between versions with k steps between them | O(k log n) |
///
/// A change costs the same whether or not an older version is kept. Ids whose hashes collide make an operation slower, never wrong.
///
/// ## Concurrency
///
/// Elements and their ids are `Sendable`, because the values of a state pass between threads. Several threads may read versions that share
/// parts at the same time. As with an array, a single variable needs synchronization if one thread modifies it.
public struct IdentityArray<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  /// The elements in order.
  @usableFromInline var tree: Tree<Element>

  /// The label of each element in `tree` by its id; nil while the elements are so few that a linear search is faster.
  @usableFromInline var index: IdentityIndex?

  /// An empty collection.
  @inlinable
  public init() {
    tree = Tree()
    index = nil
  }

  /// Creates a collection from a sequence. Of several elements with one id, the last wins, at the position of the first.
  ///
  /// - Parameter elements: The values in order.
  /// - Complexity: O(n log n) expected.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    self.init()
    for element in elements { put(element) }
  }

  /// The latest value of an identity, or nil if the identity is absent.
  ///
  /// - Parameter id: The identity.
  /// - Complexity: O(log n) expected.
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    let element = locate(id)?.element.pointee
    return withExtendedLifetime(self) { element }
  }

  /// Returns the position of an identity, or nil if the identity is absent.
  ///
  /// - Parameter id: The identity.
  /// - Complexity: O(log n) expected.
  @inlinable
  public func index(of id: Element.ID) -> Int? {
    let position = locate(id)?.position
    return withExtendedLifetime(self) { position }
  }

  /// Returns whether the collection contains a value of an identity.
  ///
  /// - Parameter id: The identity.
  /// - Complexity: O(log n) expected.
  @inlinable
  public func contains(id: Element.ID) -> Bool { index(of: id) != nil }

  /// Returns the latest value with the identity of a given value, or nil if the identity is absent.
  ///
  /// ```swift
  /// people.latest(jackBeforeHisRaise)?.salary
  /// ```
  ///
  /// - Parameter element: Any value of the identity, of any age.
  /// - Complexity: O(log n) expected.
  @inlinable
  public func latest(_ element: Element) -> Element? { self[id: element.id] }

  /// The latest value of every identity, in order.
  ///
  /// - Complexity: O(n).
  @inlinable
  public var all: [Element] { Array(self) }
}

// MARK: - Searching

extension IdentityArray {
  @usableFromInline typealias Location = Tree<Element>.Location

  /// The location of an identity's element. Valid while `self` is held and not changed.
  @inlinable
  func locate(_ id: Element.ID) -> Location? {
    index == nil ? search(id) : locate(id, fragment: fragment(of: id))
  }

  /// The part of an id's hash that the index uses. There must be an index.
  @inlinable
  func fragment(of id: Element.ID) -> UInt32 {
    IdentityIndex.fragment(of: id, indexRoot._withUnsafeGuaranteedRef { $0.seed })
  }

  /// The root of the index, not retained. There must be an index.
  @inlinable var indexRoot: Unmanaged<IndexDirectory> { Unmanaged.passUnretained(index.unsafelyUnwrapped.root) }

  /// The same, for a known fragment. There must be an index.
  @inlinable
  func locate(_ id: Element.ID, fragment: UInt32) -> Location? {
    var labels = IdentityIndex.labels(for: fragment, in: indexRoot)
    while let label = labels.next() {
      let guess = tree.guess(label)
      if guess.element.pointee.id == id { return guess }
      // Another element has the fragment, or this one is not where an undisturbed order would have it.
      if let location = tree.location(of: label, near: guess), location.element.pointee.id == id { return location }
    }
    return nil
  }

  /// Searches linearly: there is no index, and only one leaf.
  @inlinable
  func search(_ id: Element.ID) -> Location? {
    guard tree.count > 0 else { return nil }
    let leaf = Tree<Element>.leaf(tree.base)
    return leaf._withUnsafeGuaranteedRef { here in
      let elements = here.elements
      for place in 0..<here.count where elements[place].id == id {
        return Location(Tree.Spot(leaf, place), path: 0, start: 0)
      }
      return nil
    }
  }
}
