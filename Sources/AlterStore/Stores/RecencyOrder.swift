/// Keys in the order of their last use: a doubly linked list in an array, with the place of each key. Every operation is O(1), and looks the key up once.
struct RecencyOrder<Key: Hashable & Sendable>: Sendable {
  private struct Node {
    /// Nil in a free place.
    var key: Key?
    var older: Int?
    var newer: Int?
  }

  private var places: [Key: Int] = [:]
  private var nodes: [Node] = []
  private var free: [Int] = []
  private var (first, last): (Int?, Int?) = (nil, nil)

  /// The number of keys.
  var count: Int { places.count }

  /// The key that was not used for the longest time.
  var oldest: Key? { first.flatMap { nodes[$0].key } }

  /// Makes a key the most recently used one. A new key is added.
  mutating func use(_ key: Key) {
    let place: Int
    if let known = places[key] {
      guard known != last else { return }
      leave(known)
      place = known
    } else {
      place = free.popLast() ?? nodes.count
      if place == nodes.count { nodes.append(Node()) }
      places[key] = place
    }
    nodes[place] = Node(key: key, older: last)
    if let last { nodes[last].newer = place } else { first = place }
    last = place
  }

  /// Removes a key, if it is there.
  mutating func remove(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    leave(place)
    nodes[place] = Node()
    free.append(place)
  }

  /// Connects the neighbours of a node.
  private mutating func leave(_ place: Int) {
    let (older, newer) = (nodes[place].older, nodes[place].newer)
    if let older { nodes[older].newer = newer } else { first = newer }
    if let newer { nodes[newer].older = older } else { last = older }
  }
}
