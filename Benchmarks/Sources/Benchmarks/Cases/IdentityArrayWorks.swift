import Alter
import HashTreeCollections
import OrderedCollections

/// A collection of items with its random generator and its previous version.
struct Holder<Items> {
  var items: Items
  var previous: Items?
  let count: Int
  var random = Random()

  mutating func id() -> Int { Item.id(random.next(count)) }

  mutating func item() -> Item {
    var item = Item(shared: random.next(count))
    item.priority = random.next(5)
    return item
  }
}

extension Item {
  /// An item whose title needs no allocation.
  init(shared number: Int) {
    id = Item.id(number)
    title = "Item"
  }
}

// Each candidate creates its own collection, because a copy would share storage with the original.
func makeAlter(_ n: Int) -> Holder<IdentityArray<Item>> { Holder(items: IdentityArray((0..<n).lazy.map { Item($0) }), count: n) }
func makeArray(_ n: Int) -> Holder<[Item]> { Holder(items: (0..<n).map { Item($0) }, count: n) }
func makeOrdered(_ n: Int) -> Holder<OrderedDictionary<Int, Item>> {
  Holder(items: OrderedDictionary(uniqueKeysWithValues: (0..<n).lazy.map { (Item.id($0), Item($0)) }), count: n)
}
func makeTree(_ n: Int) -> Holder<TreeDictionary<Int, Item>> {
  Holder(items: TreeDictionary(uniqueKeysWithValues: (0..<n).lazy.map { (Item.id($0), Item($0)) }), count: n)
}

let article = "filter + append"
let ordered = "OrderedDictionary"
let tree = "TreeDictionary"

func identityArrayWorks(_ options: Options) -> [Work] {
  options.sizes.flatMap { n in
    [
      update(n), updateRetained(n), append(n), remove(n), removeRetained(n), lookup(n), position(n), iterate(n), equality(n),
      difference(n),
    ]
  }.map { $0.timed(by: .processor) }
}

private func update(_ n: Int) -> Work {
  Work("update, unique", n, goals: n == 1_000_000 ? [ordered: .ratio(atMost: 1.2)] : [:]) {
    [
      Contender("Alter", state: makeAlter(n)) { (try? $0.items.update($0.item()))?.priority ?? 0 },
      Contender(ordered, state: makeOrdered(n)) {
        let item = $0.item()
        return $0.items.updateValue(item, forKey: item.id)?.priority ?? 0
      },
      Contender(tree, state: makeTree(n)) {
        let item = $0.item()
        return $0.items.updateValue(item, forKey: item.id)?.priority ?? 0
      },
      Contender(article, state: makeArray(n)) { holder in
        let item = holder.item()
        holder.items = holder.items.filter { $0.id != item.id } + [item]
        return holder.items.count
      },
    ]
  }
}

private func updateRetained(_ n: Int) -> Work {
  Work("update, older one retained", n, goals: n == 1_000_000 ? [ordered: .faster(atLeast: 2_500)] : [:]) {
    [
      Contender("Alter", state: makeAlter(n)) {
        $0.previous = $0.items
        return (try? $0.items.update($0.item()))?.priority ?? 0
      },
      Contender(ordered, state: makeOrdered(n)) {
        $0.previous = $0.items
        let item = $0.item()
        return $0.items.updateValue(item, forKey: item.id)?.priority ?? 0
      },
      Contender(tree, state: makeTree(n)) {
        $0.previous = $0.items
        let item = $0.item()
        return $0.items.updateValue(item, forKey: item.id)?.priority ?? 0
      },
    ]
  }
}

private func append(_ n: Int) -> Work {
  Work("append, from empty to n", n) {
    [
      Contender("Alter", operations: n, state: n) { n in
        var items = IdentityArray<Item>()
        for number in 0..<n { items.put(Item(shared: number)) }
        return items.count
      },
      Contender(ordered, operations: n, state: n) { n in
        var items = OrderedDictionary<Int, Item>()
        for number in 0..<n { items.updateValue(Item(shared: number), forKey: Item.id(number)) }
        return items.count
      },
      Contender(tree, operations: n, state: n) { n in
        var items = TreeDictionary<Int, Item>()
        for number in 0..<n { items.updateValue(Item(shared: number), forKey: Item.id(number)) }
        return items.count
      },
    ]
  }
}

private func remove(_ n: Int) -> Work {
  Work("remove, and append again", n) {
    [
      Contender("Alter", state: makeAlter(n)) {
        guard let item = $0.items.removeIfPresent(id: $0.id()) else { return 0 }
        $0.items.put(item)
        return item.priority
      },
      Contender(ordered, state: makeOrdered(n)) {
        guard let item = $0.items.removeValue(forKey: $0.id()) else { return 0 }
        $0.items.updateValue(item, forKey: item.id)
        return item.priority
      },
      Contender(tree, state: makeTree(n)) {
        guard let item = $0.items.removeValue(forKey: $0.id()) else { return 0 }
        $0.items.updateValue(item, forKey: item.id)
        return item.priority
      },
    ]
  }
}

