extension IdentityArray {
  /// The violated invariants of the inner structure; tests expect none.
  ///
  /// - Complexity: O(n log n).
  package func brokenInvariants() -> [String] {
    var broken = tree.brokenInvariants()
    if tree.height > 0, index == nil { broken.append("no index above a tree of height \(tree.height)") }
    guard let index else { return broken }
    if index.count != count { broken.append("the index counts \(index.count) entries, the tree \(count) elements") }
    if index.root.entryCount != count { broken.append("the index holds \(index.root.entryCount) entries for \(count) elements") }
    for position in 0..<count {
      let spot = tree.spot(at: position)
      let id = spot.element.pointee.id
      var labels = index.labels(for: index.fragment(of: id))
      var matches = 0
      while let label = labels.next() { if label == spot.label { matches += 1 } }
      if matches != 1 { broken.append("\(matches) entries for the element \(id) at \(position)") }
    }
    return broken
  }

  /// The number of node levels above the leaves.
  package var height: Int { tree.height }

  /// The number of the tree's nodes in this version, and the number that another version shares.
  package func sharing(with other: IdentityArray) -> (nodes: Int, shared: Int) {
    (nodes.count, nodes.intersection(other.nodes).count)
  }

  /// The addresses of the tree's nodes. They do not keep the nodes alive.
  package var nodes: Set<UnsafeRawPointer> { tree.nodes() }
}

extension Tree {
  fileprivate func nodes() -> Set<UnsafeRawPointer> {
    var nodes: Set<UnsafeRawPointer> = []
    func visit(_ node: UnsafeRawPointer, level: Int) {
      nodes.insert(node)
      guard level > 0 else { return }
      let branch = Self.branch(node).takeUnretainedValue()
      for child in 0..<branch.count { visit(branch.node(child), level: level - 1) }
    }
    if root != nil { visit(base, level: height) }
    return nodes
  }

  fileprivate func brokenInvariants() -> [String] {
    guard root != nil else { return count == 0 && height == 0 ? [] : ["no root, but \(count) elements and height \(height)"] }
    var broken: [String] = []
    var last = Label.min
    /// - Returns: The number of elements in the node.
    func check(_ node: UnsafeRawPointer, level: Int) -> Int {
      guard level > 0 else {
        let leaf = Self.leaf(node).takeUnretainedValue()
        if leaf.count < 1 || leaf.count > leaf.room || leaf.count > Leaf<Element>.maximum { broken.append("a leaf of \(leaf.count)") }
        for place in 0..<leaf.count {
          if leaf.labels[place] <= last { broken.append("label \(leaf.labels[place]) after \(last)") }
          last = leaf.labels[place]
        }
        return leaf.count
      }
      let branch = Self.branch(node).takeUnretainedValue()
      if branch.count < 1 || branch.count > branch.room { broken.append("a branch of \(branch.count)") }
      var end = 0
      for place in 0..<branch.count {
        let child = branch.children[place]
        let first = Self.firstLabel(of: child.node, level: level - 1)
        if child.key != first { broken.append("key \(child.key) of a child whose first label is \(first)") }
        end += check(branch.node(place), level: level - 1)
        if child.end != end { broken.append("a child ends at \(child.end), not at \(end)") }
      }
      return end
    }
    let elements = check(base, level: height)
    if elements != count { broken.append("\(elements) elements, but a count of \(count)") }
    if height > 0, Self.branch(base).takeUnretainedValue().count == 1 { broken.append("a root with one child") }
    return broken
  }
}

extension IndexDirectory {
  fileprivate var entryCount: Int {
    var entries = 0
    for place in 0..<count where place == 0 || slots[place] != slots[place - 1] {
      let slot = slots[place]
      entries +=
        slot.isDirectory
        ? slot.directory.takeUnretainedValue().entryCount : Int(slot.bucket.takeUnretainedValue().count)
    }
    return entries
  }
}
