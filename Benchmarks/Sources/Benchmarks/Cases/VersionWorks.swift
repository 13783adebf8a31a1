import Alter
import CMemory
import HashTreeCollections
import OrderedCollections

/// The memory of 1,000 versions, one update apart. For the dictionary, which copies everything, fewer versions are kept. The figures are
/// per version.
func versionWorks(_ options: Options) -> [Work] {
  options.sizes.flatMap { n in [time(n).timed(by: .processor), memory(n)] }
}

private let versions = 1_000
private func copies(_ n: Int) -> Int { max(3, min(versions, 3_000_000 / n)) }

/// - Returns: The versions, which the caller keeps alive.
private func keep<Items>(_ holder: inout Holder<Items>, _ count: Int, _ update: (inout Holder<Items>) -> Void) -> [Items] {
  var kept: [Items] = []
  kept.reserveCapacity(count)
  for _ in 0..<count {
    kept.append(holder.items)
    update(&holder)
  }
  return kept
}

private func updateAlter(_ holder: inout Holder<IdentityArray<Item>>) { holder.items.put(holder.item()) }
private func updateOrdered(_ holder: inout Holder<OrderedDictionary<Int, Item>>) {
  let item = holder.item()
  holder.items.updateValue(item, forKey: item.id)
}
private func updateTree(_ holder: inout Holder<TreeDictionary<Int, Item>>) {
  let item = holder.item()
  holder.items.updateValue(item, forKey: item.id)
}

private func time(_ n: Int) -> Work {
  Work("1,000 versions, each", n) {
    [
      Contender("Alter", operations: versions, state: makeAlter(n)) { keep(&$0, versions, updateAlter).count },
      Contender(ordered, operations: copies(n), state: makeOrdered(n)) { keep(&$0, copies(n), updateOrdered).count },
      Contender(tree, operations: versions, state: makeTree(n)) { keep(&$0, versions, updateTree).count },
    ]
  }
}

private func memory(_ n: Int) -> Work {
  Work("1,000 versions, memory each", n, unit: .bytes, goals: n == 1_000_000 ? [ordered: .figure(atMost: 4_096)] : [:]) {
    func measure<Items>(_ holder: Holder<Items>, _ count: Int, _ update: (inout Holder<Items>) -> Void) -> Double {
      var holder = holder
      let before = Int(allocatedBytes())
      let kept = keep(&holder, count, update)
      // The memory of the list itself is subtracted.
      let list = kept.count * MemoryLayout<Items>.stride
      let bytes = withExtendedLifetime((kept, holder)) { Int(allocatedBytes()) - before - list }
      return Double(bytes) / Double(count)
    }
    return [
      ("Alter", measure(makeAlter(n), versions, updateAlter)), (ordered, measure(makeOrdered(n), copies(n), updateOrdered)),
      (tree, measure(makeTree(n), versions, updateTree)),
    ]
  }
}
