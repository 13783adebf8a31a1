#if Postgres
  import AlterCore
  import AlterJournal
  import Foundation

  /// Makes drafts of one origin, numbered 1, 2, 3 …
  struct TestWriter {
    let origin = Origin.random()
    private var sequence: Int64 = 0

    mutating func draft(_ payload: String = #"["x"]"#) -> Entry.Draft {
      sequence += 1
      return Entry.Draft(kind: .changes, id: EntryID(origin: origin, sequence: sequence), time: sequence, payload: Data(payload.utf8))
    }

    mutating func drafts(_ count: Int) -> [Entry.Draft] {
      var drafts: [Entry.Draft] = []
      for number in 0..<count { drafts.append(draft("[\(number)]")) }
      return drafts
    }
  }

  /// Counts 0, 1, 2 … for several threads.
  final class Counter: Sendable {
    private let value = Lock(0)

    func next() -> Int {
      value.withLock { value in
        defer { value += 1 }
        return value
      }
    }
  }
#endif
