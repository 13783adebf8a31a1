import AlterCollections
import AlterTesting
import Testing

@Suite("The difference of two identity arrays")
struct IdentityArrayDifferenceTests {
  typealias Numbers = IdentityArray<Item<Int>>

  func numbers(_ ids: Int...) -> Numbers { Numbers(ids.map { Item(id: $0, value: 0) }) }
  func item(_ id: Int, _ value: Int = 0) -> Item<Int> { Item(id: id, value: value) }

  @Test("tells an identity that changed from one that went and one that came")
  func kinds() throws {
    let older = numbers(1, 2, 3)
    var newer = older
    try newer.remove(id: 1)
    try newer.update(item(2, 5))
    try newer.add(item(4), at: 1)
    let difference = newer.changes(from: older)
    #expect(difference == [.removed(item(1), from: 0), .updated(from: item(2), to: item(2, 5)), .inserted(item(4), at: 1)])
    #expect(older.applying(difference) == newer)
  }

  @Test("names only what moved among the others, and as few as possible")
  func moves() throws {
    let older = numbers(1, 2, 3, 4, 5)
    var newer = older
    try newer.move(1, to: 4)
    #expect(newer.changes(from: older) == [.moved(1, from: 0, to: 4)])
    try newer.add(item(9), at: 0)
    #expect(newer.changes(from: older) == [.inserted(item(9), at: 0), .moved(1, from: 0, to: 5)])
  }

  @Test("tells of an element that moved and changed in two steps")
  func movedAndUpdated() {
    let older = numbers(1, 2, 3)
    let newer: Numbers = [item(3, 8), item(1), item(2)]
    let difference = newer.changes(from: older)
    #expect(difference == [.moved(3, from: 2, to: 0), .updated(from: item(3), to: item(3, 8))])
    #expect(older.applying(difference) == newer)
  }

  @Test("is empty for equal versions, and everything between an empty one and another")
  func extremes() {
    let some = numbers(1, 2)
    #expect(some.changes(from: some).isEmpty)
    #expect(some.changes(from: Numbers()) == [.inserted(item(1), at: 0), .inserted(item(2), at: 1)])
    #expect(Numbers().changes(from: some) == [.removed(item(1), from: 0), .removed(item(2), from: 1)])
  }

  @Test("turns the older version into the newer one, whichever two they are", arguments: UInt64(1)...200)
  func anyTwo(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func version() -> Numbers {
      let ids = (0..<12).shuffled(using: &random).prefix(Int.random(in: 0...12, using: &random))
      return Numbers(ids.map { Item(id: $0, value: Int.random(in: 0...1, using: &random)) })
    }
    let older = version()
    let newer = version()
    let difference = newer.changes(from: older)
    #expect(older.applying(difference) == newer, "seed \(seed): \(difference)")
    let moved = difference.count { if case .moved = $0 { true } else { false } }
    let common = older.map(\.id).filter(newer.contains(id:))
    #expect(moved == common.count - longestCommonOrder(common, newer.map(\.id).filter(older.contains(id:))), "seed \(seed)")
  }

  /// The length of the longest common subsequence, by the textbook algorithm.
  private func longestCommonOrder(_ left: [Int], _ right: [Int]) -> Int {
    var row = Array(repeating: 0, count: right.count + 1)
    for element in left {
      var diagonal = 0
      for (column, other) in right.enumerated() {
        let above = row[column + 1]
        row[column + 1] = element == other ? diagonal + 1 : max(above, row[column])
        diagonal = above
      }
    }
    return row[right.count]
  }
}
