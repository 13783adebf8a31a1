extension Tree {
  /// Removes the element at a position. The position must be valid.
  @inlinable
  mutating func remove(at position: Int) -> Element {
    let element = Self.remove(at: position, from: &root!, level: height)
    count -= 1
    if count == 0 {
      self = Tree()
      return element
    }
    // A root with one child is not needed.
    while height > 0 {
      let branch = unsafeDowncast(root.unsafelyUnwrapped, to: Branch.self)
      guard branch.count == 1 else { break }
      root = branch.children[0].node
      height -= 1
    }
    return element
  }

  @inlinable
  static func remove(at position: Int, from node: inout AnyObject, level: Int) -> Element {
    own(&node, level: level)
    if level == 0 { return unsafeDowncast(node, to: Leaf<Element>.self).remove(at: position) }
    let branch = unsafeDowncast(node, to: Branch.self)
    let place = branch.child(at: position)
    let children = branch.children
    let start = branch.start(of: place)
    let element = remove(at: position - start, from: &children[place].node, level: level - 1)
    branch.shiftEnds(from: place, by: -1)
    if children[place].end == start {
      branch.remove(at: place)
    } else {
      let first = firstLabel(of: children[place].node, level: level - 1)
      if children[place].key != first {
        children[place].key = first
        branch.measure()
      }
      joinIfSmall(place, of: branch, level: level - 1)
    }
    return element
  }

  /// Joins a child that has become small with a neighbour, if both fit into one node.
  @inlinable
  static func joinIfSmall(_ place: Int, of branch: Branch, level: Int) {
    let most = level == 0 ? Leaf<Element>.maximum : Branch.maximum
    let size = width(of: branch.children[place].node, level: level)
    guard size <= most / 4 else { return }
    if place > 0, size + width(of: branch.children[place - 1].node, level: level) <= most {
      join(place - 1, of: branch, level: level)
    } else if place + 1 < branch.count, size + width(of: branch.children[place + 1].node, level: level) <= most {
      join(place, of: branch, level: level)
    }
  }

  /// The number of entries of a node.
  @inlinable
  static func width(of node: AnyObject, level: Int) -> Int {
    level == 0 ? unsafeDowncast(node, to: Leaf<Element>.self).count : unsafeDowncast(node, to: Branch.self).count
  }

  /// Joins a child with the next one.
  @inlinable
  static func join(_ place: Int, of branch: Branch, level: Int) {
    let children = branch.children
    if level == 0 {
      let left = unsafeDowncast(children[place].node, to: Leaf<Element>.self)
      let joined = left.copy(0..<left.count, capacity: Leaf<Element>.maximum)
      joined.append(contentsOf: unsafeDowncast(children[place + 1].node, to: Leaf<Element>.self))
      children[place].node = joined
    } else {
      let left = unsafeDowncast(children[place].node, to: Branch.self)
      let joined = left.copy(0..<left.count, capacity: Branch.maximum)
      joined.append(contentsOf: unsafeDowncast(children[place + 1].node, to: Branch.self))
      children[place].node = joined
    }
    children[place].end = children[place + 1].end
    branch.remove(at: place + 1)
  }
}
