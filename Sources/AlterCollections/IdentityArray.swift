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
/// It is a value: a copy is independent of the original. Copying costs nothing, and a copy and its original share everything that
/// has not changed since in either: keep as many older versions as you like. A change costs O(log n) whether an older version
/// is kept or not, and ``==(_:_:)`` and ``changes(from:)`` look only at what two versions don't share.
///
/// Its positions are `0..<count`; they are places in the order, so a mutation can give them to other elements.
///
/// Where O(log n) is said of an operation that takes an id, it is expected: ids whose hashes collide make it slower, never wrong.
///
/// Elements and their ids are `Sendable`, because whatever is kept in a state goes from thread to thread.
///
/// Elements can't be changed through a subscript: what happens to them has a name (``add(_:)``, ``update(_:)``,
/// `alter(id, change, at: stamp)`), so that it can be journaled.
public struct IdentityArray<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  /// The elements in order.
  @usableFromInline var tree: Tree<Element>

  /// The label of each element in `tree` by its id; nil as long as they are so few that looking at each is quicker.
  @usableFromInline var index: IdentityIndex?

  /// An empty collection.
  @inlinable
  public init() {
    tree = Tree()
    index = nil
  }

  /// The elements of a sequence; of several with one id the last wins, in the place of the first.
  ///
  /// - Parameter elements: Values in order.
  /// - Complexity: O(n log n) expected.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    self.init()
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
  /// - Complexity: O(log n) expected.
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    let element = locate(id)?.element.pointee
    return withExtendedLifetime(self) { element }
  }

  /// The position of an identity, or nil when there is none.
  ///
  /// - Parameter id: The identity.
  /// - Complexity: O(log n) expected.
  @inlinable
  public func index(of id: Element.ID) -> Int? {
    let position = locate(id)?.position
    return withExtendedLifetime(self) { position }
  }

  /// Whether there is a value of an identity.
  ///
  /// - Parameter id: The identity.
  /// - Complexity: O(log n) expected.
  @inlinable
  public func contains(id: Element.ID) -> Bool { index(of: id) != nil }

  /// The latest state of the thing that a value is a state of, or nil when it isn't here.
  ///
  /// ```swift
  /// people.latest(of: jackBeforeHisRaise)?.salary
  /// ```
  ///
  /// - Parameter element: Any value of the identity, however old.
  /// - Complexity: O(log n) expected.
  @inlinable
  public func latest(of element: Element) -> Element? { self[id: element.id] }

  /// The latest value of every identity, in order.
  ///
  /// - Complexity: O(n).
  @inlinable
  public var all: [Element] { Array(self) }
}

// MARK: - Searching

extension IdentityArray {
  @usableFromInline typealias Location = Tree<Element>.Location

  /// Where the element of an identity is. To be used while `self` is held and not changed.
  @inlinable
  func locate(_ id: Element.ID) -> Location? {
    index == nil ? search(id) : locate(id, fragment: fragment(of: id))
  }

  /// The part of an id's hash that the index works with. There must be an index.
  @inlinable
  func fragment(of id: Element.ID) -> UInt32 {
    IdentityIndex.fragment(of: id, indexRoot._withUnsafeGuaranteedRef { $0.seed })
  }

  /// The root of the index, not retained. There must be an index.
  @inlinable var indexRoot: Unmanaged<IndexDirectory> { Unmanaged.passUnretained(index.unsafelyUnwrapped.root) }

  /// There must be an index.
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

  /// Looks at every element: there is no index, and only one leaf.
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
