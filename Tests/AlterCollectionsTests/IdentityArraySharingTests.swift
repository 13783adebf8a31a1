import AlterCollections
import AlterTesting
import Testing

@Suite("Versions of an identity array")
struct IdentityArraySharingTests {
  typealias Numbers = IdentityArray<Item<Int>>

  func numbers(_ count: Int) -> Numbers { Numbers((0..<count).lazy.map { Item(id: $0, value: 0) }) }

  @Test("share all nodes but those on the path to what changed", arguments: [100, 10_000, 100_000])
  func sharing(count: Int) throws {
    let older = numbers(count)
    let copied = try (0..<20).map { number in
      let (nodes, shared) = try older.alter(.update(Item(id: number * count / 20, value: 1))).sharing(with: older)
      return nodes - shared
    }
    let path = older.height + 1
    // The seed of the hashes differs in each run. If another id's hash has the same stored bits, its path may be copied first; with some
    // seeds this happens for many of these ids.
    #expect(copied.allSatisfy { path...2 * path - 1 ~= $0 } && copied.contains(path), "\(copied)")
    var newer = older
    try newer.update(Item(id: count / 2, value: 1))
    let nodes = newer.nodes.count
    try newer.add(Item(id: -1, value: 0), at: count / 3)
    newer.removeIfPresent(id: count / 4)
    #expect(newer.sharing(with: older).shared > nodes - 8 * (newer.height + 1))
    #expect(older.all == numbers(count).all)
  }

  @Test("that change nothing stay one: sorting what is sorted, replacing by itself, removing nothing")
  func nothing() {
    let older = numbers(1_000)
    var newer = older
    newer.sort { $0.id < $1.id }
    newer.replace(with: older)
    newer.removeAll { $0.id < 0 }
    let (nodes, shared) = newer.sharing(with: older)
    #expect(nodes == shared)
  }

  @Test("are changed in place when there is no other one", arguments: [10, 10_000])
  func inPlace(count: Int) {
    struct Page: Identifiable, Sendable {
      let id: Int
      var lines: [Int]
    }
    var pages = IdentityArray((0..<count).lazy.map { Page(id: $0, lines: []) })
    func address() -> UInt { withUnsafeBytes(of: pages[count - 1].lines) { $0.load(as: UInt.self) } }
    pages.modify(id: count - 1) { $0.lines = Array(0..<100) }
    pages.modify(id: count - 1) { $0.lines.append(100) }
    // With a second reference to the inner array, each of these changes would copy it.
    let before = address()
    for line in 0..<50 { pages.modify(id: count - 1) { $0.lines[line] = -1 } }
    #expect(address() == before)
    let kept = pages
    pages.modify(id: count - 1) { $0.lines[0] = -2 }
    #expect(address() != before)
    #expect(kept[count - 1].lines[0] == -1)
  }

