import Alter
import AlterJournal
import AlterSQLite
import CMemory
import Foundation

/// A hot path whose instructions `script/benchmark --instructions` counts under callgrind, and compares with `Benchmarks/instructions.txt`.
///
/// The state is made, and a part of the repetitions is run, before the count begins: neither the start of the process nor look-ups of types at
/// the first use are counted.
struct HotPath: Sendable {
  /// The name in the table.
  let name: String
  /// The number of counted repetitions, and of those before them.
  let repetitions: Int
  let contender: @Sendable () -> Contender

  private init(_ name: String, repetitions: Int, contender: @escaping @Sendable () -> Contender) {
    self.name = name
    self.repetitions = repetitions
    self.contender = contender
  }

  static let all = [
    // More repetitions than the undo window has entries: it is full when the count begins.
    HotPath("change in memory", repetitions: 2_000) { memory(observers: 0) },
    HotPath("change in memory, one observer", repetitions: 2_000) { memory(observers: 1) },
    HotPath("change and undo, in memory", repetitions: 2) { undo() },
    HotPath("append to a SQLite file", repetitions: 4) { appending() },
    HotPath("lookup by id, 100,000 elements", repetitions: 10_000) {
      Contender("Alter", state: makeAlter(elements)) { $0.items[id: $0.id()]?.priority ?? 0 }
    },
    HotPath("update, older version retained, 100,000 elements", repetitions: 2_000) {
      Contender("Alter", state: makeAlter(elements)) {
        $0.previous = $0.items
        return (try? $0.items.update($0.item()))?.priority ?? 0
      }
    },
    HotPath("deep change in place, five levels of 10,000 elements", repetitions: 2_000) {
      Contender("Alter", state: (company: Company(0, siblings: 10_000), text: 0)) { state in
        state.text &+= 1
        do { try state.company.apply(deep(10_000, state.text), at: .none) } catch { return -1 }
        return state.text
      }
    },
    HotPath("encoding a change", repetitions: 5_000) {
      Contender("Alter", state: change) { (try? JournalCoding.encode($0))?.count ?? 0 }
    },
    HotPath("decoding a snapshot, each element", repetitions: 20) {
      guard let bytes = try? JournalCoding.encode(Document(lineCount: 1_000)) else { fatalError("The document can't be encoded.") }
      return Contender("Alter", operations: 1_000, state: bytes) { (try? JournalCoding.decode(Document.self, from: $0))?.lines.count ?? 0 }
    },
    HotPath("opening without a snapshot, each entry", repetitions: 1) { opening() },
  ]
}

/// Runs a hot path, and prints the number of counted operations.
func runHotPath(_ name: String) {
  guard let path = HotPath.all.first(where: { $0.name == name }) else { fatalError("There is no hot path '\(name)'.") }
  let contender = path.contender()
  contender.run(repetitions: path.repetitions)
  startCounting()
  contender.run(repetitions: path.repetitions)
  stopCounting()
  print(path.repetitions * contender.operations)
}

private let elements = 100_000

/// A change of about 100 bytes.
private let change = Document.Change.line(
  7, .text("A text that is about as long as texts are in an app, so that the change has a hundred bytes: 7"))

private func memory(observers: Int) -> Contender {
  let store = Store(TenFields())
  let tokens = (0..<observers).map { _ in store.observe { _, state in consume(state.count) } }
  return Contender("Alter", state: (store: store, tokens: tokens, count: 0)) { state in
    state.count &+= 1
    _ = try? state.store.change(.count(state.count))
    return state.count
  }
}

/// One task makes several changes, so that the waits of this thread for the task are not counted.
private let turns = 20

private func undo() -> Contender {
  Contender("Alter", operations: turns, state: (store: Store(TenFields()), count: 0)) { state in
    state.count &+= turns
    let (store, start) = state
    return waiting {
      for number in 0..<turns {
        try store.change(.count(start + number))
        try await store.undo()
      }
      return store.state.count
    }
  }
}

/// Without a store's writer, whose waits differ from run to run.
private func appending() -> Contender {
  let path = runFolder.appendingPathComponent("hot-path.alter").path
  let origin = Origin.random()
  guard let payload = try? JournalCoding.encode([change]) else { fatalError("The change can't be encoded.") }
  let (journal, head) = waiting {
    let journal = try await SQLiteJournal(at: path)
    let initial = Entry.Draft(
      kind: .initial, id: EntryID(origin: origin, sequence: 1), time: 0, payload: try JournalCoding.encode(Document(lineCount: 1)))
    return (journal, try await journal.append([initial], after: try await journal.head()).head)
  }
  return Contender("Alter", operations: turns, state: head) { state in
    let start = state
    state = waiting {
      var head = start
      for _ in 0..<turns {
        let id = EntryID(origin: origin, sequence: head.revision.number + 1)
        head = try await journal.append([Entry.Draft(kind: .changes, id: id, time: 0, payload: payload)], after: head).head
      }
      return head
    }
    return Int(state.revision.number)
  }
}

private func opening() -> Contender {
  let entries = 2_000
  let path = runFolder.appendingPathComponent("hot-path-opening.alter").path
  let initial = Document(lineCount: 100)
  waiting {
    let journal = try await SQLiteJournal(at: path)
    let origin = Origin.random()
    let payload = try JournalCoding.encode([change])
    var drafts = [
      Entry.Draft(kind: .initial, id: EntryID(origin: origin, sequence: 1), time: 0, payload: try JournalCoding.encode(initial))
    ]
    for number in 2...entries {
      drafts.append(Entry.Draft(kind: .changes, id: EntryID(origin: origin, sequence: Int64(number)), time: 0, payload: payload))
    }
    _ = try await journal.append(drafts, after: try await journal.head())
    await journal.close()
  }
  return Contender("Alter", operations: entries, state: initial) { initial in
    let initial = initial
    return waiting {
      var options = StoreOptions()
      options.snapshotSpacing = .max
      let store = try await Store.open(initial, in: SQLiteJournal(at: path), options: options)
      let count = store.state.lines.count
      await store.close()
      return count
    }
  }
}
