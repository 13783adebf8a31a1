/// A line in pieces: two copies share all pieces that neither has touched since, so that appending to one of them copies a piece at most.
///
/// Elements come at the end and go at the beginning; in between they are changed rarely.
@usableFromInline
struct Pieces<Element: Sendable>: RandomAccessCollection, Sendable {
  /// How many elements a piece holds. Only the first and the last piece may hold fewer; none is empty.
  @inlinable static var size: Int { 256 }

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
  /// - Complexity: O(1), and O(``size``) after a copy was made.
  @inlinable
  mutating func append(_ element: Element) {
    if let last = pieces.indices.last, pieces[last].count < Self.size {
      pieces[last].append(element)
    } else {
      pieces.append([element])
    }
    count += 1
  }

  /// Removes elements from the beginning, and lets go of them.
  ///
  /// - Complexity: O(number of elements removed).
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
