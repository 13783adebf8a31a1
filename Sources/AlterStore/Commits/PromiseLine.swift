/// A queue of promises, ordered by ascending sequence number. Promises are appended at the end and mostly removed at the front.
@usableFromInline
struct PromiseLine<Value: Sendable>: Sendable {
  @usableFromInline var items: [(sequence: Int64, promise: Promise<Value>?)] = []
  /// The index of the first promise that has not been removed.
  private var first = 0

  @usableFromInline init() {}

  /// Appends a promise. Its sequence is greater than all before it.
  @inlinable
  mutating func append(_ promise: Promise<Value>, for sequence: Int64) { items.append((sequence, promise)) }

  /// Removes and returns the promise of a sequence; nil if there is none.
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

  /// All promises, in order of their sequences.
  var all: [Promise<Value>] { items.compactMap(\.promise) }

  /// Removes and returns all promises, in order of their sequences.
  mutating func removeAll() -> [(sequence: Int64, promise: Promise<Value>)] {
    guard !items.isEmpty else { return [] }
    defer { (items, first) = ([], 0) }
    return items.compactMap { item in item.promise.map { (item.sequence, $0) } }
  }
}
