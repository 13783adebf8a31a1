/// The elements in order: a B+tree, in which positions and labels are searched for. Versions share its nodes.
///
/// Whoever holds the only reference to a node changes it where it is; a shared node is copied first, and so is the path to it. So a
/// change costs O(log n), whether an older version is kept or not.
///
/// Invariants: there is a root unless there are no elements; all leaves are `height` steps from it; labels rise along the leaves.
///
/// Sendable, although nodes are classes: what two trees share is never written to.
@usableFromInline
struct Tree<Element> {
  @usableFromInline var root: AnyObject?
  @usableFromInline var height: Int
  @usableFromInline var count: Int

  @inlinable
  init() {
    root = nil
    height = 0
    count = 0
  }

  /// A place in a leaf, while the tree is held and not changed.
  @usableFromInline
  struct Location {
    @usableFromInline let leaf: Unmanaged<Leaf<Element>>
    @usableFromInline let place: Int
    /// How many elements are before the leaf.
    @usableFromInline let start: Int

    @inlinable
    init(leaf: Unmanaged<Leaf<Element>>, place: Int, start: Int) {
      self.leaf = leaf
      self.place = place
      self.start = start
    }

    @inlinable var position: Int { start + place }
    @inlinable var element: UnsafeMutablePointer<Element> { leaf._withUnsafeGuaranteedRef { $0.elements } + place }
    @inlinable var label: Label { leaf._withUnsafeGuaranteedRef { $0.labels[place] } }
  }
}

extension Tree: @unchecked Sendable where Element: Sendable {}

// MARK: - Reading

// Nodes are reached by their addresses: a search retains nothing, because the tree holds them all.
extension Tree {
  @inlinable
  static func branch(_ node: UnsafeRawPointer) -> Unmanaged<Branch> { Unmanaged.fromOpaque(node) }

  @inlinable
  static func leaf(_ node: UnsafeRawPointer) -> Unmanaged<Leaf<Element>> { Unmanaged.fromOpaque(node) }

  @inlinable
  static func address(_ node: AnyObject) -> UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(node).toOpaque()) }

  /// The root's address. There must be a root.
  @inlinable var base: UnsafeRawPointer { Self.address(root.unsafelyUnwrapped) }

  /// Where the element at a position is. The position must be one.
  @inlinable
  func location(at position: Int) -> Location {
    var node = base
    var rest = position
    var level = height
    while level > 0 {
      Self.branch(node)._withUnsafeGuaranteedRef { branch in
        let child = branch.child(at: rest)
        rest -= branch.start(of: child)
        node = branch.node(child)
      }
      level -= 1
    }
    return Location(leaf: Self.leaf(node), place: rest, start: position - rest)
  }

  /// The leaf in which a label is, if it is anywhere, and a guess at its place there.
  @inlinable
  func guess(_ label: Label) -> Location {
    var node = base
    var start = 0
    var key: Label? = nil
    var level = height
    while level > 0 {
      Self.branch(node)._withUnsafeGuaranteedRef { branch in
        let child = branch.child(for: label)
        start += branch.start(of: child)
        key = branch.children[child].key
        node = branch.node(child)
      }
      level -= 1
    }
    return Self.leaf(node)._withUnsafeGuaranteedRef { leaf in
      let offset = Int((label &- (key ?? leaf.labels[0])) &>> Label.gapBits)
      return Location(leaf: Self.leaf(node), place: Swift.max(0, Swift.min(offset, leaf.count - 1)), start: start)
    }
  }

  /// Where a label is, near a guess.
  @inlinable
  func location(of label: Label, near guess: Location) -> Location? {
    guess.leaf._withUnsafeGuaranteedRef { leaf in
      guard let place = leaf.place(of: label, near: guess.place) else { return nil }
      return Location(leaf: guess.leaf, place: place, start: guess.start)
    }
  }

  /// Calls a closure with every run of neighbouring elements, in order.
  @inlinable
  func forEachRun(_ body: (UnsafeBufferPointer<Element>) throws -> Void) rethrows {
    var position = 0
    while position < count {
      let location = location(at: position)
      let leaf = location.leaf._withUnsafeGuaranteedRef { UnsafeBufferPointer(start: $0.elements, count: $0.count) }
      try body(leaf)
      position += leaf.count
    }
    withExtendedLifetime(root) {}
  }
}

// MARK: - Writing in place

extension Tree {
  /// Makes sure that nobody else holds a node.
  @inlinable
  static func own(_ node: inout AnyObject, level: Int) {
    guard !isKnownUniquelyReferenced(&node) else { return }
    copy(&node, level: level)
  }

  @inlinable
  @inline(never)
  static func copy(_ node: inout AnyObject, level: Int) {
    if level == 0 {
      let leaf = unsafeDowncast(node, to: Leaf<Element>.self)
      node = leaf.copy(0..<leaf.count, capacity: leaf.count)
    } else {
      let branch = unsafeDowncast(node, to: Branch.self)
      node = branch.copy(0..<branch.count, capacity: branch.count)
    }
  }

  /// The element at a place that a search has found, ready to be written to: the path to it is copied where it is shared.
  ///
  /// - Parameters:
  ///   - location: Where it is; afterwards the location no longer counts.
  ///   - label: Its label.
  @inlinable
  mutating func mutable(_ location: Location, label: Label) -> UnsafeMutablePointer<Element> {
    if height == 0 {
      Self.own(&root.unsafelyUnwrappedInPlace, level: 0)
      return unsafeDowncast(root.unsafelyUnwrapped, to: Leaf<Element>.self).elements + location.place
    }
    Self.own(&root.unsafelyUnwrappedInPlace, level: height)
    var node = base
    var level = height
    while level > 0 {
      level -= 1
      Self.branch(node)._withUnsafeGuaranteedRef { branch in
        let child = branch.children + branch.child(for: label)
        Self.own(&child.pointee.node, level: level)
        node = UnsafeRawPointer(child).load(as: UnsafeRawPointer.self)
      }
    }
    return Self.leaf(node)._withUnsafeGuaranteedRef { $0.elements } + location.place
  }
}

extension Optional where Wrapped == AnyObject {
  /// The value, to be changed where it is. There must be one.
  @inlinable var unsafelyUnwrappedInPlace: AnyObject {
    get { unsafelyUnwrapped }
    _modify { yield &self! }
  }
}
