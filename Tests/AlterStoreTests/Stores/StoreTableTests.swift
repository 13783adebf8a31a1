import AlterTesting
import Testing

@testable import AlterStore

@Suite("The table of stores", .timeLimit(.minutes(20)))
struct StoreTableTests {
  final class Item: Sendable {
    let key: String
    init(_ key: String) { self.key = key }
  }

  /// The table by definition, with arrays.
  struct Model {
    let limits: StoreTable<String, Item>.Limits
    var waiting: [String] = []
    var opening: Set<String> = []
    /// The least recently used first.
    var open: [(key: String, bytes: Int)] = []
    var closing: [String: Bool] = [:]

    var taken: Int { opening.count + open.count + closing.count }
    var bytes: Int { open.reduce(0) { $0 + $1.bytes } }

    mutating func want(_ key: String) -> Bool {
      if let place = open.firstIndex(where: { $0.key == key }) {
        open.append(open.remove(at: place))
        return true
      }
      if closing[key] != nil {
        closing[key] = true
      } else if !opening.contains(key), !waiting.contains(key) {
        waiting.append(key)
      }
      return false
    }

    /// The actions that are due: keys to open, and keys to close.
    mutating func next(isIdle: (String) -> Bool) -> (opens: [String], closes: [String]) {
      var (opens, closes): ([String], [String]) = ([], [])
      while !waiting.isEmpty, opening.count < limits.atOnce, taken < limits.places, bytes < limits.bytes || taken == 0 {
        opens.append(waiting.removeFirst())
        opening.insert(opens.last!)
      }
      for _ in 0..<(waiting.isEmpty ? min(16, open.count) : open.count) {
        let free = limits.places - taken + closing.count
        let lacks =
          free < max(min(waiting.count, limits.atOnce), limits.reserve) || bytes > limits.bytes
          || (bytes == limits.bytes && !waiting.isEmpty)
        guard lacks, closing.count < limits.atOnce, !open.isEmpty else { break }
        let oldest = open.removeFirst()
        if isIdle(oldest.key) {
          closing[oldest.key] = false
          closes.append(oldest.key)
        } else {
          open.append(oldest)
        }
      }
      return (opens, closes)
    }
  }

