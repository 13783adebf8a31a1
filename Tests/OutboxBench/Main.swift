import Alter
import AlterCore
import AlterJournal
import AlterSQLite
import AlterStore
import AlterSync
import AlterSyncCore
import Foundation

/// A state that counts its notes, so that the time is that of the outbox.
struct Desk: Journaled, Hashable {
  enum Change: Hashable, Codable, Sendable { case note(String) }
  typealias Failure = Refusal

  var count = 0
  var last = ""
  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    guard case .note(let text) = change else { return }
    count += 1
    last = text
  }
}

/// Measures a device's file: writes a long outbox, opens it, sends it in pages of 1,000, and opens the drained file.
///
/// ```
/// outbox-bench NUMBER-OF-DRAFTS
/// ```
@main struct Main {
  static func time<R>(_ what: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R) async rethrows -> R {
    let start = ContinuousClock.now
    let result = try await body()
    print(what, ContinuousClock.now - start)
    return result
  }
  static func main() async throws {
    guard let total = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }), total > 0 else {
      return print("usage: outbox-bench NUMBER-OF-DRAFTS")
    }
    let path = FileManager.default.temporaryDirectory.path + "/bench-\(UUID().uuidString).db"
    let ann = Principal("ann")
    func open() async throws -> DeviceStorage { try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: ann) }
    var storage = try await open()
    let origin = Origin(UUID())
    try await storage.open(as: origin)
    let drafts = try (1...total).map { n in
      SyncDraft(
        id: EntryID(origin: origin, sequence: Int64(n)), time: Int64(n),
        content: .changes(try JournalCoding.encode([Desk.Change.note("note \(n) of many")])))
    }
    try await time("enqueue") {
      var rest = drafts[...]
      while !rest.isEmpty { try await storage.enqueue(rest.prefix(1000).map(\.stored)); rest = rest.dropFirst(1000) }
    }
    await storage.close()
    storage = try await time("open storage") { try await open() }
    let file = SyncedFile(storage, initial: Desk(), window: 1000)
    let store = try await time("open store") { try await Store.open(Desk(), in: file) }
    precondition(store.state.count == total)
    _ = try await time("contents (the outbox of the driver)") { try await storage.contents().outbox.drafts.count }
    var head = Head(empty: JournalID(UUID()))
    var entries: [SyncEntry] = [
      SyncEntry(.initial(EntryID(origin: Origin(UUID()), sequence: 1), try JournalCoding.encode(Desk())), receipt: nil, after: head)
    ]
    head = head.advanced(by: entries[0].stored)
    for d in drafts { let e = SyncEntry(.draft(d), receipt: nil, after: head); head = head.advanced(by: e.stored); entries.append(e) }
    let lineage = Lineage(Generation(1))
    try await time("drain") {
      var (requests, absorbs) = (Duration.zero, Duration.zero)
      while true {
        var start = ContinuousClock.now
        let request = try await storage.request(for: .push, limits: SyncLimits())
        requests += ContinuousClock.now - start
        guard case .push(let sent) = request.body, !sent.isEmpty else { break }
        var page = Page(head.journal, lineage)
        let from = Int(request.position?.revision.number ?? 0)
        page.entries = Array(entries[from..<min(entries.count, from + 1000 + (from == 0 ? 1 : 0))])
        for s in sent { page.lines.append(VerdictLine(id: s.id, hash: s.hash, verdict: .accepted(Revision(s.id.sequence + 1)))) }
        page.head = Head(journal: head.journal, revision: page.entries.last!.revision, checksum: page.entries.last!.checksum)
        start = .now
        let reply = try await storage.absorb(.page(page), to: request)
        absorbs += ContinuousClock.now - start
        guard case .page = reply else { fatalError("\(reply)") }
      }
      print("  requests", requests, "absorbs", absorbs)
      while !store.unconfirmed.isEmpty { await Task.yield() }
    }
    precondition(store.state.count == total && store.confirmed.state.count == total)
    await store.close()
    let again = try await open()
    let next = try await time("open the drained store") {
      try await Store.open(Desk(), in: SyncedFile(again, initial: Desk(), window: 1000))
    }
    precondition(next.state.count == total)
    await next.close()
  }
}
