import Alter
import AlterJournal
import AlterSyncCore
import StockModel
import Testing

@testable import AlterSyncServer

@Suite("The entries that a server remembers")
struct RecentEntriesTests {
  @Test("count with their own memory, not only with that of their lines", arguments: [0, 100_000])
  func memory(limit: Int) async throws {
    let journal = MemoryJournal()
    try await ServedStock.begin(journal)
    let server = ServedStock.server(journal)
    var ann = Asker(.ann)
    for number in 1...300 as ClosedRange<Int64> { _ = try await ann.push([SyncDraft(1, number, .add)], to: server) }
    var recent = RecentEntries(RecentBytes(limit: limit))
    var head = Head(empty: try await journal.head().journal)
    var count = 0
    for entry in try await journal.entries(after: .zero, limit: 1_000) {
      let start = head
      head = head.advanced(by: entry)
      recent.add([try SyncEntry(entry)], from: start, to: head)
      let remembered = (1...head.revision.number).count { recent.head(at: Revision($0), of: head.journal) != nil }
      // An entry itself, and a line that repeats its bytes.
      #expect(remembered * (MemoryLayout<SyncEntry>.stride + 2 * entry.payload.count) <= RecentBytes.own + limit)
      count = max(count, remembered)
    }
    // Enough for devices that follow.
    #expect(count >= 16)
    #expect(recent.head(at: head.revision, of: head.journal) == head)
  }
}
