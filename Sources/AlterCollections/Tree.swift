/// The elements in order: a B+tree that can be searched by position and by label. Versions share its nodes.
///
/// A node with a single reference is changed in place. A shared node is copied first, together with the path to it. A change therefore
/// costs O(log n), whether or not an older version is kept.
///
/// Invariants: there is a root unless there are no elements; all leaves are `height` steps from it; labels increase along the leaves.
///
/// The type is Sendable although nodes are classes: nodes that two trees share are never written to.
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

  /// A position in a leaf. Valid while the tree is held and not changed.
  @usableFromInline
  struct Spot {
    @usableFromInline let leaf: Unmanaged<Leaf<Element>>
    @usableFromInline let place: Int

    @inlinable
    init(_ leaf: Unmanaged<Leaf<Element>>, _ place: Int) {
      self.leaf = leaf
      self.place = place
    }

    @inlinable var element: UnsafeMutablePointer<Element> { leaf._withUnsafeGuaranteedRef { $0.elements + place } }
    @inlinable var label: Label { leaf._withUnsafeGuaranteedRef { $0.labels[place] } }
  }

  /// The location of an element that was searched by its label. Valid while the tree is held and not changed.
  @usableFromInline
  struct Location {
    @usableFromInline let spot: Spot
    /// The children that lead to the leaf, `Branch.digitBits` each, the lowest for the branch just above it.
    @usableFromInline let path: UInt64
    /// The number of elements before the leaf.
    @usableFromInline let start: Int

    @inlinable
    init(_ spot: Spot, path: UInt64, start: Int) {
      self.spot = spot
      self.path = path
      self.start = start
    }

    /// The element's label. (It may differ from the label that led to it: where hashes collide, that may be another element's.)
    @inlinable var label: Label { spot.label }
    @inlinable var position: Int { start + spot.place }
    @inlinable var element: UnsafeMutablePointer<Element> { spot.element }
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

  /// The location of the element at a position. The position must be valid.
  @inlinable
  func spot(at position: Int) -> Spot {
    var node = base
    var rest = position
    var level = height
    let number = UInt(bitPattern: position) / UInt(bitPattern: Leaf<Element>.maximum)
    while level > 0 {
      level &-= 1
      Self.branch(node)._withUnsafeGuaranteedRef { branch in
        let child = branch.child(at: rest, guessing: Branch.digit(of: number, level))
        rest &-= branch.start(of: child)
        node = branch.node(child)
      }
    }
    return Spot(Self.leaf(node), rest)
  }

  /// The branch just above the leaf that holds a position, and the index of the child. The tree must have a height.
  @inlinable
  func parent(at position: Int) -> (branch: Unmanaged<Branch>, child: Int) {
    var node = base
    var rest = position
    var level = height
    while true {
      let child = Self.branch(node)._withUnsafeGuaranteedRef { branch in
        let child = branch.child(at: rest)
        rest -= branch.start(of: child)
        return child
      }
      level -= 1
      if level == 0 { return (Self.branch(node), child) }
      node = Self.branch(node)._withUnsafeGuaranteedRef { $0.node(child) }
    }
  }

  /// The last leaf. There must be one.
  @inlinable var lastLeaf: Unmanaged<Leaf<Element>> {
    var node = base
    var level = height
    while level > 0 {
      node = Self.branch(node)._withUnsafeGuaranteedRef { $0.node($0.count - 1) }
      level -= 1
    }
    return Self.leaf(node)
  }

  /// The leaf that contains a label, if any does, and a guess at its position there.
  @inlinable
  func guess(_ label: Label) -> Location {
    var node = base
    guard height > 0 else { return Self.leaf(node)._withUnsafeGuaranteedRef { Self.guess(label, $0, $0.labels[0], $0.count, 0, 0) } }
    var start = 0
    var path: UInt64 = 0
    var key: Label = 0
    var size = 0
    var level = height
    let number = Self.leafNumber(of: label)
    while level > 0 {
      level &-= 1
      Self.branch(node)._withUnsafeGuaranteedRef { branch in
        let place = branch.child(for: label, guessing: Branch.digit(of: number, level))
        let before = branch.start(of: place)
        let child = branch.children + place
        start &+= before
        path = path &<< UInt64(Branch.digitBits) | UInt64(truncatingIfNeeded: place)
        size = child.pointee.end &- before
        key = child.pointee.key
        node = branch.node(place)
      }
    }
    // The leaf itself is not yet looked at: its header would be one more cache miss.
    return Self.leaf(node)._withUnsafeGuaranteedRef { Self.guess(label, $0, key, size, start, path) }
  }

  @inlinable
  static func guess(_ label: Label, _ leaf: Leaf<Element>, _ first: Label, _ count: Int, _ start: Int, _ path: UInt64) -> Location {
    // As in a branch, the guess for a full leaf does not wait until the key is loaded.
    let number = leafNumber(of: label) &* UInt(bitPattern: Leaf<Element>.maximum)
    var place = Int(label &>> Label.gapBits) &- Int(bitPattern: number)
    if place >= count || first != Label(truncatingIfNeeded: number) &<< Label.gapBits {
      place = Swift.max(0, Swift.min(Int((label &- first) &>> Label.gapBits), count &- 1))
    }
    return Location(Spot(Unmanaged.passUnretained(leaf), place), path: path, start: start)
  }

  /// The number of the leaf with a label, if all elements were appended.
  @inlinable
  static func leafNumber(of label: Label) -> UInt {
    UInt(truncatingIfNeeded: label &>> Label.gapBits) / UInt(bitPattern: Leaf<Element>.maximum)
  }

  /// The actual position of a label near a guess.
  @inlinable
  func location(of label: Label, near guess: Location) -> Location? {
    guess.spot.leaf._withUnsafeGuaranteedRef { leaf in
      guard let place = leaf.place(of: label, near: guess.spot.place) else { return nil }
      return Location(Spot(guess.spot.leaf, place), path: guess.path, start: guess.start)
    }
  }

  /// Calls a closure with every run of neighbouring elements, in order.
  @inlinable
  func forEachRun(_ body: (UnsafeBufferPointer<Element>) throws -> Void) rethrows {
    defer { withExtendedLifetime(root) {} }
    guard root != nil else { return }
    try Self.forEachRun(base, level: height, body)
  }

  @inlinable
  static func forEachRun(_ node: UnsafeRawPointer, level: Int, _ body: (UnsafeBufferPointer<Element>) throws -> Void) rethrows {
    if level == 0 {
      try body(leaf(node)._withUnsafeGuaranteedRef { UnsafeBufferPointer(start: $0.elements, count: $0.count) })
    } else {
      let (children, count) = branch(node)._withUnsafeGuaranteedRef { ($0.children, $0.count) }
      for child in 0..<count {
        try forEachRun(UnsafeRawPointer(children + child).load(as: UnsafeRawPointer.self), level: level - 1, body)
      }
    }
  }
}

