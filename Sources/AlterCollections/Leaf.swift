/// A run of neighbouring elements with their labels, in one allocation:
///
///     | count, capacity | element, element, … (capacity of them) | label, label, … |
///
/// Invariants: the first `count` of both are initialised; labels rise. A leaf that is shared (by two versions) is never written to.
@usableFromInline
final class Leaf<Element>: ManagedBuffer<Leaf<Element>.Header, Element> {
  @usableFromInline
  struct Header {
    @usableFromInline var count: Int
    @usableFromInline let capacity: Int

    @inlinable
    init(count: Int, capacity: Int) {
      self.count = count
      self.capacity = capacity
    }
  }

  @inlinable
  deinit {
    _ = withUnsafeMutablePointers { header, elements in elements.deinitialize(count: header.pointee.count) }
  }
}

extension Leaf {
  /// The maximum number of elements in a leaf: about a kilobyte and a half of them, so that copying one for a new version stays cheap,
  /// within 8...64.
  @inlinable static var maximum: Int { Swift.max(8, Swift.min(64, 1_792 / MemoryLayout<Element>.stride)) }

  /// An empty leaf with room for the given number of elements.
  @inlinable
  static func make(capacity: Int) -> Leaf {
    // The labels lie behind the elements; 7 bytes more, because an element need not end where a label may begin.
    let bytes = capacity * MemoryLayout<Label>.stride + 7
    let stride = MemoryLayout<Element>.stride
    let leaf = Leaf.create(minimumCapacity: capacity + (bytes + stride - 1) / stride) { _ in Header(count: 0, capacity: capacity) }
    return unsafeDowncast(leaf, to: Leaf.self)
  }

  @inlinable var count: Int {
    get { withUnsafeMutablePointerToHeader { $0.pointee.count } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.count = newValue } }
  }

  /// The count, read together with a byte from each of the first cache lines. The lines are then loading before the first elements are
  /// needed, and the processor has detected the direction for its own prefetching.
  @inlinable var countReadingAhead: Int {
    let count = self.count
    guard count * MemoryLayout<Element>.stride >= 256 else { return count }
    let bytes = UnsafeRawPointer(elements)
    let touched =
      bytes.load(fromByteOffset: 64, as: UInt8.self) | bytes.load(fromByteOffset: 128, as: UInt8.self)
      | bytes.load(fromByteOffset: 192, as: UInt8.self)
    // It changes nothing, for a leaf never has more; but nobody else knows that, and leaves the reading out.
    return Swift.min(count, 64 + Int(touched))
  }

  /// The number of elements for which there is room.
  @inlinable var room: Int { withUnsafeMutablePointerToHeader { $0.pointee.capacity } }

  /// The elements. The pointer is valid as long as the leaf is.
  @inlinable var elements: UnsafeMutablePointer<Element> { withUnsafeMutablePointerToElements { $0 } }

  /// The labels. The pointer is valid as long as the leaf is.
  @inlinable var labels: UnsafeMutablePointer<Label> {
    UnsafeMutableRawPointer(elements + room).alignedUp(for: Label.self).assumingMemoryBound(to: Label.self)
  }

  /// A copy of a part of this leaf.
  @inlinable
  func copy(_ range: Range<Int>, capacity: Int) -> Leaf {
    let copy = Leaf.make(capacity: capacity)
    copy.elements.initialize(from: elements + range.lowerBound, count: range.count)
    copy.labels.initialize(from: labels + range.lowerBound, count: range.count)
    copy.count = range.count
    return copy
  }

  /// Moves everything from a position on into a new leaf.
  @inlinable
  func split(at place: Int) -> Leaf {
    let right = Leaf.make(capacity: Leaf.maximum)
    let moved = count - place
    right.elements.moveInitialize(from: elements + place, count: moved)
    right.labels.initialize(from: labels + place, count: moved)
    right.count = moved
    count = place
    return right
  }

  /// Inserts an element. There must be room.
  @inlinable
  func insert(_ element: Element, _ label: Label, at place: Int) {
    let tail = count - place
    (elements + place + 1).moveInitialize(from: elements + place, count: tail)
    (elements + place).initialize(to: element)
    (labels + place + 1).update(from: labels + place, count: tail)
    labels[place] = label
    count += 1
  }

  /// Removes an element.
  @inlinable
  func remove(at place: Int) -> Element {
    let element = (elements + place).move()
    let tail = count - place - 1
    (elements + place).moveInitialize(from: elements + place + 1, count: tail)
    (labels + place).update(from: labels + place + 1, count: tail)
    count -= 1
    return element
  }

  /// Appends copies of another leaf's elements. There must be room.
  @inlinable
  func append(contentsOf other: Leaf) {
    (elements + count).initialize(from: other.elements, count: other.count)
    (labels + count).initialize(from: other.labels, count: other.count)
    count += other.count
  }

  /// The position of a label, searched from a guess on.
  @inlinable
  func place(of label: Label, near guess: Int) -> Int? {
    var place = guess
    while place > 0, labels[place] > label { place -= 1 }
    while place < count - 1, labels[place] < label { place += 1 }
    return labels[place] == label ? place : nil
  }
}
