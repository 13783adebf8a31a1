/// The place of an element in the order, as a number that stays when other elements come and go.
///
/// Labels increase along the tree. The label of an appended element is one ``Label/gap`` after the last one, so that others fit between.
@usableFromInline
typealias Label = Int64

extension Label {
  /// The binary logarithm of ``gap``.
  @inlinable static var gapBits: Label { 10 }

  /// The distance between the labels of consecutively appended elements.
  @inlinable static var gap: Label { 1 << gapBits }

  /// The limit of assigned labels: they stay within `-limit...limit`, so that they fit into the index's 40 bits. After 2^28 appended
  /// elements the limit is reached, and all elements are relabelled.
  @inlinable static var limit: Label { 1 << 38 }
}
