/// Where an element is in the order, as a number that stays when others come and go.
///
/// Along the tree labels rise. An appended element is labelled one ``Label/gap`` after the last one, so that others fit between.
@usableFromInline
typealias Label = Int64

extension Label {
  /// The binary logarithm of ``gap``.
  @inlinable static var gapBits: Label { 20 }

  /// The distance between the labels of elements that were appended one after the other.
  @inlinable static var gap: Label { 1 << gapBits }

  /// Labels stay within `-limit...limit`, so that differences of two can't overflow. At one gap per element it would take 2^41
  /// elements to get there; then all are labelled anew.
  @inlinable static var limit: Label { 1 << 61 }
}
