#if Postgres && SQLite
  import Alter
  import AlterInspector
  import AlterJournal
  import AlterSQLite
  import AlterStore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The times of one measured operation.
  struct Result: Sendable {
    var name: String
    var time: Duration
    /// The processor time of this process. A busy machine increases it less than the time.
    var processor: Duration

    /// The mean of several results.
    static func mean(of results: [Result], _ name: String) -> Result {
      Result(
        name: name, time: results.map(\.time).reduce(.zero, +) / results.count,
        processor: results.map(\.processor).reduce(.zero, +) / results.count)
    }

    /// A part of this result.
    static func / (result: Result, count: Int) -> Result {
      Result(name: result.name, time: result.time / count, processor: result.processor / count)
    }
  }

  /// One measured use of a journal. Each runs in a process of its own, because the largest memory of a process never decreases.
  struct Step: Sendable {
    let name: String
    let run: @Sendable (Target) async throws -> [Result]
  }

  /// The measured uses.
  enum Steps {
    static let all = [
      Step(name: "open") { target in try await opening("open", Board(), target) },
      Step(name: "open-next") { target in try await opening("open with the next schema", NextBoard(), target) },
      Step(name: "append", run: append),
      Step(name: "undo", run: undo),
      Step(name: "state", run: state),
      Step(name: "inspector", run: inspector),
      Step(name: "verify") { target in
        let journal = try await target.journal()
        return [try await measure("verify the checksums and the storage") { try await journal.verify() }]
      },
      Step(name: "verify-states") { target in
        let journal = try await target.journal()
        return [try await measure("verify also every state and snapshot") { try await Store<Board>.verify(journal) }]
      },
      Step(name: "backup", run: backup),
      Step(name: "export") { target in
        let journal = try await target.journal()
        return [try await measure("export as JSON lines") { try await journal.export { _ in } }]
      },
    ]

    /// Opens a store five times: the first time in this process, and the others.
    private static func opening<State: Journaled>(_ name: String, _ initial: State, _ target: Target) async throws -> [Result] {
      var results: [Result] = []
      for number in 0..<5 {
        var store: Store<State>?
        results.append(
          try await measure("\(name), \(number == 0 ? "first" : "again")") {
            store = try await Store.open(initial, in: target.journal())
          })
        if let store, !(await store.close()).isEmpty { throw Failure("Changes were not written.") }
      }
      return [results[0], .mean(of: Array(results[1...]), results[1].name)]
    }

    private static func append(_ target: Target) async throws -> [Result] {
      let store = try await Store.open(Board(), in: target.journal())
      let one = try await measure("append one durable change") {
        for number in 0..<200 { try await store.change(Board.change(Int64(number))).durable() }
      }
      let many = try await measure("append 10,000 changes at once") {
        for number in 0..<10_000 { _ = try store.change(Board.change(Int64(number))) }
        try await store.change([]).durable()
      }
      await store.close()
      return [one / 200, many]
    }

    private static func undo(_ target: Target) async throws -> [Result] {
      let store = try await Store.open(Board(), in: target.journal())
      for number in 0..<50 { _ = try store.change(Board.change(Int64(number))) }
      let undos = try await measure("undo") { for _ in 0..<50 { _ = try await store.undo() } }
      await store.close()
      return [undos / 50]
    }

    private static func state(_ target: Target) async throws -> [Result] {
      let journal = try await target.journal()
      let head = try await journal.head().revision.number
      var results: [Result] = []
      for part in 0...20 {
        let revision = Revision(max(1, head * Int64(part) / 20))
        results.append(
          try await measure("state(at:), the slowest of 21 places") { _ = try await Store<Board>.state(at: revision, in: journal) })
      }
      return [.mean(of: results, "state(at:), the mean of 21 places"), results.max { $0.time < $1.time } ?? results[0]]
    }

    private static func inspector(_ target: Target) async throws -> [Result] {
      let journal = try await target.journal()
      let inspection = Inspection(of: journal, as: Board.self)
      defer { inspection.end() }
      let middle = try await journal.head().revision.number / 2
      return [
        try await measure("inspector: the newest 100 rows") { _ = try await inspection.entries(before: nil, limit: 100) },
        try await measure("inspector: a state in the middle") { _ = try await inspection.state(at: middle) },
        try await measure("inspector: its index of all entries") { _ = try await inspection.stats() },
        try await measure("inspector: 100 rows in the middle") { _ = try await inspection.entries(after: middle, limit: 100) },
        try await measure("inspector: statistics, with the index") { _ = try await inspection.stats() },
      ]
    }

    private static func backup(_ target: Target) async throws -> [Result] {
      // A PostgreSQL database is backed up by its own tools.
      guard target.isFile else { return [] }
      let journal = try await SQLiteJournal(at: target.address)
      let copy = target.address + ".backup"
      defer { try? FileManager.default.removeItem(atPath: copy) }
      return [try await measure("backup") { try await journal.backup(to: copy) }]
    }

    private static func measure(_ name: String, _ body: () async throws -> Void) async throws -> Result {
      let clock = ContinuousClock()
      let (start, processor) = (clock.now, Usage.now.processor)
      try await body()
      return Result(name: name, time: clock.now - start, processor: Usage.now.processor - processor)
    }
  }
#endif
