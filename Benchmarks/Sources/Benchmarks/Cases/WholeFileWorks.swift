import Alter
import AlterSQLite
import Foundation

// The approach of apps without a journal: the whole state is written as JSON after each change.

/// A realistic list of items.
struct WholeList: Journaled {
  struct Item: Identifiable, Hashable, Codable, Alterable {
    enum Change: Codable, Hashable { case done(Bool) }

    let id: Int
    private(set) var text: String
    private(set) var isDone = false

    init(id: Int) { (self.id, text) = (id, "A thing to do that is described in some words, number \(id)") }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .done(let isDone): self.isDone = isDone
      }
    }
  }

  enum Change: Codable, Hashable { case item(Int, Item.Change) }

  private(set) var items: IdentityArray<Item>

  init(count: Int) { items = IdentityArray((0..<count).map { Item(id: $0) }) }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .item(let id, let change): try items.apply(change, to: id, at: stamp)
    }
  }
}

/// Encodes the whole state and replaces the old file. It does not sync, as in the articles; this is the best case for the approach.
private struct WholeFile {
  var items: [WholeList.Item]
  let path: URL
  var count = 0

  mutating func change() -> Int {
    count &+= 1
    let place = count &* 7_919 % items.count
    items[place] = items[place].alter(.done(count % 2 == 0))
    guard let data = try? JSONEncoder().encode(items), (try? data.write(to: path, options: .atomic)) != nil else {
      fatalError("can't write")
    }
    return data.count
  }
}

func wholeFileWorks(_ options: Options) -> [Work] {
  [1_000, 10_000, 100_000].map { n in
    let baseline = "whole file as JSON, unsynced"
    return Work("durable change of an item", n, goals: n == 100_000 ? [baseline: .faster(atLeast: 50)] : [:]) {
      let path = runFolder.appendingPathComponent("list-\(n).alter").path
      let store = waiting { try await Store.open(WholeList(count: n), in: SQLiteJournal(at: path)) }
      return [
        Contender("Alter", state: (store: store, count: 0)) { state in
          state.count &+= 1
          let (store, count) = (state.store, state.count)
          return waiting {
            Int(try await store.change(.item(count &* 7_919 % n, .done(count % 2 == 0))).confirmed().number)
          }
        },
        Contender(
          baseline, state: WholeFile(items: Array(WholeList(count: n).items), path: runFolder.appendingPathComponent("list-\(n).json"))
        ) {
          $0.change()
        },
      ]
    }
  }
}
