/// An inner node of the tree: its children in order, each a branch or a leaf.
///
/// A branch knows neither the type of the elements nor its height: the code that descends the tree counts the levels. Invariants: a child's
/// `key` is its first label, its `end` the number of elements in it and in the children before it; there is at least one child. A branch
/// that versions share is never written to.
@usableFromInline
final class Branch: ManagedBuffer<Branch.Header, Branch.Child> {
  @usableFromInline
  struct Header {
    @usableFromInline var count: UInt32
    @usableFromInline let capacity: UInt32
    /// Children per label, in units of 2^-64: the factor for guessing a label's child.
    @usableFromInline var density: UInt64
    /// Children per element, in units of 2^-64: the factor for guessing a position's child.
    @usableFromInline var pace: UInt64
    /// The number of elements before the first child: 0. It lies where the child before the first would have its `end`, so that the start of
    /// any child is read without a case for the first.
    @usableFromInline let origin: Int

    @inlinable
    init(count: Int, capacity: Int) {
      self.count = UInt32(truncatingIfNeeded: count)
      self.capacity = UInt32(truncatingIfNeeded: capacity)
      density = 0
      pace = 0
      origin = 0
    }
  }

  @usableFromInline
  struct Child {
    /// The first field: searches load it by its address, without retaining it.
    @usableFromInline var node: AnyObject
    @usableFromInline var key: Label
    /// The last field: see `Header.origin`.
    @usableFromInline var end: Int

    @inlinable
    init(node: AnyObject, key: Label, end: Int) {
      self.node = node
      self.key = key
      self.end = end
    }
  }

  @inlinable
  deinit { forEachNode { $0.release() } }
}

extension Branch {
  /// The maximum number of children of a branch. More children make the tree lower but a new version more expensive: it retains every child
  /// on its path.
  @inlinable static var maximum: Int { 1 << digitBits }

  /// The binary logarithm of ``maximum``.
  @inlinable static var digitBits: Int { 4 }

  /// The child that holds an element, if every node before it is full, as it is while elements are only appended.
  ///
  /// - Parameters:
  ///   - leaf: The number of the element's leaf.
  ///   - level: The height of the branch's children.
  @inlinable
  static func digit(of leaf: UInt, _ level: Int) -> Int {
    Int(truncatingIfNeeded: leaf &>> UInt(truncatingIfNeeded: digitBits &* level)) & (maximum &- 1)
  }

  /// A branch without children, with room for the given number.
  @inlinable
  static func make(capacity: Int) -> Branch {
    let branch = Branch.create(minimumCapacity: capacity) { _ in Header(count: 0, capacity: capacity) }
    return unsafeDowncast(branch, to: Branch.self)
  }