  @Test(
    "decides as a naive model does, in random schedules of callers, uses, failures and closings", arguments: 1...60 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let limits = StoreTable<String, Item>.Limits(
      places: Int.random(in: 1...40, using: &generator), bytes: seed.isMultiple(of: 3) ? 200 : .max,
      atOnce: Int.random(in: 1...5, using: &generator))
    var table = StoreTable<String, Item>(limits: limits)
    var model = Model(limits: limits)
    let keys = (0..<limits.places * 2 + 2).map { "key \($0)" }
    // Items that a caller holds, and those that are busy without a caller.
    var held: [String: Item] = [:]
    var busy: Set<String> = []
    var closings: [String: Item] = [:]

    func step() throws {
      let expected = model.next { held[$0] == nil && !busy.contains($0) }
      var (opens, closes): ([String], [String]) = ([], [])
      for action in table.next(isIdle: { !busy.contains($0.key) }) {
        switch action {
        case .open(let key): opens.append(key)
        case .close(let key, let item):
          #expect(item.key == key && held[key] == nil && !busy.contains(key))
          closings[key] = item
          closes.append(key)
        }
      }
      try #require(opens == expected.opens && closes == expected.closes, "\(opens) \(expected.opens) \(closes) \(expected.closes)")
      #expect(table.taken <= limits.places)
      #expect(table.taken == model.taken && table.bytes == model.bytes)
      #expect(table.count(.waiting) == model.waiting.count && table.count(.open) == model.open.count)
      #expect(Set(table.keys(.opening)) == model.opening && table.count(.closing) == model.closing.count)
    }

    func finishOpening(_ key: String, fails: Bool) {
      model.opening.remove(key)
      if fails {
        let isWanted = table.gone(key)
        #expect(!isWanted)
      } else {
        let bytes = Int.random(in: 0...30, using: &generator)
        let item = Item(key)
        table.opened(key, item, bytes: bytes)
        model.open.append((key, bytes))
        if Bool.random(using: &generator) { held[key] = item }
      }
    }

    func finishClosing(_ key: String) {
      closings[key] = nil
      let isWanted = model.closing.removeValue(forKey: key) == true
      let isAgain = table.gone(key)
      #expect(isAgain == isWanted)
      if isWanted { model.waiting.append(key) }
    }

    for _ in 0..<600 {
      let key = keys.randomElement(using: &generator)!
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4:
        let item = table.want(key)
        let isOpen = model.want(key)
        #expect((item != nil) == isOpen)
        if let item, Bool.random(using: &generator) { held[key] = item }
      case 4..<6:
        if let key = model.opening.sorted().randomElement(using: &generator) {
          finishOpening(key, fails: Int.random(in: 0..<4, using: &generator) == 0)
        }
      case 6: if let key = model.closing.keys.sorted().randomElement(using: &generator) { finishClosing(key) }
      case 7: if let key = held.keys.sorted().randomElement(using: &generator) { held[key] = nil }
      case 8: if busy.remove(key) == nil { busy.insert(key) }
      default:
        if let (place, item) = held.keys.sorted().randomElement(using: &generator).flatMap({ key in
          model.open.firstIndex { $0.key == key }.map { ($0, held[key]!) }
        }) {
          let bytes = Int.random(in: 0...30, using: &generator)
          table.resize(item.key, item, to: bytes)
          model.open[place].bytes = bytes
        }
      }
      try step()
    }
    // When all uses end, every key that waits is opened.
    (held, busy) = ([:], [])
    try step()
    var rounds = 0
    while table.count(.waiting) + table.count(.opening) + table.count(.closing) > 0, rounds < 10_000 {
      rounds += 1
      try #require(table.count(.opening) + table.count(.closing) > 0)
      for key in model.opening.sorted() { finishOpening(key, fails: false) }
      held = [:]
      for key in model.closing.keys.sorted() { finishClosing(key) }
      try step()
    }
    #expect(rounds < 10_000)
  }

  @Test("opens nothing after the end, and closes every item once")
  func end() throws {
    var table = StoreTable<String, Item>(limits: StoreTable.Limits(places: 3, bytes: .max, atOnce: 3))
    for key in ["a", "b", "c", "d", "e"] { _ = table.want(key) }
    var actions = table.next { _ in true }
    #expect(actions.count == 3)
    table.opened("a", Item("a"), bytes: 1)
    table.opened("b", Item("b"), bytes: 1)
    actions = table.next { _ in true }
    #expect(actions.count == 2)
    _ = table.want("a")
    let refused = Set(table.end())
    #expect(refused == ["a", "d", "e"])
    table.opened("c", Item("c"), bytes: 1)
    let last = table.closeAll()
    #expect(last.count == 1)
    for key in ["a", "b", "c"] {
      let isWanted = table.gone(key)
      #expect(!isWanted)
    }
    let later = table.next { _ in true }
    #expect(table.taken == 0 && later.isEmpty && table.bytes == 0)
  }

  @Test("keys that wait in vain, again and again, do not pile up")
  func refusals() {
    var table = StoreTable<String, Item>(limits: StoreTable.Limits(places: 1, bytes: .max, atOnce: 1))
    _ = table.want("a")
    _ = table.next { _ in false }
    table.opened("a", Item("a"), bytes: 1)
    for _ in 0..<100 {
      for key in ["b", "c"] { _ = table.want(key) }
      let actions = table.next { _ in false }
      #expect(actions.isEmpty && table.lineLength == 2)
      for key in ["b", "c"] { table.gone(key) }
    }
    #expect(table.lineLength == 0)
  }

  @Test("the order of recency is that of an array", arguments: 1...20 as ClosedRange<UInt64>)
  func recency(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var order = RecencyOrder<String>()
    var model: [String] = []
    for _ in 0..<500 {
      let key = "\(Int.random(in: 0..<12, using: &generator))"
      model.removeAll { $0 == key }
      if Int.random(in: 0..<3, using: &generator) == 0 {
        order.remove(key)
      } else {
        order.use(key)
        model.append(key)
      }
      #expect(order.oldest == model.first && order.count == model.count)
    }
    var drained: [String] = []
    while let oldest = order.oldest {
      drained.append(oldest)
      order.remove(oldest)
    }
    #expect(drained == model)
  }
}
