import AlterSyncCore
import AlterTesting
import Testing

@Suite("A list by keys")
struct KeyedListTests {
  private struct Item: Keyed, Hashable {
    let key: Int
    let text: String
  }

  @Test("agrees with an array after any operations, and records what a transaction has changed")
  func model() {
    for seed in 0..<100 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var list = KeyedList<Item>()
      var (array, before): ([Item], [Item]) = ([], [])
      for step in 0..<200 {
        switch random.below(8) {
        case 0..<4:
          let item = Item(key: random.below(60), text: "\(step)")
          let isNew = !array.contains { $0.key == item.key }
          #expect(list.append(item) == isNew)
          if isNew { array.append(item) }
        case 4..<6:
          let key = random.below(60)
          let removed = array.first { $0.key == key }
          #expect(list.remove(key) == removed)
          array.removeAll { $0.key == key }
        case 6:
          let rest = random.below(9)
          list.removeAll { $0.key % 9 == rest }
          array.removeAll { $0.key % 9 == rest }
        default:
          list.beginTransaction()
          before = array
        }
        #expect(list.elements == array && list.count == array.count && list.isEmpty == array.isEmpty && list.last == array.last)
        #expect(Set(list.removed) == Set(before).subtracting(array))
        #expect(list.added == array.filter { !before.contains($0) })
        let key = random.below(60)
        #expect(list[key] == array.first { $0.key == key } && list.contains(key) == (list[key] != nil))
        guard let place = list.place(of: key), let index = array.firstIndex(where: { $0.key == key }) else { continue }
        #expect(list.element(before: place) == (index > 0 ? array[index - 1] : nil))
        var rest: [Item] = []
        list.forEach(from: place) { _, item in
          rest.append(item)
          return rest.count < 3
        }
        #expect(rest == Array(array[index...].prefix(3)))
      }
    }
  }
}
