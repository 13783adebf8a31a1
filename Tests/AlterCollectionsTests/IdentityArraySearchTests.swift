import AlterCollections
import Testing

/// Searches guess that every node is full. Here most are not, in different ways, and every element must still be found.
@Suite("Searching a collection whose nodes are not full", .timeLimit(.minutes(20)))
struct IdentityArraySearchTests {
  private struct Thing: Identifiable, Equatable, Sendable {
    let id: Int
  }

  /// The number of elements of a tree with three levels of branches.
  private static let count = 20_000

  enum Disorder: CaseIterable, Sendable {
    case none, removedAtEnd, removedAtFront, everySecondRemoved, insertedAtFront, insertedInside, reversed, sorted
  }

  @Test("every element is found by its id and its position", arguments: Disorder.allCases)
  func finds(_ disorder: Disorder) throws {
    var things = IdentityArray((0..<Self.count).map { Thing(id: $0) })
    var model = Array(0..<Self.count)
    switch disorder {
    case .none: break
    case .removedAtEnd:
      // The tree loses a level, and gets it again.
      for id in (100..<Self.count).reversed() {
        try things.remove(id: id)
        if id % 97 == 0 { #expect(things[id - 1].id == id - 1 && things.brokenInvariants() == []) }
      }
      for id in 100..<Self.count { things.put(Thing(id: id)) }
    case .removedAtFront:
      for id in 0..<5_000 { try things.remove(id: id) }
      model.removeFirst(5_000)
    case .everySecondRemoved:
      for id in stride(from: 0, to: Self.count, by: 2) { try things.remove(id: id) }
      model.removeAll { $0 % 2 == 0 }
    case .insertedAtFront:
      for id in Self.count..<Self.count + 2_000 { try things.add(Thing(id: id), at: 0) }
      model.insert(contentsOf: (Self.count..<Self.count + 2_000).reversed(), at: 0)
    case .insertedInside:
      for id in Self.count..<Self.count + 2_000 { try things.add(Thing(id: id), at: 7_777) }
      model.insert(contentsOf: (Self.count..<Self.count + 2_000).reversed(), at: 7_777)
    case .reversed:
      for id in 1..<Self.count { try things.move(id, to: 0) }
      model.reverse()
    case .sorted:
      things.sort { ($0.id % 100, $0.id) < ($1.id % 100, $1.id) }
      model = (0..<100).flatMap { stride(from: $0, to: Self.count, by: 100) }
    }
    #expect(things.brokenInvariants() == [])
    #expect(things.count == model.count)
    var misplaced: [Int] = []
    for (position, id) in model.enumerated()
    where things[position].id != id || things[id: id] != Thing(id: id) || things.index(of: id) != position { misplaced.append(position) }
    #expect(misplaced == [])
    // An update finds its element by the same guesses.
    for id in model where (try? things.update(Thing(id: id))) == nil { misplaced.append(id) }
    #expect(misplaced == [] && things.map(\.id) == model)
  }
}
