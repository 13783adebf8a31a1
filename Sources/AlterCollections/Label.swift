/// Where an element is in the order, as a number that stays when others come and go.
///
/// Along the tree labels rise. An appended element is labelled one ``Label/gap`` after the last one, so that others fit between.
@usableFromInline
typealias Label = Int64

extension Label {
  /// The binary logarithm of ``gap``.
  @inlinable static var gapBits: Label { 10 }

  /// The distance between the labels of elements that were appended one after the other.
  @inlinable static var gap: Label { 1 << gapBits }

  /// Labels that are handed out stay within `-limit...limit`, so that they fit into the 40 bits that the index has for them. After
  /// 2^28 appended elements the limit is reached, and all are labelled anew.
  @inlinable static var limit: Label { 1 << 38 }
}
