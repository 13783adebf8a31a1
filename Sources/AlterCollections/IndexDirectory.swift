/// A node of the index: `2^bits` slots, each the address of a bucket or of a further directory.
///
/// A bucket that needs fewer bits than the directory distinguishes fills several neighbouring slots. It is retained once for all of
/// them, so that a bucket of one version only can be told from a shared one by its reference count. Further directories exist
/// only in directories of the most bits, one slot each. A directory that is shared is never written to.
@usableFromInline
final class IndexDirectory: ManagedBuffer<IndexDirectory.Header, UnsafeRawPointer> {
  @usableFromInline
  struct Header {
    /// How many bits of a fragment this directory distinguishes.
    @usableFromInline let bits: UInt32
    /// How many bits come after them.
    @usableFromInline let shift: UInt32
    /// Which slots hold further directories, a bit each.
    @usableFromInline var directories: UInt32
  }

  deinit { forEachNode { $0.release() } }
}

extension IndexDirectory {
  static var mostBits: UInt32 { 5 }

  /// A directory whose slots are not yet filled.
  static func make(bits: UInt32, shift: UInt32) -> IndexDirectory {
    let directory = IndexDirectory.create(minimumCapacity: 1 << Int(bits)) { _ in Header(bits: bits, shift: shift, directories: 0) }
    return unsafeDowncast(directory, to: IndexDirectory.self)
  }

  @inlinable var slots: UnsafeMutablePointer<UnsafeRawPointer> { withUnsafeMutablePointerToElements { $0 } }

  var count: Int { 1 << Int(header.bits) }

  /// The slot for a fragment.
  @inlinable
  func slot(for fragment: UInt32) -> Int {
    withUnsafeMutablePointerToHeader { Int(fragment &>> $0.pointee.shift & (1 &<< $0.pointee.bits &- 1)) }
  }

  @inlinable
  func isDirectory(_ slot: Int) -> Bool {
    withUnsafeMutablePointerToHeader { $0.pointee.directories &>> UInt32(truncatingIfNeeded: slot) & 1 != 0 }
  }

  func bucket(_ slot: Int) -> IndexBucket { Unmanaged<IndexBucket>.fromOpaque(slots[slot]).takeUnretainedValue() }

  /// The slots that hold the same bucket as a slot.
  func run(of slot: Int) -> Range<Int> {
    let width = 1 << Int(32 - header.shift - bucket(slot).depth)
    let first = slot & ~(width - 1)
    return first..<first + width
  }

  /// Calls a closure with each node in the slots, once.
  func forEachNode(_ body: (Unmanaged<AnyObject>) -> Void) {
    for slot in 0..<count where slot == 0 || slots[slot] != slots[slot - 1] { body(Unmanaged.fromOpaque(slots[slot])) }
  }

  func copy() -> IndexDirectory {
    let copy = IndexDirectory.make(bits: header.bits, shift: header.shift)
    copy.slots.initialize(from: slots, count: count)
    copy.header.directories = header.directories
    copy.forEachNode { _ = $0.retain() }
    return copy
  }

  /// A copy that distinguishes one more bit.
  func doubled() -> IndexDirectory {
    let doubled = IndexDirectory.make(bits: header.bits + 1, shift: header.shift - 1)
    for slot in 0..<doubled.count { (doubled.slots + slot).initialize(to: slots[slot / 2]) }
    doubled.forEachNode { _ = $0.retain() }
    return doubled
  }

  /// Puts a node into slots that held another one, which is released.
  func replace(_ run: Range<Int>, with node: AnyObject) {
    let old = Unmanaged<AnyObject>.fromOpaque(slots[run.lowerBound])
    let new = UnsafeRawPointer(Unmanaged.passRetained(node).toOpaque())
    for slot in run { slots[slot] = new }
    old.release()
  }

  /// Puts two nodes into the halves of slots that held another one, which is released.
  func replace(_ run: Range<Int>, with left: AnyObject, _ right: AnyObject) {
    let middle = run.lowerBound + run.count / 2
    let new = UnsafeRawPointer(Unmanaged.passRetained(right).toOpaque())
    for slot in middle..<run.upperBound { slots[slot] = new }
    replace(run.lowerBound..<middle, with: left)
  }
}
