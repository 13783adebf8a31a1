import AlterCollections
import AlterCore
import Testing

/// Random operations on an identity array and on a plain array of the same elements; the plain one says what is right.
@Suite("An identity array, compared with a plain array")
struct IdentityArrayModelTests {
  @Test("agrees after every one of 400 random operations, and older versions stay as they were", arguments: UInt64(1)...20)
  func integers(seed: UInt64) throws { try run(seed: seed, ids: 0..<40, operations: 400) { $0 } }

  @Test("agrees when the hashes of all ids collide", arguments: UInt64(101)...105)
  func colliding(seed: UInt64) throws { try run(seed: seed, ids: 0..<30, operations: 300) { Colliding(number: $0) } }

  @Test("agrees with text as ids, and few of them", arguments: UInt64(201)...205)
  func text(seed: UInt64) throws { try run(seed: seed, ids: 0..<4, operations: 300) { "id \($0)" } }

  private func run<ID: Hashable & Sendable>(seed: UInt64, ids: Range<Int>, operations: Int, id makeID: (Int) -> ID) throws {
    var random = SplitMix64(seed: seed)
    var array = IdentityArray<Item<ID>>()
    var model: [Item<ID>] = []
    var versions: [(array: IdentityArray<Item<ID>>, model: [Item<ID>])] = []
    for step in 0..<operations {
      let item = Item(id: makeID(Int.random(in: ids, using: &random)), value: step)
      let position = Int.random(in: -2...model.count + 2, using: &random)
      try operate(on: &array, &model, item, position, using: &random)
      try #require(array.all == model, "seed \(seed), step \(step)")
      for number in ids {
        let id = makeID(number)
        try #require(array[id: id] == model.first { $0.id == id }, "seed \(seed), step \(step)")
        try #require(array.index(of: id) == model.firstIndex { $0.id == id }, "seed \(seed), step \(step)")
        try #require(array.contains(id: id) == model.contains { $0.id == id }, "seed \(seed), step \(step)")
      }
      if step % 7 == 0 { versions.append((array, model)) }
    }
    for version in versions {
      #expect(version.array.all == version.model, "seed \(seed): an older version changed")
      let difference = array.changes(from: version.array)
      #expect(version.array.applying(difference) == array, "seed \(seed): \(difference)")
      #expect(difference.isEmpty == (version.model == model), "seed \(seed)")
    }
  }

  private func operate<ID: Hashable & Sendable>(
    on array: inout IdentityArray<Item<ID>>, _ model: inout [Item<ID>], _ item: Item<ID>, _ position: Int, using random: inout SplitMix64
  ) throws {
    let place = model.firstIndex { $0.id == item.id }
    func clamped(_ position: Int, _ end: Int) -> Int { max(0, min(position, end)) }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25:
      let old = array.add(item)
      #expect(old == place.map { model[$0] })
      if let place { model[place] = item } else { model.append(item) }
    case 25..<40:
      expectRefusal(if: place != nil) { () throws(Refusal) in try array.insert(item, at: position) }
      if place == nil { model.insert(item, at: clamped(position, model.count)) }
    case 40..<50:
      expectRefusal(if: place == nil) { () throws(Refusal) in try array.update(item) }
      if let place { model[place] = item }
    case 50..<65:
      expectRefusal(if: place == nil) { () throws(Refusal) in try array.remove(id: item.id) }
      if let place { model.remove(at: place) }
    case 65..<80:
      expectRefusal(if: place == nil) { () throws(Refusal) in try array.move(item.id, to: position) }
      if let place {
        let moved = model.remove(at: place)
        model.insert(moved, at: clamped(position, model.count))
      }
    case 80..<90:
      let found = array.modify(id: item.id) { $0.value += 1_000 } != nil
      #expect(found == (place != nil))
      if let place { model[place].value += 1_000 }
    case 90..<94:
      array.sort { $0.value % 16 < $1.value % 16 }
      model.sort { $0.value % 16 < $1.value % 16 }
    case 94..<98:
      array.removeAll { $0.value % 5 == 0 }
      model.removeAll { $0.value % 5 == 0 }
    default:
      let shuffled = model.shuffled(using: &random).dropLast()
      array.replace(with: shuffled)
      model = Array(shuffled)
    }
  }

  private func expectRefusal(if expected: Bool, _ body: () throws(Refusal) -> Void) {
    do throws(Refusal) {
      try body()
      #expect(!expected)
    } catch {
      #expect(expected, "\(error)")
    }
  }
}
