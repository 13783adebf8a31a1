/// Promises by sequence number, which ascends: made at one end, and most often kept at the other.
@usableFromInline
struct PromiseLine<Value: Sendable>: Sendable {
  @usableFromInline var items: [(sequence: Int64, promise: Promise<Value>?)] = []
  /// Those before it are kept, and gone.
  private var first = 0

  @usableFromInline init() {}

  /// Adds the next; its sequence is greater than all before.
  @inlinable
  mutating func append(_ promise: Promise<Value>, for sequence: Int64) { items.append((sequence, promise)) }

  /// Takes a promise out; nil when there is none of that sequence.
  ///
  /// - Complexity: amortised O(1) for the first, O(log n) for others.
  mutating func remove(_ sequence: Int64) -> Promise<Value>? {
    var place = first
    if place < items.count, items[place].sequence < sequence {
      var high = items.count
      while place < high {
        let middle = (place + high) / 2
        if items[middle].sequence < sequence { place = middle + 1 } else { high = middle }
      }
    }
    guard place < items.count, items[place].sequence == sequence else { return nil }
    let promise = items[place].promise
    items[place].promise = nil
    while first < items.count, items[first].promise == nil { first += 1 }
    if first > 64, first > items.count / 2 {
      items.removeSubrange(..<first)
      first = 0
    }
    return promise
  }

  /// All that there are, in order.
  var all: [Promise<Value>] { items.compactMap(\.promise) }

  /// Takes out all that there are, in order.
  mutating func removeAll() -> [(sequence: Int64, promise: Promise<Value>)] {
    defer { (items, first) = ([], 0) }
    return items.compactMap { item in item.promise.map { (item.sequence, $0) } }
  }
}
