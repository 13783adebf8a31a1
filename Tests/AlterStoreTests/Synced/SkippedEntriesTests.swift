import Alter
import AlterSyncCore
import AlterTesting
import Foundation
import StoreTesting
import SyncModel
import Testing

@testable import AlterStore

@Suite("Entries that folds skip")
struct SkippedEntriesTests {
  /// A journal of accepted and refused drafts, as a history and as the naive timeline.
  private struct Pair {
    var history: History<Board>
    var timeline = Timeline(SyncedBoard(initial: Data()))
    /// The accepted drafts, at their revisions.
    var accepted: [(draft: SyncDraft, revision: Revision)] = []
    /// The states after each revision.
    var states: [Revision: Board] = [:]
    var revision: Revision = 1

    init(window: Int) { history = History(SyncedBoard.initial(Data()), at: 1, window: window) }

    mutating func append(_ draft: SyncDraft, isRefused: Bool) {
      revision = revision.next
      if isRefused {
        history.skip(to: revision)
      } else {
        let record = history.completed(Record(draft, at: revision))
        if case .reachesBeyond(let ids) = history.append(record) { Issue.record("revision \(revision) reaches beyond: \(ids)") }
        timeline.append(
          SyncEntry(
            .draft(draft), receipt: nil,
            after: Head(journal: JournalID(Origin.test(0).uuid), revision: revision.previous, checksum: Checksum(high: 0, low: 0))))
        accepted.append((draft, revision))
      }
      states[revision] = timeline.state.board
    }
  }

  private func draft(_ pair: Pair, number: Int64, window: Int, random: inout SeededGenerator) -> SyncDraft {
    let id = EntryID(origin: .test(UInt8(1 + random.below(2))), sequence: number)
    let scope: UndoScope = random.oneIn(3) ? "own" : .journal
    let recent = pair.accepted.suffix(window + 2).map(\.draft.id)
    guard let target = recent.randomElement(using: &random) else {
      return SyncDraft(id: id, time: 0, scope: scope, content: .changes(SyncedBoard.payload([.note("1")])))
    }
    switch random.below(6) {
    case 0: return SyncDraft(id: id, time: 0, scope: scope, content: .undo(target))
    case 1: return SyncDraft(id: id, time: 0, scope: scope, content: .redo(target))
    default:
      let changes = (0...random.below(2)).map { _ in Board.Change.random(using: &random) }
      return SyncDraft(
        id: id, time: number, scope: scope, content: .changes(SyncedBoard.payload(changes)),
        cause: random.oneIn(6) ? .answer(to: target, using: &random) : Cause())
    }
  }