// MARK: - Writing in place

extension Tree {
  /// Whether a node is uniquely referenced.
  ///
  /// In the Swift 6 language mode an `AnyObject` passed to the generic function is opened first, and the opened copy is a second reference:
  /// the result would always be false. The variable is therefore accessed as one of a class type. The choice of the class does not affect
  /// the count.
  @inlinable
  static func isAlone(_ node: inout AnyObject) -> Bool {
    withUnsafeMutablePointer(to: &node) {
      isKnownUniquelyReferenced(&UnsafeMutableRawPointer($0).assumingMemoryBound(to: Branch.self).pointee)
    }
  }

  /// Ensures that a node is uniquely referenced, by copying it if necessary.
  @inlinable
  static func own(_ node: inout AnyObject, level: Int) {
    guard !isAlone(&node) else { return }
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

  /// The element that most likely has a label, ready for writing: one descent finds the path and makes it unique.
  ///
  /// The caller checks whether it is the right element. If not, the copied nodes are equivalent to their originals.
  ///
  /// The tree must have a height.
  @inlinable
  @inline(__always)
  mutating func mutable(guessing label: Label) -> UnsafeMutablePointer<Element> {
    Self.own(&root!, level: height)
    var level = height
    var branch = Self.branch(base)
    let number = Self.leafNumber(of: label)
    while true {
      level &-= 1
      let (children, place, start) = branch._withUnsafeGuaranteedRef { branch in
        let place = branch.child(for: label, guessing: Branch.digit(of: number, level))
        return (branch.children, place, branch.start(of: place))
      }
      let child = children + place
      Self.own(&child.pointee.node, level: level)
      let node = UnsafeRawPointer(child).load(as: UnsafeRawPointer.self)
      guard level == 0 else {
        branch = Self.branch(node)
        continue
      }
      let size = child.pointee.end &- start
      return Self.leaf(node)._withUnsafeGuaranteedRef { Self.guess(label, $0, child.pointee.key, size, 0, 0) }.element
    }
  }

  /// The element at a location that a search has found, ready for writing: shared nodes on the path to it are copied.
  ///
  /// - Parameter location: The location; it is invalid afterwards.
  @inlinable
  mutating func mutable(_ location: Location) -> UnsafeMutablePointer<Element> {
    if height == 0 {
      Self.own(&root!, level: 0)
      return unsafeDowncast(root.unsafelyUnwrapped, to: Leaf<Element>.self).elements + location.spot.place
    }
    Self.own(&root!, level: height)
    var node = base
    var level = height
    while level > 0 {
      level -= 1
      Self.branch(node)._withUnsafeGuaranteedRef { branch in
        let child =
          branch.children
          + Int(truncatingIfNeeded: location.path &>> UInt64(truncatingIfNeeded: Branch.digitBits &* level) & UInt64(Branch.maximum &- 1))
        Self.own(&child.pointee.node, level: level)
        node = UnsafeRawPointer(child).load(as: UnsafeRawPointer.self)
      }
    }
    return Self.leaf(node)._withUnsafeGuaranteedRef { $0.elements } + location.spot.place
  }
}
