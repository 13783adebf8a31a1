/// Finds the label of an identity: a trie of directories over the bits of a hash, with small hash tables as its leaves. Versions
/// share its nodes.
///
/// It holds neither ids nor their types: 32 bits of the id's hash, the *fragment*, lead to the labels of all elements with this
/// fragment, nearly always one. Who searches asks the elements which of them it is. So equal hashes make it slower and never
/// wrong, an update of an element does not touch it, and a change costs O(log n), whether an older version is kept or not.
///
/// Sendable, although nodes are classes: what two indices share is never written to.
@usableFromInline
struct IdentityIndex: @unchecked Sendable {
  @usableFromInline var root: IndexDirectory

  /// The most entries that there have been.
  @usableFromInline var peak: Int

  @usableFromInline var count: Int

  @usableFromInline
  init() {
    root = IndexDirectory.make(bits: 1, shift: 31)
    let bucket = UnsafeRawPointer(Unmanaged.passRetained(IndexBucket.make(slots: 32, depth: 0)).toOpaque())
    root.slots.initialize(repeating: bucket, count: 2)
    peak = 0
    count = 0
  }

  /// The part of an id's hash that the index works with. Never 0, which marks an empty slot.
  @inlinable
  static func fragment(of id: some Hashable) -> UInt32 {
    let hash = UInt32(truncatingIfNeeded: UInt64(bitPattern: Int64(id.hashValue)) >> 32)
    return hash == 0 ? 1 : hash
  }

  /// The labels of all elements with a fragment. To be used while the index is held and not changed.
  @inlinable
  func labels(for fragment: UInt32) -> Labels {
    var directory = Unmanaged.passUnretained(root)
    while true {
      let (node, isDirectory) = directory._withUnsafeGuaranteedRef { directory in
        let slot = directory.slot(for: fragment)
        return (directory.slots[slot], directory.isDirectory(slot))
      }
      guard isDirectory else {
        return Unmanaged<IndexBucket>.fromOpaque(node)._withUnsafeGuaranteedRef { bucket in
          Labels(entries: UnsafePointer(bucket.entries), mask: bucket.mask, fragment: fragment)
        }
      }
      directory = Unmanaged.fromOpaque(node)
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
  /// Notes the label of an identity that is new.
  @usableFromInline
  mutating func insert(_ fragment: UInt32, _ label: Label) {
    count += 1
    peak = Swift.max(peak, count)
    withUnsafeMutablePointer(to: &root) { Self.insert(IndexBucket.Entry(fragment, label), into: $0) }
  }

  /// Forgets a label.
  @usableFromInline
  mutating func remove(_ fragment: UInt32, _ label: Label) {
    withBucket(for: fragment) { bucket in
      guard let slot = bucket.slot(of: fragment, label) else { return }
      bucket.clear(slot)
    }
    count -= 1
  }

  /// Notes that an element has another label now.
  @usableFromInline
  mutating func rename(_ fragment: UInt32, from old: Label, to new: Label) {
    withBucket(for: fragment) { bucket in
      guard let slot = bucket.slot(of: fragment, old) else { return }
      bucket.entries[slot] = IndexBucket.Entry(fragment, new)
    }
  }

  private mutating func withBucket(for fragment: UInt32, _ body: (IndexBucket) -> Void) {
    withUnsafeMutablePointer(to: &root) { root in
      var directory = root
      while true {
        let slot = Self.own(directory, for: fragment)
        guard directory.pointee.isDirectory(slot) else { return body(Self.ownBucket(slot, of: directory.pointee)) }
        directory = Self.child(slot, of: directory.pointee)
      }
    }
  }

  /// Makes sure that nobody else holds a directory.
  ///
  /// - Returns: The slot of a fragment in it.
  private static func own(_ directory: UnsafeMutablePointer<IndexDirectory>, for fragment: UInt32) -> Int {
    if !isKnownUniquelyReferenced(&directory.pointee) { directory.pointee = directory.pointee.copy() }
    return directory.pointee.slot(for: fragment)
  }

  /// A slot that holds a directory, as the reference that it is: a slot is an address whose node it retains.
  private static func child(_ slot: Int, of directory: IndexDirectory) -> UnsafeMutablePointer<IndexDirectory> {
    UnsafeMutableRawPointer(directory.slots + slot).assumingMemoryBound(to: IndexDirectory.self)
  }

  /// The bucket in a slot, after making sure that nobody else holds it. The directory must be held by nobody else.
  private static func ownBucket(_ slot: Int, of directory: IndexDirectory) -> IndexBucket {
    let run = directory.run(of: slot)
    let reference = UnsafeMutableRawPointer(directory.slots + run.lowerBound).assumingMemoryBound(to: IndexBucket.self)
    if !isKnownUniquelyReferenced(&reference.pointee) { directory.replace(run, with: directory.bucket(slot).copy()) }
    return directory.bucket(slot)
  }

  private static func insert(_ entry: IndexBucket.Entry, into root: UnsafeMutablePointer<IndexDirectory>) {
    var directory = root
    while true {
      let slot = own(directory, for: entry.fragment)
      if directory.pointee.isDirectory(slot) {
        directory = child(slot, of: directory.pointee)
        continue
      }
      guard directory.pointee.bucket(slot).isFull else {
        ownBucket(slot, of: directory.pointee).put(entry)
        return
      }
      makeRoom(slot, in: directory)
    }
  }

  /// Splits a full bucket, or makes room for splitting it. (Who inserts tries again.)
  private static func makeRoom(_ slot: Int, in directory: UnsafeMutablePointer<IndexDirectory>) {
    let node = directory.pointee
    let bucket = node.bucket(slot)
    let run = node.run(of: slot)
    if bucket.mask + 1 < IndexBucket.maximum || bucket.depth == 32 {
      // With the whole of their fragments equal, entries can't be told apart by a split.
      node.replace(run, with: bucket.grown())
    } else if run.count > 1 {
      let (left, right) = bucket.halves()
      node.replace(run, with: left, right)
    } else if node.header.bits < IndexDirectory.mostBits {
      directory.pointee = node.doubled()
    } else {
      let child = IndexDirectory.make(bits: 1, shift: node.header.shift - 1)
      child.slots.initialize(repeating: node.slots[slot], count: 2)
      _ = Unmanaged.passUnretained(bucket).retain()
      node.replace(run, with: child)
      node.header.directories |= 1 << UInt32(slot)
    }
  }
}
