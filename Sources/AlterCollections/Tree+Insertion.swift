extension Tree {
  /// A node that has split off to the right of another.
  @usableFromInline typealias Sibling = Branch.Child

  /// Inserts an element at a position, from 0 to `count`. Its label must lie between those of its neighbours.
  @inlinable
  mutating func insert(_ element: Element, _ label: Label, at position: Int) {
    count += 1
    guard root != nil else {
      let leaf = Leaf<Element>.make(capacity: Swift.min(4, Leaf<Element>.maximum))
      leaf.insert(element, label, at: 0)
      root = leaf
      return
    }
    if position == count - 1, append(element, label) { return }
    guard let right = Self.insert(element, label, at: position, into: &root!, level: height) else { return }
    let left = root.unsafelyUnwrapped
    let top = Branch.make(capacity: Branch.maximum)
    let size = Self.size(of: left, level: height)
    top.insert(Branch.Child(node: left, key: Self.firstLabel(of: left, level: height), end: size), at: 0)
    top.insert(Branch.Child(node: right.node, key: right.key, end: size + right.end), at: 1)
    root = top
    height += 1
  }

  /// Appends an element if the last leaf has room, so that nothing splits.
  ///
  /// - Returns: Whether the element was appended.
  @inlinable
  mutating func append(_ element: Element, _ label: Label) -> Bool {
    guard lastLeaf._withUnsafeGuaranteedRef({ $0.count < $0.room }) else { return false }
    guard height > 0 else {
      guard Self.isAlone(&root!) else { return false }
      Self.leaf(base)._withUnsafeGuaranteedRef { $0.insert(element, label, at: $0.count) }
      return true
    }
    Self.own(&root!, level: height)
    var node = base
    var level = height
    while level > 0 {
      level -= 1
      Self.branch(node)._withUnsafeGuaranteedRef { branch in
        let child = branch.children + (branch.count - 1)
        child.pointee.end += 1
        if !Self.isAlone(&child.pointee.node) {
          if level == 0 {
            let leaf = unsafeDowncast(child.pointee.node, to: Leaf<Element>.self)
            child.pointee.node = leaf.copy(0..<leaf.count, capacity: Leaf<Element>.maximum)
          } else {
            Self.copy(&child.pointee.node, level: level)
          }
        }
        node = UnsafeRawPointer(child).load(as: UnsafeRawPointer.self)
      }
    }
    Self.leaf(node)._withUnsafeGuaranteedRef { $0.insert(element, label, at: $0.count) }
    return true
  }

  @inlinable
  static func size(of node: AnyObject, level: Int) -> Int {
    level == 0 ? unsafeDowncast(node, to: Leaf<Element>.self).count : unsafeDowncast(node, to: Branch.self).total
  }

  @inlinable
  static func firstLabel(of node: AnyObject, level: Int) -> Label {
    level == 0 ? unsafeDowncast(node, to: Leaf<Element>.self).labels[0] : unsafeDowncast(node, to: Branch.self).children[0].key
  }

  /// - Returns: The node that has split off; its `end` is its own size.
  @inlinable
  static func insert(_ element: Element, _ label: Label, at position: Int, into node: inout AnyObject, level: Int) -> Sibling? {
    if level == 0 { return insert(element, label, at: position, intoLeaf: &node) }
    own(&node, level: level)
    let branch = unsafeDowncast(node, to: Branch.self)
    let place = branch.child(takingAt: position)
    let children = branch.children
    let start = branch.start(of: place)
    let sibling = insert(element, label, at: position - start, into: &children[place].node, level: level - 1)
    if label < children[place].key {
      children[place].key = label
      branch.measure()
    }
    branch.shiftEnds(from: place, by: 1)
    guard let sibling else { return nil }
    let end = children[place].end
    children[place].end = end - sibling.end
    return insert(Branch.Child(node: sibling.node, key: sibling.key, end: end), at: place + 1, into: &node)
  }

  @inlinable
  static func insert(_ element: Element, _ label: Label, at place: Int, intoLeaf node: inout AnyObject) -> Sibling? {
    // Asked first: a local reference to the leaf would be a second one.
    let isAlone = isAlone(&node)
    let count = unsafeDowncast(node, to: Leaf<Element>.self).count
    if count == Leaf<Element>.maximum {
      // What is appended fills leaf after leaf; in the middle a full one is halved.
      let right: Leaf<Element>
      if place == count {
        right = Leaf.make(capacity: count)
        right.insert(element, label, at: 0)
      } else {
        if !isAlone { copy(&node, level: 0) }
        let left = unsafeDowncast(node, to: Leaf<Element>.self)
        right = left.split(at: count / 2)
        if place <= count / 2 {
          left.insert(element, label, at: place)
        } else {
          right.insert(element, label, at: place - count / 2)
        }
      }
      return Sibling(node: right, key: right.labels[0], end: right.count)
    }
    if !isAlone || count == unsafeDowncast(node, to: Leaf<Element>.self).room {
      let room = count < 4 ? 4 : count < 8 ? 8 : Leaf<Element>.maximum
      node = unsafeDowncast(node, to: Leaf<Element>.self).copy(0..<count, capacity: Swift.min(room, Leaf<Element>.maximum))
    }
    unsafeDowncast(node, to: Leaf<Element>.self).insert(element, label, at: place)
    return nil
  }

  /// Inserts a child into a uniquely referenced branch.
  @inlinable
  static func insert(_ child: Branch.Child, at place: Int, into node: inout AnyObject) -> Sibling? {
    let branch = unsafeDowncast(node, to: Branch.self)
    let count = branch.count
    if count < Branch.maximum {
      if count == branch.room { node = branch.copy(0..<count, capacity: Branch.maximum) }
      unsafeDowncast(node, to: Branch.self).insert(child, at: place)
      return nil
    }
    let middle = place == count ? count : count / 2
    let before = branch.children[middle - 1].end
    let right: Branch
    if place == count {
      right = Branch.make(capacity: count)
      right.insert(Branch.Child(node: child.node, key: child.key, end: child.end - before), at: 0)
    } else {
      right = branch.copy(middle..<count, capacity: count)
      branch.truncate(to: middle)
      if place < middle {
        branch.insert(child, at: place)
      } else {
        right.insert(Branch.Child(node: child.node, key: child.key, end: child.end - before), at: place - middle)
      }
    }
    return Sibling(node: right, key: right.children[0].key, end: right.total)
  }
}
