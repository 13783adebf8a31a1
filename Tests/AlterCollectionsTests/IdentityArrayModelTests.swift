import AlterCollections
import AlterCore
import AlterTesting
import Foundation
import ProcessTesting
import Testing

/// Performs random operations on an identity array and on a plain array of the same elements. The plain array gives the expected result.
///
/// In total the tests perform 19,000 operations, and 113,000 in `script/test --full`.
@Suite("An identity array, compared with a plain array")
struct IdentityArrayModelTests {
  @Test(
    "agrees after every one of 1,000 random operations, and older versions stay as they were",
    arguments: Effort.seeds(1, short: 5, full: 20))
  func few(seed: UInt64) throws { try run(seed: seed, ids: 0..<40, operations: 1_000, comparing: 1) { $0 } }

  @Test("agrees when it grows to many leaves and shrinks again", arguments: Effort.seeds(101, short: 1, full: 8))
  func many(seed: UInt64) throws { try run(seed: seed, ids: 0..<1_200, operations: 5_000, comparing: 100) { $0 } }

  @Test("agrees when a leaf holds few elements, so that the tree is high", arguments: Effort.seeds(151, short: 1, full: 8))
  func high(seed: UInt64) throws { try run(seed: seed, ids: 0..<900, operations: 4_500, comparing: 100) { Broad(number: $0) } }

  @Test("agrees when the hashes of all ids are equal", arguments: Effort.seeds(201, short: 1, full: 6))
  func constantHash(seed: UInt64) throws { try run(seed: seed, ids: 0..<150, operations: 1_000, comparing: 10) { Colliding(number: $0) } }

  @Test("agrees when many ids have one hash", arguments: Effort.seeds(301, short: 1, full: 6))
  func collidingHashes(seed: UInt64) throws {
    try run(seed: seed, ids: 0..<600, operations: 1_500, comparing: 25) { Clumped(number: $0) }
  }

  @Test("agrees with text as ids, and few of them", arguments: UInt64(401)...405)
  func text(seed: UInt64) throws { try run(seed: seed, ids: 0..<4, operations: 400, comparing: 1) { "id \($0)" } }

  private typealias Version<ID: Hashable & Sendable> = (array: IdentityArray<Item<ID>>, model: [Item<ID>])

  /// - Parameter interval: The number of operations between two full comparisons.
  private func run<ID: Hashable & Sendable>(
    seed: UInt64, ids: Range<Int>, operations: Int, comparing interval: Int, id makeID: (Int) -> ID
  ) throws {
    var random = SeededGenerator(seed: seed)
    var array = IdentityArray<Item<ID>>()
    var model: [Item<ID>] = []
    var versions: [Version<ID>] = []
    for step in 0..<operations {
      // The array grows in the first half and shrinks in the second. Operations that replace or sort all elements are rare.
      let isGrowing = step < operations / 2
      let item = Item(id: makeID(Int.random(in: ids, using: &random)), value: step)
      let position = Int.random(in: -2...model.count + 2, using: &random)
      let isWhole = Int.random(in: 0..<10 * interval, using: &random) == 0
      if isWhole {
        operateOnWhole(&array, &model, using: &random)
      } else {
        try operate(on: &array, &model, item, position, isGrowing, using: &random)
      }
      #expect(array.count == model.count)
      if step % interval == 0 {
        try compare((array, model), ids.map(makeID), "seed \(seed), step \(step)")
        if step % (7 * interval) == 0 { versions.append((array, model)) }
      }
    }
    for (number, version) in versions.enumerated() {
      try #require(version.array.all == version.model, "seed \(seed): older version \(number) has changed")
      try #require(version.array.brokenInvariants() == [])
      // The difference from each version to the last one, and to the next one, with which it shares more.
      for newer in [(array, model), versions[min(number + 1, versions.count - 1)]] as [Version<ID>] {
        let difference = newer.array.changes(from: version.array)
        try #require(version.array.applying(difference) == newer.array, "seed \(seed), version \(number)")
        try #require(difference.isEmpty == (version.model == newer.model), "seed \(seed), version \(number)")
        try #require((version.array == newer.array) == (version.model == newer.model), "seed \(seed), version \(number)")
      }
    }
  }

  private func compare<ID: Hashable & Sendable>(_ version: Version<ID>, _ ids: [ID], _ place: String) throws {
    let (array, model) = version
    try #require(array.all == model, "\(place)")
    try #require(model.indices.map { array[$0] } == model, "\(place)")
    try #require(array.brokenInvariants() == [], "\(place)")
    let positions = Dictionary(uniqueKeysWithValues: model.enumerated().map { ($1.id, $0) })
    for id in ids {
      try #require(array[id: id] == positions[id].map { model[$0] }, "\(place)")
      try #require(array.index(of: id) == positions[id], "\(place)")
    }
  }

  private func operate<ID: Hashable & Sendable>(
    on array: inout IdentityArray<Item<ID>>, _ model: inout [Item<ID>], _ item: Item<ID>, _ position: Int, _ isGrowing: Bool,
    using random: inout SeededGenerator
  ) throws {
    let place = model.firstIndex { $0.id == item.id }
    func clamped(_ position: Int, _ end: Int) -> Int { max(0, min(position, end)) }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<(isGrowing ? 30 : 5):
      let old = array.put(item)
      #expect(old == place.map { model[$0] })
      if let place { model[place] = item } else { model.append(item) }
    case ..<(isGrowing ? 60 : 10):
      expectRefusal(if: place != nil) { () throws(Refusal) in try array.add(item, at: position) }
      if place == nil { model.insert(item, at: clamped(position, model.count)) }
    case ..<68:
      expectRefusal(if: place == nil) { () throws(Refusal) in try array.update(item) }
      if let place { model[place] = item }
    case ..<80:
      expectRefusal(if: place == nil) { () throws(Refusal) in try array.remove(id: item.id) }
      if let place { model.remove(at: place) }
    case ..<92:
      expectRefusal(if: place == nil) { () throws(Refusal) in try array.move(item.id, to: position) }
      if let place {
        let moved = model.remove(at: place)
        model.insert(moved, at: clamped(position, model.count))
      }
    default:
      let found = array.modify(id: item.id) { $0.value += 1_000 } != nil
      #expect(found == (place != nil))
      if let place { model[place].value += 1_000 }
    }
  }

  private func operateOnWhole<ID: Hashable & Sendable>(
    _ array: inout IdentityArray<Item<ID>>, _ model: inout [Item<ID>], using random: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      array.sort { $0.value % 16 < $1.value % 16 }
      model.sort { $0.value % 16 < $1.value % 16 }
    case 1:
      array.removeAll { $0.value % 5 == 0 }
      model.removeAll { $0.value % 5 == 0 }
    case 2:
      array.removeAll { $0.value % 7 != 0 }
      model.removeAll { $0.value % 7 != 0 }
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
