/// A node of the index: `2^bits` slots, each with a bucket or a further directory.
///
/// A bucket that needs fewer bits than the directory distinguishes fills several neighbouring slots. It is retained once for all of them,
/// so that its reference count distinguishes a bucket of one version from a shared one. Further directories exist only in directories with
/// the maximum number of bits, one slot each. A directory that versions share is never written to.
@usableFromInline
final class IndexDirectory: ManagedBuffer<IndexDirectory.Header, IndexDirectory.Slot> {
  @usableFromInline
  struct Header {
    /// The number of bits of a fragment that this directory distinguishes.
    @usableFromInline let bits: UInt32
    /// The number of bits after them.
    @usableFromInline let shift: UInt32
    /// The seed for hashing ids, a copy of the root's.
    @usableFromInline let seed: Seed
  }

  /// The address of a node and, in its lowest four bits, which an address leaves free, the kind of the node: for a directory 1 and, above
  /// that bit, its number of bits; for a bucket 0, or 2 if it is not a regular one. A search therefore need not read the node's header,
  /// which would be one more cache miss.
  @usableFromInline
  struct Slot: Equatable {
    @usableFromInline let word: UInt

    init(_ node: IndexDirectory) { self.init(node, UInt(node.bits) << 1 | 1) }

    init(_ node: IndexBucket) { self.init(node, node.mask + 1 == IndexBucket.regular ? 0 : 2) }

    private init(_ node: AnyObject, _ kind: UInt) {
      let address = UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque())
      precondition(address & 15 == 0 && kind < 16, "An object is not aligned to 16 bytes.")
      word = address | kind
    }

    @inlinable var isDirectory: Bool { word & 1 != 0 }

    /// The number of bits of a directory.
    @inlinable var bits: UInt32 { UInt32(truncatingIfNeeded: word &>> 1 & 7) }

    /// Whether a bucket has the regular number of slots, as nearly all have.
    @inlinable var isRegular: Bool { word & 2 == 0 }

    @inlinable var address: UnsafeRawPointer { UnsafeRawPointer(bitPattern: word & ~15).unsafelyUnwrapped }

    @inlinable var directory: Unmanaged<IndexDirectory> { Unmanaged.fromOpaque(address) }

    @inlinable var bucket: Unmanaged<IndexBucket> { Unmanaged.fromOpaque(address) }

    var node: Unmanaged<AnyObject> { Unmanaged.fromOpaque(address) }

    /// Whether the node has a single reference.
    var isAlone: Bool {
      // The check wants a variable with a reference in it: this one has its bits, and retains nothing.
      var reference = address
      return withUnsafeMutableBytes(of: &reference) {
        isKnownUniquelyReferenced(&$0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: IndexDirectory.self).pointee)
      }
    }
  }

  deinit { forEachNode { $0.release() } }
}

extension IndexDirectory {
  /// The maximum number of bits. More bits mean fewer directories per search, but a more expensive copy.
  static var mostBits: UInt32 { 6 }

  /// Creates a directory whose slots are not yet filled.
  static func make(bits: UInt32, shift: UInt32, seed: Seed) -> IndexDirectory {
    let directory = IndexDirectory.create(minimumCapacity: 1 << Int(bits)) { _ in Header(bits: bits, shift: shift, seed: seed) }
    return unsafeDowncast(directory, to: IndexDirectory.self)
  }

  @inlinable var slots: UnsafeMutablePointer<Slot> { withUnsafeMutablePointerToElements { $0 } }

  @inlinable var bits: UInt32 { withUnsafeMutablePointerToHeader { $0.pointee.bits } }

  @inlinable var shift: UInt32 { withUnsafeMutablePointerToHeader { $0.pointee.shift } }

  @inlinable var seed: Seed { withUnsafeMutablePointerToHeader { $0.pointee.seed } }

  var count: Int { 1 << Int(bits) }

  /// The position of the slot for a fragment.
  @inlinable
  func place(of fragment: UInt32) -> Int { Int(fragment &>> shift & (1 &<< bits &- 1)) }

  /// The positions of all slots that hold the same bucket as the given one.
  func run(of place: Int) -> Range<Int> {
    let depth = slots[place].bucket._withUnsafeGuaranteedRef { $0.depth }
    let width = 1 &<< Int(IdentityIndex.fragmentBits &- shift &- depth)
    let first = place & ~(width &- 1)
    return first..<first &+ width
  }

  /// Calls a closure with each node in the slots, once.
  func forEachNode(_ body: (Unmanaged<AnyObject>) -> Void) {
    for place in 0..<count where place == 0 || slots[place] != slots[place - 1] { body(slots[place].node) }
  }

  func copy() -> IndexDirectory {
    let copy = IndexDirectory.make(bits: bits, shift: shift, seed: seed)
    copy.slots.initialize(from: slots, count: count)
    copy.forEachNode { _ = $0.retain() }
    return copy
  }

  /// A copy that distinguishes one more bit.
  func doubled() -> IndexDirectory {
    let doubled = IndexDirectory.make(bits: bits + 1, shift: shift - 1, seed: seed)
    for place in 0..<doubled.count { (doubled.slots + place).initialize(to: slots[place / 2]) }
    doubled.forEachNode { _ = $0.retain() }
    return doubled
  }

  /// Stores a node in slots that held another one, which is released.
  ///
  /// - Parameter slot: The new node, already retained for this.
  func replace(_ run: Range<Int>, with slot: Slot) {
    let old = slots[run.lowerBound].node
    for place in run { slots[place] = slot }
    old.release()
  }

  func replace(_ run: Range<Int>, with bucket: IndexBucket) {
    _ = Unmanaged.passRetained(bucket)
    replace(run, with: Slot(bucket))
  }

  func replace(_ place: Int, with directory: IndexDirectory) {
    _ = Unmanaged.passRetained(directory)
    replace(place..<place + 1, with: Slot(directory))
  }

  /// Stores two buckets in the halves of slots that held another one, which is released.
  func replace(_ run: Range<Int>, with left: IndexBucket, _ right: IndexBucket) {
    let middle = run.lowerBound + run.count / 2
    _ = Unmanaged.passRetained(right)
    for place in middle..<run.upperBound { slots[place] = Slot(right) }
    replace(run.lowerBound..<middle, with: left)
  }
}
