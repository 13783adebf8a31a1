import AlterCore
import AlterJournal
import AlterSyncCore
import AlterTesting
import SyncModel
import Testing

@Suite("The outbox and the mirror")
struct OutboxTests {
  /// The naive form of an outbox: a list of drafts with their verdicts.
  private struct Model {
    var drafts: [(draft: SyncDraft, verdict: Verdict?)] = []

    func submissions(limit: Int) -> [Submission] {
      var result: [Submission] = []
      for (place, item) in drafts.enumerated() where item.verdict == nil && result.count < limit {
        result.append(Submission(.draft(item.draft), after: place == 0 ? nil : drafts[place - 1].draft.id))
      }
      return result
    }
  }

  @Test("agrees with a list of drafts and verdicts after any operations")
  func model() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var outbox = Outbox()
      var model = Model()
      // The drafts and the verdicts at the beginning of the transaction.
      var (before, noted): ([SyncDraft], [EntryID: Verdict]) = ([], [:])
      for number in 1...60 as ClosedRange<Int64> {
        switch random.below(6) {
        case 0..<3:
          let draft = SyncDraft(UInt8(1 + random.below(3)), number, .claim(UInt8(random.below(9))))
          outbox.append(draft)
          model.drafts.append((draft, nil))
        case 3:
          guard !model.drafts.isEmpty else { continue }
          let place = random.below(model.drafts.count)
          let draft = model.drafts[place].draft
          let isClone = random.oneIn(3)
          let hash = isClone ? SyncDraft(9, 9, .add).hash : draft.hash
          // Verdicts come in the order of their revisions, and in others after a restore.
          let revision = Revision(random.oneIn(3) ? 100 - number : number)
          outbox.learn(VerdictLine(id: draft.id, hash: hash, verdict: .accepted(revision)))
          if !isClone { model.drafts[place].verdict = .accepted(revision) }
          if random.oneIn(4), let target = model.drafts.indices.randomElement(using: &random) {
            outbox.forgetVerdict(of: model.drafts[target].draft.id)
            model.drafts[target].verdict = nil
          }
        case 4:
          guard !model.drafts.isEmpty else { continue }
          let place = random.below(model.drafts.count)
          outbox.remove([model.drafts.remove(at: place).draft.id])
        case 5 where random.oneIn(2):
          outbox.beginTransaction()
          (before, noted) = (model.drafts.map(\.draft), [:])
          for item in model.drafts { noted[item.draft.id] = item.verdict }
        default:
          guard random.oneIn(4) else { continue }
          outbox.forgetVerdicts()
          for place in model.drafts.indices { model.drafts[place].verdict = nil }
        }
        let limit = 1 + random.below(5)
        #expect(model.drafts.allSatisfy { outbox.contains($0.draft) })
        #expect(outbox.drafts == model.drafts.map(\.draft))
        #expect(outbox.submissions(limit: limit, bytes: 100) == model.submissions(limit: limit))
        #expect(outbox.hasUndecided == model.drafts.contains { $0.verdict == nil })
        #expect(outbox.newestVerdict == model.drafts.compactMap(\.verdict?.revision).max() ?? .zero)
        let now = Set(model.drafts.map(\.draft))
        #expect(Set(outbox.list.removed) == Set(before).subtracting(now))
        #expect(outbox.list.added == model.drafts.map(\.draft).filter { !before.contains($0) })
        let changed = model.drafts.filter { $0.verdict != noted[$0.draft.id] }.map(\.draft.id)
        #expect(outbox.noted.isSuperset(of: changed))
      }
    }
  }

  @Test("a page looks up what it names and what was never looked up, however many drafts wait")
  func lookups() throws {
    var counts: [Int] = []
    for waiting in [100, 1_000] {
      var ledger = Ledger<Shelf>.new()
      var contents = DeviceContents(.ann)
      var mirror = CountingMirror()
      let drafts = (1...waiting).map { SyncDraft(1, Int64($0), .add) }
      for draft in drafts { contents.append(draft) }
      func page(_ decided: some Sequence<SyncDraft>) -> Page {
        let known = mirror.head?.revision ?? .zero
        var page = Page(ledger.head.journal, ledger.lineage)
        for draft in decided {
          ledger.append(.draft(draft), by: .ann, receipt: nil)
          page.lines.append(VerdictLine(id: draft.id, hash: draft.hash, verdict: .accepted(ledger.head.revision)))
        }
        (page.entries, page.head) = (ledger.entries(after: known, limit: .max), ledger.head)
        return page
      }
      // Each draft is looked up once in its life in the outbox.
      _ = contents.absorb(page([]), into: &mirror)
      #expect(mirror.lookups == waiting)
      mirror.lookups = 0
      for place in stride(from: 0, to: 50, by: 10) { _ = contents.absorb(page(drafts[place..<place + 10]), into: &mirror) }
      #expect(contents.outbox.drafts.count == waiting - 50)
      #expect(contents.outbox.list.removed.count == 10)
      counts.append(mirror.lookups)
      // Another process has written: the file is read again, with one new draft.
      let outbox = Outbox(contents.outbox.drafts + [SyncDraft(2, 1, .add)], known: [:])
      var again = DeviceContents(.ann, lineage: contents.lineage, outbox: outbox, refusals: [], awaited: [], origins: [])
      again.keepComparisons(of: contents)
      mirror.lookups = 0
      _ = again.absorb(page([]), into: &mirror)
      #expect(mirror.lookups == 1)
    }
    #expect(counts[0] == counts[1] && counts[0] <= 100)
  }

  @Test("lists of a file are compared with the mirror once: what it has already leaves them")
  func freshLists() throws {
    var ledger = Ledger<Shelf>.new()
    let (awaited, lost, refused) = (SyncDraft(1, 1, .add), SyncDraft(1, 2, .add), SyncDraft(1, 3, .add))
    for draft in [awaited, lost] { ledger.append(.draft(draft), by: .ann, receipt: nil) }
    var mirror = CountingMirror()
    _ = mirror.extend(ledger.entries, of: ledger.head.journal)
    var contents = DeviceContents(
      .ann, lineage: ledger.lineage, outbox: Outbox(),
      refusals: [.init(draft: lost, code: .lost), .init(draft: refused, code: .refused)],
      awaited: [.init(draft: awaited, revision: 2, generation: ledger.generation)], origins: [])
    var page = Page(ledger.head.journal, ledger.lineage)
    page.head = ledger.head
    #expect(contents.absorb(page, into: &mirror) == .page(isMore: false, hold: nil))
    #expect(contents.awaited.isEmpty && contents.refusals.map(\.draft) == [refused])
  }

  @Test("sends a draft that is too large as id, size and hash")
  func oversized() {
    var outbox = Outbox()
    let draft = SyncDraft(1, 1, .note(9))
    outbox.append(draft)
    #expect(outbox.submissions(limit: 1, bytes: 8) == [Submission(.oversized(draft.id, size: 9, hash: draft.hash), after: nil)])
  }

  @Test("a mirror is the fold of a contiguous stretch, whatever the pages")
  func mirror() throws {
    for seed in 0..<100 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var ledger = Ledger<Shelf>.new()
      for number in 1...20 as ClosedRange<Int64> {
        let id = EntryID(UInt8(1 + random.below(2)), number)
        switch random.below(4) {
        case 0: ledger.append(.refused(id, hash: SyncDraft(1, 1, .add).hash, .refused), by: .ann, receipt: nil)
        case 1: ledger.append(.draft(SyncDraft(id: id, time: 0, content: .undo(EntryID(1, number - 1)))), by: .ann, receipt: nil)
        default: ledger.append(.draft(SyncDraft(id: id, time: 0, content: .changes(ShelfChange.add.payload))), by: .ann, receipt: nil)
        }
      }
      var mirror = Mirror(from: ledger.floor, schema: 1)
      while mirror.head != ledger.head {
        // Pages of any size, some of which overlap.
        let from = max(Revision.zero, mirror.head.revision + -random.below(3))
        try mirror.extend(ledger.entries(after: from, limit: 1 + random.below(6)))
      }
      #expect(mirror.timeline.state == ledger.timeline.state)
      #expect(mirror.entries == ledger.entries)
    }
  }

  @Test("a mirror rejects a damaged entry, a gap and another history, and keeps what came before")
  func brokenChain() throws {
    var ledger = Ledger<Shelf>.new()
    for number in 1...4 as ClosedRange<Int64> { ledger.append(.draft(SyncDraft(1, number, .claim(UInt8(number)))), by: .ann, receipt: nil) }
    var mirror = Mirror(from: ledger.floor, schema: 1)
    var entries = ledger.entries
    entries[2] = entries[2].damaged()
    #expect(throws: Mirror<Shelf>.Problem.brokenChain(at: 3)) { try mirror.extend(entries) }
    #expect(mirror.head.revision == 2)
    #expect(throws: Mirror<Shelf>.Problem.brokenChain(at: 5)) { try mirror.extend(Array(ledger.entries.suffix(1))) }
    var other = Ledger<Shelf>.new()
    for number in 1...4 as ClosedRange<Int64> { other.append(.draft(SyncDraft(2, number, .claim(UInt8(number)))), by: .ann, receipt: nil) }
    #expect(throws: Mirror<Shelf>.Problem.brokenChain(at: 3)) { try mirror.extend(other.entries) }
    try mirror.extend(ledger.entries)
    #expect(mirror.head == ledger.head)
  }

  @Test("a fold stops at a newer schema and continues with a newer app")
  func outdated() throws {
    var ledger = Ledger<Shelf>.new(schema: 2)
    ledger.append(.draft(SyncDraft(1, 1, .claim(1))), by: .ann, receipt: nil)
    ledger.append(.draft(SyncDraft(1, 2, .claim(2), schema: 2)), by: .ann, receipt: nil)
    ledger.append(.draft(SyncDraft(1, 3, .claim(3))), by: .ann, receipt: nil)
    var mirror = Mirror(from: ledger.floor, schema: 1)
    try mirror.extend(ledger.entries)
    #expect((mirror.stop, mirror.head, mirror.timeline.state.slots, mirror.unfolded.count) == (3, ledger.head, [1], 2))
    mirror.upgrade(to: 2)
    #expect((mirror.stop, mirror.timeline.state) == (nil, ledger.timeline.state))
  }

  @Test("keeps a timeline's settled state and its later undos after a compaction")
  func compaction() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var ledger = Ledger<Shelf>.new(window: 3)
      var whole = ledger
      var processed = 0
      for number in 1...25 as ClosedRange<Int64> {
        let target = EntryID(1, max(1, number - 1 - Int64(random.below(4))))
        let content: SyncDraft.Content =
          switch random.below(5) {
          case 0: .undo(target)
          case 1: .redo(target)
          default: .changes(ShelfChange.claim(UInt8(random.below(5))).payload)
          }
        let draft = SyncDraft(id: EntryID(1, number), time: 0, content: content)
        let decisions = [ledger, whole].map { ledger in
          ledger.outcome(
            of: Submission(.draft(draft), after: nil), by: .ann, arrival: 0, policy: ShelfPolicy(), limits: SyncLimits())
        }
        // A compacted journal decides as a whole one does.
        #expect(decisions[0] == decisions[1] || isAboutCompacted(draft, ledger, decisions))
        guard decisions[0] == decisions[1] else { continue }
        for (index, body) in [body(decisions[0], draft), body(decisions[1], draft)].enumerated() {
          if index == 0 { ledger.append(body, by: .ann, receipt: nil) } else { whole.append(body, by: .ann, receipt: nil) }
        }
        processed += 1
        if random.oneIn(5) { _ = ledger.compact(to: Revision(Int64(random.below(Int(ledger.head.revision.number))))) }
        #expect(ledger.timeline.state == whole.timeline.state)
        #expect(ledger.head == whole.head)
      }
      #expect(processed > 5)
    }
  }

  /// The one difference: an entry below the floor is outside the window, and a whole journal may give a more specific reason.
  private func isAboutCompacted(_ draft: SyncDraft, _ ledger: Ledger<Shelf>, _ outcomes: [Outcome]) -> Bool {
    guard let target = draft.target, let standing = ledger.standings[target], case .refused = outcomes[0], case .refused = outcomes[1]
    else {
      return false
    }
    return (standing.verdict.revision ?? .zero) <= ledger.floor.head.revision
  }

  private func body(_ outcome: Outcome, _ draft: SyncDraft) -> SyncEntry.Body {
    if case .refused(let code, _) = outcome { .refused(draft.id, hash: draft.hash, code) } else { .draft(draft) }
  }
}

/// A mirror that counts how often an entry is looked up.
private struct CountingMirror: MirrorStorage {
  private(set) var start: Head?
  private(set) var head: Head?
  private var entries: [EntryID: SyncEntry] = [:]
  var lookups = 0

  mutating func entry(_ id: EntryID) -> SyncEntry? {
    lookups += 1
    return entries[id]
  }

  func drafts(of origins: Set<Origin>) -> [SyncDraft] { [] }

  mutating func extend(_ new: [SyncEntry], of journal: JournalID) -> Bool {
    if head == nil { (start, head) = (Head(empty: journal), Head(empty: journal)) }
    for entry in new {
      entries[entry.id] = entry
      head = head?.advanced(by: entry.stored)
    }
    return true
  }
}