  @Test(
    "leave the state, the undo window, earlier states and the answers of an undo as the naive timeline has them", arguments: [4, 40, 1_000])
  func timeline(window: Int) throws {
    var (undos, refused, trimmed) = (0, 0, 0)
    for seed in 0..<5 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var pair = Pair(window: window)
      for number in 1...(window == 4 ? 300 : 200) as ClosedRange<Int64> {
        let draft = draft(pair, number: number, window: window, random: &random)
        var timeline = pair.timeline
        var isRefused = random.oneIn(3)
        let obstacle = Result { () throws(Obstacle) in
          try timeline.attempt(draft, at: pair.revision.next, window: window, isRefused: { _ in false })
        }
        // Both permit the same drafts.
        var trial = pair.history
        let attempted = Result { () throws(CommitError<Refusal>) in try trial.attemptFixed(Record(draft, at: pair.revision.next)) }
        switch (obstacle, attempted) {
        case (.success, .success): #expect(trial.state == timeline.state.board)
        case (.failure, .failure): isRefused = true
        default:
          // A redo may restore an entry that the history no longer keeps; the server's timeline keeps it.
          guard case .failure(.undo(.outsideWindow)) = attempted, case .redo = draft.content else {
            Issue.record("seed \(seed), draft \(draft): the timeline has \(obstacle), the history has \(attempted)")
            return
          }
          isRefused = true
        }
        pair.append(draft, isRefused: isRefused)
        if isRefused { refused += 1 } else if draft.target != nil { undos += 1 }
        #expect(pair.history.state == pair.timeline.state.board)
        #expect(pair.history.revision == pair.revision)
        #expect(
          pair.history.records.elementsEqual(pair.accepted.suffix(pair.history.records.count)) {
            $0.id == $1.draft.id && $0.revision == $1.revision
          })
        #expect(pair.history.records.count >= min(window, pair.accepted.count))
        // A history that begins at the base of a snapshot continues as this one.
        let base = try #require(pair.history.base(at: pair.history.windowStart))
        let kept = Array(pair.history.records[pair.history.records.place(after: base.revision)...])
        var other = History(base: base.state(), at: base.revision, records: kept, window: window)
        if let last = pair.accepted.last?.revision, last < pair.revision { other.skip(to: pair.revision) }
        #expect(other.state == pair.history.state)
        #expect(other.records.count >= min(window, pair.accepted.count))
        if random.oneIn(20), let wanted = pair.states.keys.randomElement(using: &random), let state = pair.history.state(at: wanted) {
          #expect(state == pair.states[wanted])
        }
      }
      if pair.history.records.count < pair.accepted.count { trimmed += 1 }
    }
    #expect(undos > 30)
    #expect(refused > 300)
    #expect(window > 4 || trimmed > 0)
  }

  @Test("an undo of an id that a copy of the process uses, too, folds again from the first of both entries")
  func sameID() {
    var history = History(Board(), at: 1, window: 300)
    let id = EntryID(origin: .test(1), sequence: 2)
    let (other, undo) = (EntryID(origin: .test(2), sequence: 2), EntryID(origin: .test(1), sequence: 3))
    _ = history.append(Record(revision: 2, id: id, time: 0, kind: .changes([.put("a", 1)])))
    _ = history.append(Record(revision: 3, id: other, time: 0, kind: .changes([.add("a", 1)])))
    // Kept states lie between the two.
    for number in 4...203 as ClosedRange<Int64> {
      _ = history.append(
        Record(revision: Revision(number), id: EntryID(origin: .test(3), sequence: number), time: 0, kind: .changes([.note("n")])))
    }
    // Pending work of a copy that does not know yet that it is one.
    _ = history.append(Record(revision: 204, id: id, time: 0, kind: .changes([.note("x")])))
    #expect(history.state.values == ["a": 2] && history.suppressed.isEmpty)
    _ = history.append(Record(revision: 205, id: undo, time: 0, kind: .undo([id])))
    #expect(history.state.values.isEmpty && history.suppressed == [3])
  }

  @Test("the log of records finds every revision after any appends and removals")
  func log() {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var log = RecordLog<Board>(after: 5)
      var model: [Revision] = []
      var (base, last) = (Revision(5), Revision(5))
      for number in 1...80 as ClosedRange<Int64> {
        switch random.below(8) {
        case 0:
          let revision = base + random.below(last - base + 3)
          log.removeAll(through: revision)
          model.removeAll { $0 <= revision }
        case 1 where !model.isEmpty:
          log.removeLast()
          model.removeLast()
        default:
          // The revisions that a removed record had may be used again; a log never goes back behind its base.
          last = max(last, log.last).next + (random.oneIn(3) ? random.below(4) : 0)
          // An undo may name any entry: one that is removed, that comes later, or itself.
          let targets = (0..<random.below(3)).map { _ in EntryID(origin: .test(1), sequence: 1 + Int64(random.below(80))) }
          let kind: Record<Board>.Kind = random.oneIn(2) ? .changes([]) : random.oneIn(2) ? .undo(targets) : .redo(targets)
          log.append(Record(revision: last, id: EntryID(origin: .test(1), sequence: number), time: 0, kind: kind))
          model.append(last)
        }
        base = log.base
        #expect(log.map(\.revision) == model && log.last as Revision == model.last ?? base)
        #expect(log.takenBack() == Record.takenBack(in: log), "seed \(seed), \(number)")
        let ids = Set((1...80).map { EntryID(origin: .test(1), sequence: $0) })
        for (id, index) in log.indices(of: ids) { #expect(log[index].id == id && log.index(of: id) == index) }
        #expect(log.indices(of: ids).keys.allSatisfy(Set(log.flatMap(\.targets)).contains))
        #expect(log.last == model.last ?? log.base)
        for revision in (max(0, base.number - 1)...last.number + 2).map({ Revision($0) }) {
          #expect(log.place(of: revision) == model.firstIndex(of: revision))
          #expect(log.place(after: revision) == (model.firstIndex { $0 > revision } ?? model.count))
        }
      }
    }
  }
}
