extension Tree {
  /// A position in a tree, moved in order one node at a time: past whole nodes, or down into them.
  ///
  /// The cursor is before a node (at `level` 0 or higher), before an element (at level -1), or at the end. Valid while the tree is held and
  /// not changed.
  @usableFromInline
  struct Cursor {
    /// The branches above, each with the child that contains the cursor.
    @usableFromInline var path: [(branch: Unmanaged<Branch>, child: Int)] = []
    /// The node after the cursor, or the leaf of the element after it; nil at the end.
    @usableFromInline var node: UnsafeRawPointer?
    @usableFromInline var level: Int
    /// The position of the element in its leaf.
    @usableFromInline var place = 0
    /// The number of elements before the cursor.
    @usableFromInline var position = 0

    @inlinable
    init(_ tree: Tree) {
      node = tree.root == nil ? nil : tree.base
      level = tree.height
      path.reserveCapacity(tree.height)
    }

    @inlinable var isAtEnd: Bool { node == nil }

    @inlinable var leaf: Unmanaged<Leaf<Element>> { Tree.leaf(node.unsafelyUnwrapped) }

    /// The element after the cursor, if the level is -1.
    @inlinable var element: UnsafePointer<Element> { UnsafePointer(leaf._withUnsafeGuaranteedRef { $0.elements + place }) }

    /// The first label after the cursor.
    @inlinable var label: Label {
      level > 0
        ? Tree.branch(node.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.children[0].key }
        : leaf._withUnsafeGuaranteedRef { $0.labels[place] }
    }

    /// Whether two cursors are before the same node, which two trees share.
    @inlinable
    func isSame(as other: Cursor) -> Bool { node == other.node && level >= 0 && level == other.level }

    /// The number of elements in the node or element after the cursor.
    @inlinable var size: Int {
      if level < 0 { return 1 }
      let node = node.unsafelyUnwrapped
      return level == 0
        ? Tree.leaf(node)._withUnsafeGuaranteedRef { $0.count } : Tree.branch(node)._withUnsafeGuaranteedRef { $0.total }
    }

    /// Descends to the front of the first child, or of the first element.
    @inlinable
    mutating func descend() {
      if level > 0 {
        let branch = Tree.branch(node.unsafelyUnwrapped)
        path.append((branch, 0))
        node = branch._withUnsafeGuaranteedRef { $0.node(0) }
      }
      level -= 1
      place = 0
    }

    /// Moves past the node or element after the cursor.
    @inlinable
    mutating func skip() {
      position += size
      if level < 0 {
        place += 1
        if place < leaf._withUnsafeGuaranteedRef({ $0.count }) { return }
        level = 0
        place = 0
      }
      while let (branch, child) = path.popLast() {
        let next = branch._withUnsafeGuaranteedRef { child + 1 < $0.count ? $0.node(child + 1) : nil }
        level += 1
        if let next {
          path.append((branch, child + 1))
          node = next
          level -= 1
          return
        }
      }
      node = nil
    }
  }
}

extension Tree where Element: Equatable {
  /// Returns whether both trees have equal elements in the same order. Their counts must be equal.
  ///
  /// - Complexity: O(k log n) if all but k elements are in shared nodes; O(n) otherwise.
  @inlinable
  func isEqual(to other: Tree) -> Bool {
    defer { withExtendedLifetime((self.root, other.root)) {} }
    var left = Cursor(self)
    var right = Cursor(other)
    // Both are always at the same position.
    while !left.isAtEnd, !right.isAtEnd {
      if left.isSame(as: right) {
        left.skip()
        right.skip()
      } else if left.level == 0, right.level == 0, left.size == right.size {
        let a = left.leaf._withUnsafeGuaranteedRef { $0.elements }
        let b = right.leaf._withUnsafeGuaranteedRef { $0.elements }
        for place in 0..<left.size where a[place] != b[place] { return false }
        left.skip()
        right.skip()
      } else if left.level < 0, right.level < 0 {
        if left.element.pointee != right.element.pointee { return false }
        left.skip()
        right.skip()
      } else {
        let isLeftHigher = left.level >= right.level
        if right.level >= left.level { right.descend() }
        if isLeftHigher { left.descend() }
      }
    }
    return true
  }
}
