/// Keys in the order of their last use: a doubly linked list in a dictionary. Every operation is O(1).
struct RecencyOrder<Key: Hashable & Sendable>: Sendable {
  private struct Links {
    var older: Key?
    var newer: Key?
  }

  private var links: [Key: Links] = [:]
  /// The key that was not used for the longest time.
  private(set) var oldest: Key?
  private var newest: Key?

  /// The number of keys.
  var count: Int { links.count }

  /// Makes a key the most recently used one. A new key is added.
  mutating func use(_ key: Key) {
    guard newest != key else { return }
    remove(key)
    links[key] = Links(older: newest)
    if let newest { links[newest]?.newer = key } else { oldest = key }
    newest = key
  }

  /// Removes a key, if it is there.
  mutating func remove(_ key: Key) {
    guard let gone = links.removeValue(forKey: key) else { return }
    if let older = gone.older { links[older]?.newer = gone.newer } else { oldest = gone.newer }
    if let newer = gone.newer { links[newer]?.older = gone.older } else { newest = gone.older }
  }
}
