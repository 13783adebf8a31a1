import Alter
import AlterCore
import AlterTesting

/// A journal that runs an action before one of its readings: as if another process came between them.
final class MovingJournal: ForwardingJournal {
  private struct Plan {
    var left: Int
    var action: (@Sendable () async -> Void)?
  }

  let base: any Journal
  private let plan = Lock(Plan(left: 0))

  init(_ base: any Journal) { self.base = base }

  /// Runs an action before the n-th reading from now on.
  func before(reading number: Int, _ action: @escaping @Sendable () async -> Void) {
    plan.withLock { $0 = Plan(left: number, action: action) }
  }

  /// Whether the action still waits for its reading.
  var isWaiting: Bool { plan.withLock { $0.action != nil } }

  private func pass() async {
    let action = plan.withLock { plan -> (@Sendable () async -> Void)? in
      plan.left -= 1
      guard plan.left == 0 else { return nil }
      defer { plan.action = nil }
      return plan.action
    }
    await action?()
  }

  func head() async throws(JournalError) -> Head {
    await pass()
    return try await base.head()
  }
  func floor() async throws(JournalError) -> Head? {
    await pass()
    return try await base.floor()
  }
  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    await pass()
    return try await base.entries(after: revision, limit: limit)
  }
  func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
    await pass()
    return try await base.entry(id)
  }
  func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
    await pass()
    return try await base.snapshots(upTo: revision, limit: limit)
  }
  func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? {
    await pass()
    return try await base.snapshot(at: revision)
  }
  func compacted(_ ids: [EntryID]) async throws(JournalError) -> [EntryID: Revision] {
    await pass()
    return try await base.compactedRevisions(of: ids)
  }
}