  @Test("are appended to and removed from in place when there is no other one")
  func nodesStay() throws {
    var array = Numbers()
    var nodes = array.nodes
    for id in 0..<6_000 {
      array.put(Item(id: id, value: 0))
      // The only leaf grows by reallocation. Later nodes have spare capacity from the start.
      if array.height > 0 { #expect(array.nodes.isSuperset(of: nodes), "after \(id + 1) elements") }
      nodes = array.nodes
    }
    try array.remove(id: 3_000)
    try array.add(Item(id: 3_000, value: 0), at: 4_000)
    try array.move(100, to: 5_000)
    #expect(array.nodes.isSuperset(of: nodes))
  }

  @Test("find room for any number of elements at one place", arguments: [0, 1, 500, 999, 1_000])
  func crowding(place: Int) throws {
    var array = numbers(1_000)
    var model = array.all
    let older = array
    for number in 0..<3_000 {
      let item = Item(id: -1 - number, value: number)
      // At the same position, or after the last insertion: ascending and descending.
      let position = number % 500 < 250 ? place : min(place + number % 500, model.count)
      try array.add(item, at: position)
      model.insert(item, at: position)
      if number % 100 == 0 { try #require(array.brokenInvariants() == []) }
    }
    #expect(array.all == model)
    #expect(array.brokenInvariants() == [])
    let difference = array.changes(from: older)
    #expect(difference.count == 3_000, "a new label alone is no change")
    #expect(older.applying(difference) == array)
  }

  @Test("drop the nodes that removals empty, from the front, the back and everywhere", arguments: 0..<3)
  func shrinking(order: Int) throws {
    var array = numbers(20_000)
    var ids = Array(0..<20_000)
    var random = SeededGenerator(seed: 7)
    if order == 1 { ids.reverse() } else if order == 2 { ids.shuffle(using: &random) }
    let height = array.height
    #expect(height > 1)
    for id in ids.dropLast(100) { try array.remove(id: id) }
    #expect(array.count == 100)
    #expect(array.brokenInvariants() == [])
    // The 100 elements share leaves, several elements to a leaf.
    #expect(array.sharing(with: array).nodes <= 25)
    for id in ids.suffix(100) { try array.remove(id: id) }
    #expect(array.isEmpty)
    #expect(array.height == 0)
    array.put(Item(id: 1, value: 1))
    #expect(array.all == [Item(id: 1, value: 1)])
  }

  @Test("let go of each element when the last version that has it goes")
  func leaks() throws {
    final class Count: Sendable {
      let live = Live()
      final class Live: @unchecked Sendable { var count = 0 }
    }
    final class Body: Sendable {
      let live: Count.Live
      init(_ live: Count.Live) {
        self.live = live
        live.count += 1
      }
      deinit { live.count -= 1 }
    }
    struct Thing: Identifiable, Sendable {
      let id: Int
      var body: Body
    }
    let live = Count().live
    var random = SeededGenerator(seed: 11)
    var versions: [IdentityArray<Thing>] = []
    var array = IdentityArray<Thing>()
    for step in 0..<6_000 {
      let id = Int.random(in: 0..<1_500, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: array.removeIfPresent(id: id)
      case 1: array.modify(id: id) { $0.body = Body(live) }
      case 2: if array.contains(id: id) { try array.move(id, to: Int.random(in: 0..<array.count, using: &random)) }
      case 3: if !array.contains(id: id) { try array.add(Thing(id: id, body: Body(live)), at: array.count / 2) }
      default: array.put(Thing(id: id, body: Body(live)))
      }
      if step % 300 == 0 { versions.append(array) }
    }
    let reachable = Set((versions + [array]).flatMap { $0.map { ObjectIdentifier($0.body) } })
    #expect(live.count == reachable.count)
    versions.removeAll()
    #expect(live.count == array.count)
    array = []
    #expect(live.count == 0)
  }

  @Test("are read by some threads while others change their own copies", arguments: [20, 5_000])
  func threads(count: Int) async throws {
    let shared = numbers(count)
    let sums = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var copy = shared
          var random = SeededGenerator(seed: UInt64(task))
          for step in 0..<400 {
            let id = Int.random(in: 0..<count, using: &random)
            switch task % 4 {
            case 0: copy.modify(id: id) { $0.value += 1 }
            case 1: copy.put(Item(id: count + step, value: 1))
            case 2: if step % 2 == 0 { copy.removeIfPresent(id: id) } else { copy.put(Item(id: id, value: 1)) }
            // Copies are made and released, so that nodes are shared only some of the time.
            default: if step % 3 == 0 { copy = shared } else { _ = copy.put(Item(id: id, value: step)) }
            }
          }
          precondition(copy.brokenInvariants().isEmpty)
          return shared.reduce(0) { $0 + $1.value } + (shared[id: count / 2]?.value ?? 1)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums == Array(repeating: 0, count: 8))
    #expect(shared.all == numbers(count).all)
    #expect(shared.brokenInvariants() == [])
  }

  @Test("of 200,000 elements come and go on a small stack")
  func smallStack() {
    let done = SmallThread.run(stackSize: 512 << 10) {
      var array = Numbers((0..<200_000).lazy.map { Item(id: $0, value: $0) })
      let older = array
      array.removeAll { $0.id % 3 == 0 }
      array.sort { $0.id % 7 < $1.id % 7 }
      return array.changes(from: older).isEmpty || array == older
    }
    #expect(done == false)
  }
}

@Suite("An identity array of few elements")
struct SmallIdentityArrayTests {
  @Test("lies in memory as an array does, and one of many does not")
  func contiguous() {
    let few: IdentityArray = [Item(id: 1, value: 1), Item(id: 2, value: 2)]
    #expect(few.withContiguousStorageIfAvailable { $0.map(\.value) } == [1, 2])
    #expect(IdentityArray<Item<Int>>().withContiguousStorageIfAvailable { $0.count } == 0)
    let many = IdentityArray((0..<10_000).lazy.map { Item(id: $0, value: 0) })
    #expect(many.withContiguousStorageIfAvailable { $0.count } == nil)
  }

  @Test("agrees with an array of many in every way to go through it", arguments: [0, 1, 64, 65, 5_000])
  func traversals(count: Int) {
    let items = (0..<count).map { Item(id: $0, value: $0 * 3) }
    let array = IdentityArray(items)
    #expect(Array(array) == items)
    #expect(array.map(\.value) == items.map(\.value))
    var visited: [Item<Int>] = []
    array.forEach { visited.append($0) }
    #expect(visited == items)
    #expect(array.firstIndex { $0.value >= 150 } == items.firstIndex { $0.value >= 150 })
    #expect(array.reversed() == items.reversed())
    #expect(array.lazy.filter { $0.id % 2 == 0 }.count == (count + 1) / 2)
    var iterator = array.makeIterator()
    while iterator.next() != nil {}
    #expect(iterator.next() == nil, "and stays at the end")
  }

  @Test("traps at a position that it doesn't have")
  func outOfBounds() async {
    #if compiler(>=6.2)
      await #expect(processExitsWith: .failure) { _ = IdentityArray([Item(id: 1, value: 1)])[1] }
    #endif
  }
}
