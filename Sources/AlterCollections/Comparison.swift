extension IdentityArray where Element: Equatable {
  /// The implementation of ``changes(from:)``: finds the differences of two versions.
  ///
  /// It traverses both trees side by side, in the order of the labels, and skips shared nodes. An element whose label has the same identity
  /// in both versions is *matched*. Every other element is a *candidate*: it was inserted, was removed, has moved, or received another
  /// label. (A label alone proves nothing: after a removal, another element may receive the label.) Matched elements are in the same order
  /// in both versions, so moves are found among the candidates and the *runs* of matched elements between them.
  @usableFromInline
  struct Comparison {
    /// A unit that keeps its internal order: a run of matched elements, or one element that is a candidate in both versions.
    @usableFromInline
    struct Block {
      @usableFromInline var older: Int
      @usableFromInline var newer: Int
      @usableFromInline var count: Int

      @inlinable
      init(older: Int, newer: Int, count: Int) {
        self.older = older
        self.newer = newer
        self.count = count
      }
    }

    @usableFromInline let older: IdentityArray
    @usableFromInline let newer: IdentityArray
    @usableFromInline var runs: [Block] = []
    @usableFromInline var isRunOpen = false
    @usableFromInline var leaving: [(element: Element, position: Int)] = []
    @usableFromInline var arriving: [(element: Element, position: Int)] = []
    /// The steps that belong to a position in the newer version. Updates are separate, because they follow a move.
    @usableFromInline var placed: [(position: Int, step: Step)] = []
    @usableFromInline var updates: [(position: Int, step: Step)] = []

    @inlinable
    init(older: IdentityArray, newer: IdentityArray) {
      self.older = older
      self.newer = newer
    }

    @inlinable
    mutating func steps() -> [Step] {
      walk()
      var places: [Element.ID: Int] = [:]
      for (place, (element, _)) in leaving.enumerated() { places[element.id] = place }
      var pairs: [Block] = []
      var isPaired = Array(repeating: false, count: leaving.count)
      for (element, position) in arriving {
        guard let place = places[element.id] else {
          placed.append((position, .inserted(element, at: position)))
          continue
        }
        let (old, oldPosition) = leaving[place]
        isPaired[place] = true
        pairs.append(Block(older: oldPosition, newer: position, count: 1))
        if old != element { updates.append((position, .updated(from: old, to: element))) }
      }
      if !pairs.isEmpty { findMoves(pairs) }
      placed += updates
      var steps: [Step] = []
      steps.reserveCapacity(leaving.count - pairs.count + placed.count)
      for (place, (element, position)) in leaving.enumerated() where !isPaired[place] {
        steps.append(.removed(element, from: position))
      }
      // At one position a move comes before an update: the sort is stable.
      placed.sort { $0.position < $1.position }
      // A key path would be made at run time.
      steps += placed.lazy.map { $0.step }
      return steps
    }

    @inlinable
    mutating func walk() {
      var old = Tree<Element>.Cursor(older.tree)
      var new = Tree<Element>.Cursor(newer.tree)
      while !old.isAtEnd || !new.isAtEnd {
        if new.isAtEnd || (!old.isAtEnd && old.level < 0 && old.label < new.label) {
          if old.level < 0 {
            leave(old.element.pointee, old.position)
            old.skip()
          } else {
            old.descend()
          }
        } else if old.isAtEnd || (new.level < 0 && new.label < old.label) {
          if new.level < 0 {
            arrive(new.element.pointee, new.position)
            new.skip()
          } else {
            new.descend()
          }
        } else if old.isSame(as: new) {
          match(old.size, old.position, new.position)
          old.skip()
          new.skip()
        } else if old.level < 0, new.level < 0 {
          let (before, after) = (old.element.pointee, new.element.pointee)
          if before.id == after.id {
            match(1, old.position, new.position)
            if before != after { updates.append((new.position, .updated(from: before, to: after))) }
          } else {
            leave(before, old.position)
            arrive(after, new.position)
          }
          old.skip()
          new.skip()
        } else if old.level != new.level {
          // The higher one goes down, until both are before nodes of one height.
          if old.level > new.level { old.descend() } else { new.descend() }
        } else {
          let (first, second) = (old.label, new.label)
          if first <= second { old.descend() }
          if second <= first { new.descend() }
        }
      }
    }

    @inlinable
    mutating func match(_ count: Int, _ older: Int, _ newer: Int) {
      if isRunOpen {
        runs[runs.count - 1].count += count
      } else {
        runs.append(Block(older: older, newer: newer, count: count))
        isRunOpen = true
      }
    }

    @inlinable
    mutating func leave(_ element: Element, _ position: Int) {
      leaving.append((element, position))
      isRunOpen = false
    }

    @inlinable
    mutating func arrive(_ element: Element, _ position: Int) {
      arriving.append((element, position))
      isRunOpen = false
    }

    /// Finds the blocks that moved: all blocks outside the heaviest selection whose order is the same in both versions.
    @inlinable
    mutating func findMoves(_ pairs: [Block]) {
      var blocks = runs + pairs
      blocks.sort { $0.older < $1.older }
      let isUnmoved = Self.heaviestIncreasing(blocks)
      for (place, block) in blocks.enumerated() where !isUnmoved[place] {
        for offset in 0..<block.count {
          let position = block.newer + offset
          placed.append((position, .moved(newer[position].id, from: block.older + offset, to: position)))
        }
      }
    }

    /// Returns a selection of blocks with increasing newer positions and the largest possible number of elements.
    ///
    /// The best selection that ends with a block is the best selection that ends before it, plus the block. A Fenwick tree over the ranks
    /// of the newer positions holds the best so far. Source: P. M. Fenwick, "A new data structure for cumulative frequency tables" (1994),
    /// with maxima in place of sums.
    ///
    /// - Parameter blocks: The blocks in the order of the older version.
    /// - Returns: For each block, whether it is selected.
    /// - Complexity: O(m log m) for m blocks.
    @inlinable
    static func heaviestIncreasing(_ blocks: [Block]) -> [Bool] {
      var rank = Array(repeating: 0, count: blocks.count)
      for (place, block) in blocks.indices.sorted(by: { blocks[$0].newer < blocks[$1].newer }).enumerated() { rank[block] = place + 1 }
      var weight = Array(repeating: 0, count: blocks.count)
      var previous = Array(repeating: -1, count: blocks.count)
      // The block that ends the best selection among the ranks that a node of the Fenwick tree stands for.
      var best = Array(repeating: -1, count: blocks.count + 1)
      for (place, block) in blocks.enumerated() {
        var below = -1
        var node = rank[place] - 1
        while node > 0 {
          if best[node] >= 0, below < 0 || weight[best[node]] > weight[below] { below = best[node] }
          node &= node - 1
        }
        weight[place] = block.count + (below < 0 ? 0 : weight[below])
        previous[place] = below
        node = rank[place]
        while node <= blocks.count {
          if best[node] < 0 || weight[place] > weight[best[node]] { best[node] = place }
          node += node & -node
        }
      }
      var isSelected = Array(repeating: false, count: blocks.count)
      var place = weight.indices.max { weight[$0] < weight[$1] } ?? -1
      while place >= 0 {
        isSelected[place] = true
        place = previous[place]
      }
      return isSelected
    }
  }
}
