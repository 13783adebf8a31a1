/// The map from identities to labels: a trie of directories over the bits of a hash, with small hash tables as its leaves. Versions share
/// its nodes.
///
/// The index holds neither ids nor their types. 24 bits of the id's hash, the *fragment*, lead to the labels of all elements with this
/// fragment, nearly always one. The caller compares the elements themselves. Equal hashes therefore make a search slower but never wrong,
/// and an update of an element does not modify the index. A change costs O(log n), whether or not an older version is kept.
///
/// The type is Sendable although nodes are classes: nodes that two indices share are never written to.
@usableFromInline
struct IdentityIndex: @unchecked Sendable {
  @usableFromInline var root: IndexDirectory

  /// The largest number of entries so far.
  @usableFromInline var peak: Int

  @usableFromInline var count: Int

  @usableFromInline
  init() {
    root = IndexDirectory.make(bits: 1, shift: Self.fragmentBits - 1, seed: .random())
    let bucket = IndexBucket.make(slots: 32, depth: 0)
    _ = Unmanaged.passRetained(bucket)
    root.slots.initialize(repeating: IndexDirectory.Slot(bucket), count: 2)
    peak = 0
    count = 0
  }

  @inlinable static var fragmentBits: UInt32 { 24 }

  /// The part of an id's hash that the index uses. Never 0, which marks an empty slot.
  @inlinable
  func fragment(of id: some Hashable) -> UInt32 { Self.fragment(of: id, root.seed) }

  @inlinable
  static func fragment(of id: some Hashable, _ seed: Seed) -> UInt32 {
    let hash = UInt32(truncatingIfNeeded: seed.hash(of: id) &>> (64 - UInt64(fragmentBits)))
    return hash == 0 ? 1 : hash
  }

  /// The labels of all elements with a fragment. Valid while the index is held and not changed.
  @inlinable
  func labels(for fragment: UInt32) -> Labels { Self.labels(for: fragment, in: Unmanaged.passUnretained(root)) }

  /// The same, for an index given by its root, so that nothing is retained if the index is in a variable that is being changed.
  @inlinable
  @inline(__always)
  static func labels(for fragment: UInt32, in root: Unmanaged<IndexDirectory>) -> Labels {
    var directory = root
    var (bits, shift) = root._withUnsafeGuaranteedRef { ($0.bits, $0.shift) }
    while true {
      let slot = directory._withUnsafeGuaranteedRef { $0.slots[Int(fragment &>> shift & (1 &<< bits &- 1))] }
      guard slot.isDirectory else {
        return slot.bucket._withUnsafeGuaranteedRef { bucket in
          Labels(
            entries: UnsafePointer(bucket.entries), mask: slot.isRegular ? IndexBucket.regular - 1 : bucket.mask, fragment: fragment)
        }
      }
      directory = slot.directory
      bits = slot.bits
      shift &-= bits
    }
  }

  @usableFromInline
  struct Labels: IteratorProtocol {
    @usableFromInline let entries: UnsafePointer<IndexBucket.Entry>
    @usableFromInline let mask: UInt32
    @usableFromInline let fragment: UInt32
    @usableFromInline var slot: UInt32

    @inlinable
    init(entries: UnsafePointer<IndexBucket.Entry>, mask: UInt32, fragment: UInt32) {
      self.entries = entries
      self.mask = mask
      self.fragment = fragment
      slot = fragment & mask
    }

    @inlinable
    mutating func next() -> Label? {
      while true {
        let entry = entries[Int(slot)]
        if entry.fragment == 0 { return nil }
        slot = (slot &+ 1) & mask
        if entry.fragment == fragment { return entry.label }
      }
    }
  }
}

// MARK: - Changing it

extension IdentityIndex {
  /// Records the label of a new identity.
  @usableFromInline
  mutating func insert(_ fragment: UInt32, _ label: Label) {
    count += 1
    peak = Swift.max(peak, count)
    while true {
      let isDone = withBucket(for: fragment) { bucket, _ in
        guard !bucket.isFull else { return false }
        bucket.put(IndexBucket.Entry(fragment, label))
        return true
      }
      if isDone { return }
      makeRoom(for: fragment)
    }
  }

  /// Removes a label.
  @usableFromInline
  mutating func remove(_ fragment: UInt32, _ label: Label) {
    withBucket(for: fragment) { bucket, _ in
      guard let slot = bucket.slot(of: fragment, label) else { return }
      bucket.clear(slot)
    }
    count -= 1
  }

  /// Records the new label of an element.
  @usableFromInline
  mutating func rename(_ fragment: UInt32, from old: Label, to new: Label) {
    withBucket(for: fragment) { bucket, _ in
      guard let slot = bucket.slot(of: fragment, old) else { return }
      bucket.entries[slot] = IndexBucket.Entry(fragment, new)
    }
  }

  /// Calls a closure with the bucket of a fragment and the directory that contains it, both uniquely referenced.
  private mutating func withBucket<Result>(for fragment: UInt32, _ body: (IndexBucket, IndexDirectory) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&root) { root = root.copy() }
    // As in a search, nothing is retained on the way: each node is held by the one above it.
    var current = Unmanaged.passUnretained(root)
    while true {
      let slot = current._withUnsafeGuaranteedRef { directory in
        let place = directory.place(of: fragment)
        let slot = directory.slots[place]
        if slot.isDirectory {
          if !slot.isAlone { directory.replace(place, with: slot.directory._withUnsafeGuaranteedRef { $0.copy() }) }
        } else if !slot.isAlone {
          directory.replace(directory.run(of: place), with: slot.bucket._withUnsafeGuaranteedRef { $0.copy() })
        }
        return directory.slots[place]
      }
      guard slot.isDirectory else {
        return current._withUnsafeGuaranteedRef { directory in slot.bucket._withUnsafeGuaranteedRef { body($0, directory) } }
      }
      current = slot.directory
    }
  }

  /// Splits the full bucket of a fragment, or makes room for splitting it. (The caller then retries the insertion.)
  private mutating func makeRoom(for fragment: UInt32) {
    let doubled: IndexDirectory? = withBucket(for: fragment) { bucket, directory in
      let place = directory.place(of: fragment)
      let run = directory.run(of: place)
      if bucket.mask + 1 < IndexBucket.regular || bucket.depth == Self.fragmentBits {
        // Too small to be split, or with equal fragments, which can't be told apart by a split.
        directory.replace(run, with: bucket.grown())
      } else if run.count > 1 {
        let (left, right) = bucket.halves()
        directory.replace(run, with: left, right)
      } else if directory.bits < IndexDirectory.mostBits {
        return directory.doubled()
      } else {
        let child = IndexDirectory.make(bits: 1, shift: directory.shift - 1, seed: directory.seed)
        child.slots.initialize(repeating: directory.slots[place], count: 2)
        _ = Unmanaged.passRetained(bucket)
        directory.replace(place, with: child)
      }
      return nil
    }
    guard let doubled else { return }
    // The directory with the bucket is replaced in the one above it.
    var above: Unmanaged<IndexDirectory>?
    var current = Unmanaged.passUnretained(root)
    while true {
      let slot = current._withUnsafeGuaranteedRef { $0.slots[$0.place(of: fragment)] }
      guard slot.isDirectory else { break }
      above = current
      current = slot.directory
    }
    if let above {
      above._withUnsafeGuaranteedRef { $0.replace($0.place(of: fragment), with: doubled) }
    } else {
      root = doubled
    }
  }
}
