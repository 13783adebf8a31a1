import Alter
import AlterCore
import AlterJournal
import AlterSyncCore
import AlterSyncServer
import StockModel
import Testing

@Suite("The ends of a journal that a server announces", .timeLimit(.minutes(30)))
struct AnnouncementTests {
  @Test("come once each, with the new entries if they are this server's changes; only another server's append ends the wait for news")
  func announcements() async throws {
    let journal = MemoryJournal()
    try await ServedStock.begin(journal)
    let told = Lock([JournalNews]())
    let server = ServedStock.server(journal) { $0.announce = { news in told.withLock { $0.append(news) } } }
    var ann = Asker(.ann)
    try await server.announceEnd()
    try await server.announceEnd()
    #expect(told.withLock { $0.map(\.hint.head.revision) } == [1])
    let isAwake = Lock(false)
    let wait = Task {
      try await server.waitForNews()
      isAwake.withLock { $0 = true }
    }
    for number in 1...50 as ClosedRange<Int64> {
      _ = try await ann.push([SyncDraft(1, number, .add)], to: server)
      try await server.announceEnd()
    }
    #expect(!isAwake.withLock { $0 })
    var news = told.withLock { $0 }
    #expect(news.map(\.hint.head.revision) == (1...51).map { Revision($0) })
    // Each begins where the one before ends.
    #expect(zip(news, news.dropFirst()).allSatisfy { $0.hint.head == $1.before && $1.entries.count == 1 })
    #expect(SyncMessage.decodeEntries(news.flatMap(\.entries)).map(\.revision) == (2...51).map { Revision($0) })
    // An undo has none, although it is this server's.
    let undo = SyncDraft(id: EntryID(1, 51), time: 0, content: .undo(EntryID(1, 50)))
    _ = try await ann.push([undo], to: server)
    // Another server's entries have none here.
    _ = try await ann.push([SyncDraft(1, 52, .add), SyncDraft(1, 53, .add)], to: ServedStock.server(journal))
    try await wait.value
    try await server.announceEnd()
    news = told.withLock { Array($0.dropFirst(51)) }
    #expect(news.map(\.hint.head.revision) == [52, 54] && news.allSatisfy { $0.before == nil && $0.entries.isEmpty })
  }
}
