import AlterCore
import AlterJournal
import AlterSyncCore
import Testing

@Suite("Restored databases")
struct RestoreTests {
  @Test("a device that joined after a decision knows the generation that the operator has replaced")
  func sibling() {
    var exchange = DirectExchange()
    var (file, late) = (exchange.file(1), exchange.file(2))
    exchange.make(SyncDraft(1, 1, .claim(1)), on: &file)
    let backup = exchange.database
    exchange.database.begin(Generation(2))
    exchange.make(SyncDraft(1, 2, .claim(2)), on: &file)
    let replaced = exchange.database
    exchange.database = backup
    exchange.database.begin(Generation(3), after: replaced.lineage)
    exchange.make(SyncDraft(2, 1, .claim(5)), on: &late)
    #expect(late.outbox.isEmpty)
    // The replaced database comes back, without a decision.
    exchange.database = replaced
    let replies = exchange.sync(&late)
    #expect(replies == [.diverged(isRestart: false)])
    #expect(late.refusals.isEmpty)
  }

  @Test("a page under a former generation changes nothing, and the newer generation is not taken for the former one")
  func formerPage() {
    var exchange = DirectExchange()
    var file = exchange.file(1)
    exchange.make(SyncDraft(1, 1, .claim(1)), on: &file)
    let former = exchange.answer(.pull, for: file)
    exchange.database.begin(Generation(2))
    exchange.sync(&file)
    let lineage = file.lineage
    // A server process without the rule that it reads the database.
    #expect(file.absorb(former) == .diverged(isRestart: false))
    #expect(file.lineage == lineage)
    exchange.make(SyncDraft(1, 2, .claim(2)), on: &file)
    #expect(file.outbox.isEmpty && file.view().state.slots == [1, 2])
  }

  @Test("an awaited change that the new journal refuses is listed with the reason")
  func awaitedIsRefused() throws {
    var exchange = DirectExchange(window: 0)
    var (other, file, partial) = (exchange.file(1), exchange.file(2), exchange.file(4))
    exchange.make(SyncDraft(1, 1, .claim(2)), on: &other)
    exchange.sync(&file)
    let second = exchange.database
    let isMade = file.make(SyncDraft(2, 1, .claim(1)))
    #expect(isMade)
    var copy = file
    copy.open(as: .numbered(3))
    exchange.sync(&file)
    let third = exchange.database
    exchange.make(SyncDraft(2, 2, .claim(3)), on: &file)
    exchange.database = third
    exchange.database.begin(Generation(2))
    // The file has the new floor, and awaits the entry.
    _ = file.absorb(exchange.answer(.pull, for: file))
    _ = file.absorb(exchange.answer(.fetch(file.questions), for: file))
    #expect(file.awaited.count == 1)
    // A device joins, and has a part of the journal, by which the operator recovers the next restore.
    exchange.limits.entriesPerPage = 2
    _ = partial.absorb(exchange.answer(.pull, for: partial))
    exchange.limits.entriesPerPage = 100
    exchange.database = second
    let isRecovered = try exchange.database.recover([], of: #require(partial.lineage), author: { _ in .ann })
    #expect(isRecovered)
    exchange.database.begin(Generation(3))
    exchange.sync(&other)
    exchange.make(SyncDraft(1, 2, .claim(1)), on: &other)
    exchange.sync(&copy)
    #expect(copy.refusals.map(\.code) == [.refused])
    exchange.sync(&file)
    #expect(file.awaited.isEmpty)
    #expect(file.refusals.map(\.draft.id) == [EntryID(2, 2), EntryID(2, 1)])
    #expect(file.refusals.map(\.code) == [.lost, .refused])
  }

  @Test("a lost change that another restore has brought back is not listed any more, also below the floor")
  func regret() {
    var exchange = DirectExchange(window: 0)
    var (other, file) = (exchange.file(1), exchange.file(2))
    let backup = exchange.database
    exchange.make(SyncDraft(2, 1, .claim(1)), on: &file)
    let replaced = exchange.database
    exchange.database = backup
    exchange.database.begin(Generation(2))
    exchange.sync(&file)
    #expect(file.refusals.map(\.code) == [.lost])
    exchange.database = replaced
    exchange.database.begin(Generation(3))
    exchange.make(SyncDraft(1, 1, .claim(4)), on: &other)
    let isCompacted = exchange.database.compact(to: 3)
    #expect(isCompacted)
    exchange.sync(&file)
    #expect(file.refusals.isEmpty && file.view().state == exchange.database.timeline.state)
  }
}
