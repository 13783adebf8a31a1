// Labels are handed out so that there is nearly always room for another between two. Where there is none, elements are labelled
// anew: those of the smallest node around the place in which there is room enough, so that the work stays O(log n) per insertion
// on average.
//
// Source of the idea: M. A. Bender et al., "Two simplified algorithms for maintaining order in a list" (2002).

extension Tree {
  /// Returns a label for an element to be inserted at a position, or nil if there is no room: make room first then.
  @inlinable
  func label(forInsertionAt position: Int) -> Label? {
    if count == 0 { return 0 }
    if position == count {
      let last = lastLeaf._withUnsafeGuaranteedRef { $0.labels[$0.count - 1] }
      return last < Label.limit ? last + Label.gap : nil
    }
    if position == 0 {
      let first = spot(at: 0).label
      return first > -Label.limit ? first - Label.gap : nil
    }
    let before = spot(at: position - 1).label
    let after = spot(at: position).label
    return after - before < 2 ? nil : before + (after - before) / 2
  }

  /// Relabels elements, so that there is room at a position.
  ///
  /// - Parameters:
  ///   - position: The position for the insertion.
  ///   - renamed: Receives the old and the new label of every relabelled element.
  @inlinable
  mutating func makeRoom(at position: Int, renamed: (Element, Label, Label) -> Void) {
    guard count > 0 else { return }
    let made = Self.makeRoom(
      at: position, in: &root!, level: height, after: nil, before: nil, renamed: renamed)
    guard !made else { return }
    var next: Label = 0
    let step = Swift.min(Label.gap, Label.limit / Label(count))
    Self.label(&root!, level: height, next: &next, step: step, renamed: renamed)
  }

  /// - Parameters:
  ///   - low: The last label before the node; nil if it is the first.
  ///   - high: The first label after the node; nil if it is the last.
  /// - Returns: Whether there is room now; otherwise nothing is changed.
  @inlinable
  static func makeRoom(
    at position: Int, in node: inout AnyObject, level: Int, after low: Label?, before high: Label?,
    renamed: (Element, Label, Label) -> Void
  ) -> Bool {
    if level > 0 {
      own(&node, level: level)
      let branch = unsafeDowncast(node, to: Branch.self)
      let children = branch.children
      let place = branch.child(takingAt: position)
      let before = place == 0 ? low : lastLabel(of: children[place - 1].node, level: level - 1)
      let after = place + 1 == branch.count ? high : children[place + 1].key
      let made = makeRoom(
        at: position - branch.start(of: place), in: &children[place].node, level: level - 1, after: before, before: after,
        renamed: renamed)
      if made {
        children[place].key = firstLabel(of: children[place].node, level: level - 1)
        branch.measure()
        return true
      }
    }
    // Beyond an end of the whole there is room, up to the limit. (If both ends are meant, everything is labelled anew.)
    guard low != nil || high != nil else { return false }
    let size = Label(size(of: node, level: level))
    let low = low ?? firstLabel(of: node, level: level) - Label.gap * size
    let high = high ?? lastLabel(of: node, level: level) + Label.gap * size
    guard low >= -Label.limit, high <= Label.limit else { return false }
    let step = (high - low) / (size + 1)
    // The higher the node, the more room is asked for, so that its parts have enough for a while.
    guard step >= 1 << Swift.min(2 + 2 * Label(level), 8) else { return false }
    var next = low + step
    label(&node, level: level, next: &next, step: step, renamed: renamed)
    return true
  }

  @inlinable
  static func lastLabel(of node: AnyObject, level: Int) -> Label {
    if level == 0 {
      let leaf = unsafeDowncast(node, to: Leaf<Element>.self)
      return leaf.labels[leaf.count - 1]
    }
    let branch = unsafeDowncast(node, to: Branch.self)
    return lastLabel(of: branch.children[branch.count - 1].node, level: level - 1)
  }

  /// Labels the elements of a node with `next`, `next + step`, ….
  @inlinable
  static func label(
    _ node: inout AnyObject, level: Int, next: inout Label, step: Label, renamed: (Element, Label, Label) -> Void
  ) {
    own(&node, level: level)
    if level == 0 {
      let leaf = unsafeDowncast(node, to: Leaf<Element>.self)
      for place in 0..<leaf.count {
        if leaf.labels[place] != next { renamed(leaf.elements[place], leaf.labels[place], next) }
        leaf.labels[place] = next
        next += step
      }
    } else {
      let branch = unsafeDowncast(node, to: Branch.self)
      for child in 0..<branch.count {
        branch.children[child].key = next
        label(&branch.children[child].node, level: level - 1, next: &next, step: step, renamed: renamed)
      }
      branch.measure()
    }
  }
}
