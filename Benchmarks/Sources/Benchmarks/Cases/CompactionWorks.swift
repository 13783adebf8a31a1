import Alter
import AlterJournal
import AlterSQLite
import Foundation

#if Postgres
  import AlterPostgres
#endif

/// The longest wait of a writer while another handle compacts the journal. The baseline is the same writer beside nothing.
func compactionWorks(_ options: Options) -> [Work] {
  let entries = options.isQuick ? 20_000 : 500_000
  var works = [
    wait("longest wait beside compact", entries) {
      let path = runFolder.appendingPathComponent("compaction.alter").path
      // Another durability: a connection of its own, as in another process.
      return { try await SQLiteJournal(at: path, durability: $0 == .command ? .full : .relaxed) }
    }
  ]
  #if Postgres
    works.append(
      wait("postgres, longest wait beside compact", entries) {
        let key = "compaction \(UUID().uuidString)"
        // The first compaction migrates the tables. Those of the other works stay as they are.
        let schema = "compacted"
        waiting {
          let small: Opening = { _ in
            try await PostgresJournal(at: BenchmarkServer.shared.address(), key: "small \(key)", schema: schema)
          }
          try await fill(small, 1_000)
          try await compact(small, 1_000)
        }
        // Another application name: connections of its own, as in another process.
        return { try await PostgresJournal(at: BenchmarkServer.shared.address("\($0)"), key: key, schema: schema) }
      })
  #endif
  return works
}

private enum Handle: Sendable { case writer, command }

private typealias Opening = @Sendable (Handle) async throws -> any Journal

private func wait(_ name: String, _ entries: Int, _ begin: @escaping () -> Opening) -> Work {
  Work(name, entries, unit: .nanoseconds, goals: ["beside nothing": .figure(atMost: 50e6)]) {
    let open = begin()
    return waiting {
      try await fill(open, entries)
      let alone = try await longestWait(open) { try await Task.sleep(for: .milliseconds(500)) }
      let beside = try await longestWait(open) { try await compact(open, entries) }
      return [("Alter", beside), ("beside nothing", alone)]
    }
  }
}

/// Gives up nine tenths of the entries.
private func compact(_ open: Opening, _ entries: Int) async throws {
  let journal = try await open(.command)
  let plan = try await journal.compactionPlan(keeping: .last(entries / 10))
  guard plan.entries >= entries / 10 * 9 else { fatalError("The plan: \(plan)") }
  try await journal.compact(plan)
  await journal.close()
}

/// Appends small entries, and stores a snapshot after nine tenths of them.
private func fill(_ open: Opening, _ entries: Int) async throws {
  let journal = try await open(.writer)
  let origin = Origin.random()
  var head = try await journal.head()
  let base = entries / 10 * 9
  let batch = min(entries / 10, 1_000)
  for start in stride(from: 0, to: entries, by: batch) {
    var drafts: [Entry.Draft] = []
    for number in start..<start + batch {
      let payload = number == 0 ? "{}" : #"[{"text":{"_0":"a text of usual length"}}]"#
      let kind: Entry.Kind = number == 0 ? .initial : .changes
      let id = EntryID(origin: origin, sequence: Int64(number + 1))
      drafts.append(Entry.Draft(kind: kind, id: id, time: Int64(number), payload: Data(payload.utf8)))
    }
    head = try await journal.append(drafts, after: head).head
    if head.revision.number == Int64(base) {
      try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: Int64(base) * 100, payload: Data("{}".utf8)))
    }
  }
  await journal.close()
}

/// Appends one entry after the other while a work runs, and returns the longest time that an append took.
private func longestWait(_ open: Opening, during work: @escaping @Sendable () async throws -> Void) async throws -> Double {
  let journal = try await open(.writer)
  let origin = Origin.random()
  var head = try await journal.head()
  let isDone = Done()
  let working = Task {
    try await work()
    isDone.set()
  }
  var longest: UInt64 = 0
  var sequence: Int64 = 0
  while !isDone.value {
    sequence += 1
    let draft = Entry.Draft(
      kind: .changes, id: EntryID(origin: origin, sequence: sequence), time: 0, payload: Data(#"[{"text":{"_0":"beside"}}]"#.utf8))
    let start = BenchmarkClock.wall.nanoseconds
    head = try await journal.append([draft], after: head).head
    longest = max(longest, UInt64(BenchmarkClock.wall.nanoseconds - start))
  }
  try await working.value
  await journal.close()
  return Double(longest)
}

/// Whether a task has ended.
///
/// `@unchecked Sendable`: the lock guards the only property.
private final class Done: @unchecked Sendable {
  private let lock = NSLock()
  private var isSet = false
  var value: Bool { lock.withLock { isSet } }
  func set() { lock.withLock { isSet = true } }
}
