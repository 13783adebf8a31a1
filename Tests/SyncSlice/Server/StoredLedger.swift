import AlterCore
import AlterJournal
import AlterSyncCore
import Foundation

/// A server's journal as a file.
struct StoredLedger: Codable {
  private struct Damaged: Error {}

  private let journal: JournalID
  private let generations: WireLineage
  private let schema: Int
  private let entries: [WireEntry]
  /// The principal of each origin.
  private let principals: [String: String]

  init(_ ledger: Ledger<SyncedList>) {
    (journal, generations, schema) = (ledger.head.journal, WireLineage(ledger.lineage), ledger.schema)
    entries = ledger.entries.map { WireEntry($0, reason: ledger.reasons[$0.id]) }
    principals = Dictionary(uniqueKeysWithValues: ledger.origins.map { ($0.key.uuid.uuidString, $0.value.principal) })
  }

  func save(_ url: URL) throws { try JSONEncoder().encode(self).write(to: url, options: .atomic) }

  static func load(_ url: URL) throws -> Ledger<SyncedList> {
    let stored = try JSONDecoder().decode(StoredLedger.self, from: Data(contentsOf: url))
    let entries = stored.entries.entries(after: Head(empty: stored.journal))
    guard let first = entries.first, case .initial = first.body else { throw Damaged() }
    var ledger = Ledger<SyncedList>(
      stored.journal, lineage: stored.generations.lineage, initial: first.body, window: 100, schema: stored.schema)
    for (entry, wire) in zip(entries, stored.entries).dropFirst() {
      guard entry.follows(ledger.head) else { throw Damaged() }
      let principal = stored.principals[entry.id.origin.uuid.uuidString].map { Principal($0) }
      ledger.append(entry.body, by: principal, receipt: entry.receipt, reason: wire.reason?.text)
    }
    return ledger
  }
}