  @inlinable var count: Int {
    get { withUnsafeMutablePointerToHeader { Int($0.pointee.count) } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.count = UInt32(truncatingIfNeeded: newValue) } }
  }

  /// The number of children for which there is room.
  @inlinable var room: Int { withUnsafeMutablePointerToHeader { Int($0.pointee.capacity) } }

  /// The children. The pointer is valid as long as the branch is.
  @inlinable var children: UnsafeMutablePointer<Child> { withUnsafeMutablePointerToElements { $0 } }

  /// The number of elements in the whole branch.
  @inlinable var total: Int { children[count - 1].end }

  /// The number of elements before a child.
  @inlinable func start(of child: Int) -> Int {
    #if _pointerBitWidth(_64)
      UnsafeRawPointer(children + child).load(fromByteOffset: -MemoryLayout<Int>.stride, as: Int.self)
    #else
      // With pointers of 32 bits (watchOS) there is padding between the two.
      child == 0 ? 0 : children[child &- 1].end
    #endif
  }

  /// A child, not retained.
  @inlinable func node(_ child: Int) -> UnsafeRawPointer { UnsafeRawPointer(children + child).load(as: UnsafeRawPointer.self) }

  /// The child that holds a label, if any does.
  ///
  /// Appended elements have evenly spaced labels, so the guess is exact for them; otherwise it is close.
  @inlinable
  func child(for label: Label) -> Int {
    let children = self.children
    let last = count &- 1
    let density = withUnsafeMutablePointerToHeader { $0.pointee.density }
    let offset = UInt64(truncatingIfNeeded: Swift.max(0, label &- children[0].key))
    var child = Swift.min(Int(truncatingIfNeeded: offset.multipliedFullWidth(by: density).high), last)
    while child > 0, children[child].key > label { child &-= 1 }
    while child < last, children[child &+ 1].key <= label { child &+= 1 }
    return child
  }

  /// The child that holds a label, if any does. A guess that is right saves the time until the branch's header is loaded.
  @inlinable
  func child(for label: Label, guessing guess: Int) -> Int {
    let children = self.children
    let last = count &- 1
    guard guess <= last else { return child(for: label) }
    let next = children[Swift.min(guess &+ 1, last)].key
    // Negative if the label is before the child, or if it is in the next child or after it and there is one.
    let room = (label &- children[guess].key) | ((next &- label &- 1) & Label(truncatingIfNeeded: guess &- last))
    return room >= 0 ? guess : child(for: label)
  }

  /// The child that holds the element at a position. A guess that is right saves the time until the branch's header is loaded.
  @inlinable
  func child(at position: Int, guessing guess: Int) -> Int {
    guard guess < count else { return child(at: position) }
    let room = (position &- start(of: guess)) | (children[guess].end &- position &- 1)
    return room >= 0 ? guess : child(at: position)
  }

  /// The child that holds the element at a position.
  ///
  /// Appended elements fill their children, so the guess is exact for them; otherwise it is close.
  @inlinable
  func child(at position: Int) -> Int {
    let children = self.children
    let last = count &- 1
    let pace = withUnsafeMutablePointerToHeader { $0.pointee.pace }
    var child = Swift.min(Int(truncatingIfNeeded: UInt64(truncatingIfNeeded: position).multipliedFullWidth(by: pace).high), last)
    while child > 0, children[child &- 1].end > position { child &-= 1 }
    while child < last, children[child].end <= position { child &+= 1 }
    return child
  }

  /// The child that receives an element to be inserted at a position: at the end of one child rather than at the start of the next.
  @inlinable
  func child(takingAt position: Int) -> Int { position == 0 ? 0 : position == total ? count - 1 : child(at: position - 1) }

  /// Calls a closure with each child.
  ///
  /// To retain and release the children one by one takes half the time of copying and destroying an array of ``Child``, whose nodes are
  /// reached through the type's witnesses.
  @inlinable
  func forEachNode(_ body: (Unmanaged<AnyObject>) -> Void) {
    for place in 0..<count { body(Unmanaged.fromOpaque(node(place))) }
  }

  /// A copy of a part of this branch.
  @usableFromInline
  func copy(_ range: Range<Int>, capacity: Int) -> Branch {
    let copy = Branch.make(capacity: capacity)
    let bytes = range.count &* MemoryLayout<Child>.stride
    UnsafeMutableRawPointer(copy.children).copyMemory(from: children + range.lowerBound, byteCount: bytes)
    copy.count = range.count
    copy.forEachNode { _ = $0.retain() }
    if range.count == count {
      // A whole copy has the same relations: measuring them takes three divisions.
      let header = withUnsafeMutablePointerToHeader { $0.pointee }
      copy.withUnsafeMutablePointerToHeader { ($0.pointee.density, $0.pointee.pace) = (header.density, header.pace) }
    } else {
      copy.shiftEnds(from: 0, by: -start(of: range.lowerBound))
      copy.measure()
    }
    return copy
  }

  @inlinable
  func shiftEnds(from first: Int, by difference: Int) {
    let children = self.children
    for child in first..<Swift.max(first, count) { children[child].end += difference }
    measureEnds()
  }

  /// Records the relation of children and labels, and that of children and positions, after children have come or gone.
  @inlinable
  func measure() {
    // Rounded up, so that an offset which is right at a child's start leads to that child.
    let span = UInt64(truncatingIfNeeded: children[count - 1].key &- children[0].key)
    let density = span > UInt64(Branch.maximum) ? (UInt64.max / span + 1) &* UInt64(truncatingIfNeeded: count - 1) : 0
    withUnsafeMutablePointerToHeader { $0.pointee.density = density }
    measureEnds()
  }

  /// Records the relation of children and positions, after ends have changed. The last child is left out: while elements are appended, it is
  /// the only one that is not full.
  @inlinable
  func measureEnds() {
    let full = count &- 1
    let size = full > 0 ? UInt64(truncatingIfNeeded: children[full &- 1].end) : 0
    let pace = size > UInt64(Branch.maximum) ? (UInt64.max / size &+ 1) &* UInt64(truncatingIfNeeded: full) : 0
    withUnsafeMutablePointerToHeader { $0.pointee.pace = pace }
  }

  /// Inserts a child. There must be room, and `end` counts the elements before it in this branch.
  @usableFromInline
  func insert(_ child: Child, at place: Int) {
    (children + place + 1).moveInitialize(from: children + place, count: count - place)
    (children + place).initialize(to: child)
    count += 1
    measure()
  }

  /// Removes a child. The ends of the others stay unchanged: the child must be empty, or joined to the one before it.
  @usableFromInline
  func remove(at place: Int) {
    (children + place).deinitialize(count: 1)
    (children + place).moveInitialize(from: children + place + 1, count: count - place - 1)
    count -= 1
    if count > 0 { measure() }
  }

  /// Removes the children from a position on.
  @usableFromInline
  func truncate(to place: Int) {
    (children + place).deinitialize(count: count - place)
    count = place
    measure()
  }

  /// Appends the children of another branch. There must be room.
  @usableFromInline
  func append(contentsOf other: Branch) {
    let before = total
    let first = count
    (children + first).initialize(from: other.children, count: other.count)
    count += other.count
    shiftEnds(from: first, by: before)
    measure()
  }
}
