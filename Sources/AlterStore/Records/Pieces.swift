/// A queue in chunks with value semantics. Two copies share every chunk that neither has modified, so an append to one of them copies one
/// chunk at most.
///
/// Elements are appended at the end and removed at the front, rarely at the end. Changes in the middle are rare.
@usableFromInline
struct Pieces<Element: Sendable>: RandomAccessCollection, Sendable {
  /// The number of elements in a chunk. Only the first and the last chunk may hold fewer; none is empty.
  @inlinable static var size: Int { 128 }

  @usableFromInline var pieces: [[Element]] = []
  @usableFromInline var count = 0

  @inlinable init() {}

  init(_ elements: some Sequence<Element>) { for element in elements { append(element) } }

  @inlinable var startIndex: Int { 0 }
  @inlinable var endIndex: Int { count }

  @inlinable
  subscript(place: Int) -> Element {
    let first = pieces[0].count
    guard place >= first else { return pieces[0][place] }
    return pieces[1 + (place - first) / Self.size][(place - first) % Self.size]
  }

  /// Appends an element.
  ///
  /// - Complexity: O(1); O(``size``) for the first append after a copy.
  @inlinable
  mutating func append(_ element: __owned Element) {
    let last = pieces.count - 1
    if last >= 0, pieces[last].count < Self.size {
      pieces[last].append(element)
    } else {
      var piece: [Element] = []
      // A queue that has filled one chunk probably fills the next one.
      if last >= 0 { piece.reserveCapacity(Self.size) }
      piece.append(element)
      pieces.append(piece)
    }
    count += 1
  }

  /// Removes the last element.
  mutating func removeLast() {
    pieces[pieces.count - 1].removeLast()
    if pieces[pieces.count - 1].isEmpty { pieces.removeLast() }
    count -= 1
  }

  /// Removes elements from the front and releases them.
  ///
  /// - Complexity: O(number of elements removed).
  @inlinable
  mutating func removeFirst(_ number: Int) {
    var rest = number
    let whole = pieces.prefix { piece in
      guard piece.count <= rest else { return false }
      rest -= piece.count
      return true
    }
    pieces.removeFirst(whole.count)
    if rest > 0 { pieces[0].removeFirst(rest) }
    count -= number
  }
}