private func removeRetained(_ n: Int) -> Work {
  Work("remove, append, retained", n) {
    [
      Contender("Alter", state: makeAlter(n)) {
        $0.previous = $0.items
        guard let item = $0.items.removeIfPresent(id: $0.id()) else { return 0 }
        $0.items.put(item)
        return item.priority
      },
      Contender(ordered, state: makeOrdered(n)) {
        $0.previous = $0.items
        guard let item = $0.items.removeValue(forKey: $0.id()) else { return 0 }
        $0.items.updateValue(item, forKey: item.id)
        return item.priority
      },
      Contender(tree, state: makeTree(n)) {
        $0.previous = $0.items
        guard let item = $0.items.removeValue(forKey: $0.id()) else { return 0 }
        $0.items.updateValue(item, forKey: item.id)
        return item.priority
      },
    ]
  }
}

private func lookup(_ n: Int) -> Work {
  let goals: [Int: Goal] = [100_000: .ratio(atMost: 1.3), 1_000_000: .ratio(atMost: 3)]
  return Work("lookup by id", n, goals: goals[n].map { [ordered: $0] } ?? [:]) {
    [
      Contender("Alter", state: makeAlter(n)) { $0.items[id: $0.id()]?.priority ?? 0 },
      Contender(ordered, state: makeOrdered(n)) { $0.items[$0.id()]?.priority ?? 0 },
      Contender(tree, state: makeTree(n)) { $0.items[$0.id()]?.priority ?? 0 },
    ]
  }
}

private func position(_ n: Int) -> Work {
  Work("access by position", n, goals: ["Array": .ratio(atMost: 4)]) {
    [
      Contender("Alter", state: makeAlter(n)) { $0.items[$0.random.next($0.count)].priority },
      Contender("Array", state: makeArray(n)) { $0.items[$0.random.next($0.count)].priority },
    ]
  }
}

private func iterate(_ n: Int) -> Work {
  Work("iterate, an element", n, goals: ["Array": .ratio(atMost: 2)]) {
    [
      Contender("Alter", operations: n, state: makeAlter(n)) {
        var sum = 0
        for item in $0.items { sum &+= item.priority &+ item.id }
        return sum
      },
      Contender("Array", operations: n, state: makeArray(n)) {
        var sum = 0
        for item in $0.items { sum &+= item.priority &+ item.id }
        return sum
      },
      Contender(ordered, operations: n, state: makeOrdered(n)) {
        var sum = 0
        for item in $0.items.values { sum &+= item.priority &+ item.id }
        return sum
      },
      Contender(tree, operations: n, state: makeTree(n)) {
        var sum = 0
        for item in $0.items.values { sum &+= item.priority &+ item.id }
        return sum
      },
    ]
  }
}

/// Compares equal versions that don't share the changed parts: ten updates, each followed by its reversal.
private func equality(_ n: Int) -> Work {
  Work("==, 10 changed and back", n, goals: n == 1_000_000 ? [ordered: .figure(atMost: 100_000)] : [:]) {
    var alter = makeAlter(n)
    let older = alter.items
    for _ in 0..<10 {
      let id = alter.id()
      alter.items.modify(id: id) { $0.priority += 1 }
      alter.items.modify(id: id) { $0.priority -= 1 }
    }
    alter.previous = older
    var dictionary = makeOrdered(n)
    dictionary.previous = dictionary.items
    dictionary.items[Item.id(0)] = dictionary.items[Item.id(0)]
    return [
      Contender("Alter", state: alter) { $0.items == $0.previous ? 1 : 0 },
      Contender(ordered, state: dictionary) { $0.items == $0.previous ? 1 : 0 },
    ]
  }
}

private func difference(_ n: Int) -> Work {
  Work("changes of 10 updates", n, goals: n == 1_000_000 ? [ordered + ", by id": .figure(atMost: 100_000)] : [:]) {
    var alter = makeAlter(n)
    alter.previous = alter.items
    var dictionary = makeOrdered(n)
    dictionary.previous = dictionary.items
    for _ in 0..<10 {
      let id = alter.id()
      alter.items.modify(id: id) { $0.priority += 1 }
      dictionary.items[id]?.priority += 1
    }
    return [
      Contender("Alter", state: alter) { $0.items.changes(from: $0.previous ?? []).count },
      Contender(ordered + ", by id", state: dictionary) { holder in
        guard let previous = holder.previous else { return 0 }
        var changed = previous.keys.count { holder.items[$0] == nil }
        for (id, item) in holder.items where previous[id] != item { changed += 1 }
        return changed
      },
    ]
  }
}
