import AlterTesting
import ProcessTesting
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
    /// The open keys that a recall concerns: those that were open when it began. Nil if there is none.
    var recalled: Set<String>?
    /// The number of items that the recall still has to close.
    var missing = 0
    /// The open keys for whose uses a recall has waited in vain.
    var kept: Set<String> = []
    /// The open keys whose callers wait, in order.
    var parked: [String] = []

    var taken: Int { opening.count + open.count + closing.count }
    var bytes: Int { open.reduce(0) { $0 + $1.bytes } }

    /// - Returns: Whether the caller gets the item, and whether the item is closed.
    mutating func want(_ key: String, isIdle: Bool) -> (isGiven: Bool, isClosed: Bool) {
      if let place = open.firstIndex(where: { $0.key == key }) {
        open.append(open.remove(at: place))
        guard recalled?.contains(key) == true else { return (true, false) }
        if isIdle {
          close(key)
          closing[key] = true
          return (false, true)
        }
        if kept.contains(key) { return (true, false) }
        if !parked.contains(key) { parked.append(key) }
        return (false, false)
      }
      if closing[key] != nil {
        closing[key] = true
      } else if !opening.contains(key), !waiting.contains(key) {
        waiting.append(key)
      }
      return (false, false)
    }

    mutating func close(_ key: String) {
      open.removeAll { $0.key == key }
      closing[key] = parked.contains(key)
      parked.removeAll { $0 == key }
      kept.remove(key)
      missing -= 1
      if missing <= 0 { recalled = nil }
    }

    mutating func recall() {
      guard recalled == nil, !waiting.isEmpty, opening.isEmpty, closing.isEmpty else { return }
      recalled = Set(open.map(\.key))
      missing = min(waiting.count, limits.atOnce)
    }

    /// The actions that are due: keys to open, keys to close, and keys to give to the callers that wait for them.
    mutating func next(isIdle: (String) -> Bool) -> (opens: [String], closes: [String], gives: [String]) {
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
        let oldest = open[0]
        if isIdle(oldest.key) {
          close(oldest.key)
          closes.append(oldest.key)
        } else {
          open.append(open.removeFirst())
        }
      }
      if waiting.isEmpty { recalled = nil }
      let gives = parked.filter { recalled == nil || kept.contains($0) }
      parked.removeAll(where: gives.contains)
      return (opens, closes, gives)
    }
  }

  @Test(
    "decides as a naive model does, in random schedules of callers, uses, failures and closings",
    arguments: Effort.seeds(1, short: 20, full: 60))
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
      var (opens, closes, gives): ([String], [String], [String]) = ([], [], [])
      for action in table.next(isIdle: { !busy.contains($0.key) }) {
        switch action {
        case .open(let key): opens.append(key)
        case .close(let key, let item):
          #expect(item.key == key && held[key] == nil && !busy.contains(key))
          closings[key] = item
          closes.append(key)
        case .give(let key, let item):
          #expect(item.key == key)
          if Bool.random(using: &generator) { held[key] = item }
          gives.append(key)
        }
      }
      let decided = (opens, closes, gives)
      try #require(decided == expected, "\(decided) \(expected)")
      #expect(Set(keys.filter(table.isParked)) == Set(model.parked) && table.isRecalling == (model.recalled != nil))
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
      switch Int.random(in: 0..<13, using: &generator) {
      case 10, 11:
        model.recall()
        let isRecalling = table.isRecalling
        let isBegun = table.recall()
        #expect((isRecalling || isBegun) == (model.recalled != nil))
      case 12:
        model.kept.formUnion(model.recalled?.filter { key in model.open.contains { $0.key == key } } ?? [])
        table.endWaiting()
      case 0..<4:
        let isUnused = held[key] == nil && !busy.contains(key)
        let (item, action) = table.want(key) { !busy.contains($0.key) }
        let expected = model.want(key, isIdle: isUnused)
        #expect((item != nil) == expected.isGiven && (action != nil) == expected.isClosed)
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
    for key in ["a", "b", "c", "d", "e"] { _ = table.want(key) { _ in true } }
    var actions = table.next { _ in true }
    #expect(actions.count == 3)
    table.opened("a", Item("a"), bytes: 1)
    table.opened("b", Item("b"), bytes: 1)
    actions = table.next { _ in true }
    #expect(actions.count == 2)
    _ = table.want("a") { _ in true }
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
    _ = table.want("a") { _ in false }
    _ = table.next { _ in false }
    table.opened("a", Item("a"), bytes: 1)
    for _ in 0..<100 {
      for key in ["b", "c"] { _ = table.want(key) { _ in false } }
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
