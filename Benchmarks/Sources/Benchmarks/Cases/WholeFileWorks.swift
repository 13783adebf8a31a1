import Alter
import AlterSQLite
import Foundation

// The approach of apps without a journal: the whole state is written as JSON after each change.

/// A line as such an app would write it.
private struct PlainLine: Codable {
  let id: Int
  let text: String
  var isDone: Bool
}

/// Encodes the whole state and replaces the old file. It does not sync, as in the articles; this is the best case for the approach.
private struct WholeFile {
  var lines: [PlainLine]
  let path: URL
  var count = 0

  mutating func change() -> Int {
    count &+= 1
    lines[count &* 7_919 % lines.count].isDone = count % 2 == 0
    guard let data = try? JSONEncoder().encode(lines), (try? data.write(to: path, options: .atomic)) != nil else {
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
      let document = Document(lineCount: n)
      let store = waiting { try await Store.open(document, in: SQLiteJournal(at: path)) }
      return [
        Contender("Alter", state: (store: store, count: 0)) { state in
          state.count &+= 1
          let (store, count) = (state.store, state.count)
          return waiting {
            Int(try await store.change(.line(count &* 7_919 % n, .isDone(count % 2 == 0))).confirmed().number)
          }
        },
        Contender(
          baseline,
          state: WholeFile(
            lines: document.lines.map { PlainLine(id: $0.id, text: $0.text, isDone: $0.isDone) },
            path: runFolder.appendingPathComponent("list-\(n).json"))
        ) {
          $0.change()
        },
      ]
    }
  }
}
