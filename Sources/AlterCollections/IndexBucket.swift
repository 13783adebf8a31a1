/// A group of entries of the index: a small hash table with linear probing.
///
/// Invariants: `mask + 1` slots, a power of two, of which at least one is empty; an entry is at or after the slot given by the low bits of
/// its fragment, with no empty slot between; all entries agree in the first `depth` bits of their fragments. A bucket that versions share
/// is never written to.
@usableFromInline
final class IndexBucket: ManagedBuffer<IndexBucket.Header, IndexBucket.Entry> {
  @usableFromInline
  struct Header {
    @usableFromInline var count: UInt32
    @usableFromInline let mask: UInt32
    @usableFromInline var depth: UInt32
  }

  /// A fragment (24 bits; 0: the slot is empty) and a label (40 bits), in one word.
  @usableFromInline
  struct Entry: Equatable, Sendable {
    @usableFromInline var word: UInt64

    @inlinable
    init(_ fragment: UInt32, _ label: Label) {
      word = UInt64(fragment) << 40 | UInt64(truncatingIfNeeded: label) & (1 << 40 - 1)
    }

    static let empty = Entry(0, 0)

    @inlinable var fragment: UInt32 { UInt32(truncatingIfNeeded: word &>> 40) }

    @inlinable var label: Label { Label(truncatingIfNeeded: word &<< 24) &>> 24 }
  }
}

extension IndexBucket {
  /// The number of slots in a bucket, unless it is the only one or further bits cannot distinguish its entries. A large bucket is cheap to
  /// copy, because nothing in it is retained, and keeps the directories small.
  @inlinable static var regular: UInt32 { 128 }

  static func make(slots: UInt32 = regular, depth: UInt32) -> IndexBucket {
    let bucket = IndexBucket.create(minimumCapacity: Int(slots)) { _ in Header(count: 0, mask: slots - 1, depth: depth) }
    bucket.withUnsafeMutablePointerToElements { $0.initialize(repeating: .empty, count: Int(slots)) }
    return unsafeDowncast(bucket, to: IndexBucket.self)
  }

  @inlinable var mask: UInt32 { withUnsafeMutablePointerToHeader { $0.pointee.mask } }

  var count: UInt32 { withUnsafeMutablePointerToHeader { $0.pointee.count } }

  var depth: UInt32 { withUnsafeMutablePointerToHeader { $0.pointee.depth } }

  /// The entries. The pointer is valid as long as the bucket is.
  @inlinable var entries: UnsafeMutablePointer<Entry> { withUnsafeMutablePointerToElements { $0 } }

  /// Whether another entry would make probing slow.
  var isFull: Bool { withUnsafeMutablePointerToHeader { ($0.pointee.count + 1) * 16 > ($0.pointee.mask + 1) * 13 } }

  func copy() -> IndexBucket {
    let copy = IndexBucket.make(slots: mask + 1, depth: depth)
    copy.entries.update(from: entries, count: Int(mask) + 1)
    copy.withUnsafeMutablePointerToHeader { $0.pointee.count = count }
    return copy
  }

  /// Returns a copy with twice as much room.
  func grown() -> IndexBucket {
    let grown = IndexBucket.make(slots: (mask + 1) * 2, depth: depth)
    for slot in 0...Int(mask) where entries[slot].fragment != 0 { grown.put(entries[slot]) }
    return grown
  }

  /// The entries whose next bit is 0, and those whose next bit is 1.
  func halves() -> (IndexBucket, IndexBucket) {
    let zero = IndexBucket.make(depth: depth + 1)
    let one = IndexBucket.make(depth: depth + 1)
    for slot in 0...Int(mask) where entries[slot].fragment != 0 {
      let bit = entries[slot].fragment >> (IdentityIndex.fragmentBits - 1 - depth) & 1
      (bit == 0 ? zero : one).put(entries[slot])
    }
    return (zero, one)
  }

  /// Stores an entry. At least one other slot must be empty.
  func put(_ entry: Entry) {
    var slot = entry.fragment & mask
    while entries[Int(slot)].fragment != 0 { slot = (slot + 1) & mask }
    entries[Int(slot)] = entry
    withUnsafeMutablePointerToHeader { $0.pointee.count += 1 }
  }

  func slot(of fragment: UInt32, _ label: Label) -> Int? {
    var slot = fragment & mask
    let sought = Entry(fragment, label)
    while true {
      let entry = entries[Int(slot)]
      if entry == sought { return Int(slot) }
      if entry == .empty { return nil }
      slot = (slot + 1) & mask
    }
  }

  /// Empties a slot, and moves the entries that probing would no longer find.
  func clear(_ slot: Int) {
    var hole = UInt32(slot)
    var next = hole
    while true {
      next = (next + 1) & mask
      let entry = entries[Int(next)]
      if entry.fragment == 0 { break }
      // It may move into the hole if that lies on its way, from its own slot to where it is.
      if (next &- entry.fragment & mask) & mask >= (next &- hole) & mask {
        entries[Int(hole)] = entry
        hole = next
      }
    }
    entries[Int(hole)] = .empty
    withUnsafeMutablePointerToHeader { $0.pointee.count -= 1 }
  }
}
