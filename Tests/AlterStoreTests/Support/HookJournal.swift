import Alter
import AlterCore
import AlterTesting

/// A journal with a hook before an append. It may also refuse to be read after one.
final class HookJournal: ForwardingJournal {
  let base: any Journal
  let beforeAppend = Lock<(@Sendable () async -> Void)?>(nil)
  let readFailure = Lock<JournalError?>(nil)
  let stray = Lock<Entry.Draft?>(nil)
  let isTransient = Lock(false)
  let lookUps = Lock(0)
  init(_ base: any Journal) { self.base = base }
  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    if let error = readFailure.withLock({ $0 }) { throw error }
    return try await base.entries(after: revision, limit: limit)
  }
  func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
    if lookUps.withLock({
      $0 += 1; return $0
    }) > 100 {
      throw JournalError(.damaged, journal: name, message: "was asked 100 times.")
    }
    return try await base.entry(id)
  }
  func head() async throws(JournalError) -> Head {
    if let error = readFailure.withLock({ $0 }) { throw error }
    return try await base.head()
  }
  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
    let hook = beforeAppend.withLock { hook in
      defer { hook = nil }
      return hook
    }
    if let hook { await hook() }
    if let draft = stray.withLock({ draft in
      defer { draft = nil }; return draft
    }) {
      let between = try await base.append([draft], after: head)
      let code: JournalError.Code = isTransient.withLock { $0 } ? .unavailable : .damaged
      defer { readFailure.withLock { $0 = JournalError(code, journal: "memory", message: "can't be read.") } }
      return try await base.append(drafts, after: between.head, in: turn, under: leases)
    }
    return try await base.append(drafts, after: head, in: turn, under: leases)
  }
}
