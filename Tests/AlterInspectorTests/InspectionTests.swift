import Alter
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterInspector

@Suite("An inspection", .timeLimit(.minutes(20)))
struct InspectionTests {
  @Test("lists entries at both ends of a page, with what is taken back, and by whom")
  func rows() async throws {
    let inspection = Inspection(of: try await Shop.journal())
    inspection.waitForIndex()
    let newest = try await inspection.entries(before: nil, limit: 4)
    #expect(newest.revision == 10)
    #expect(newest.entries.map(\.revision) == [10, 9, 8, 7])
    #expect(newest.entries.map(\.undone) == [false, true, false, false])
    #expect(newest.entries[0].text == "undo of 9")
    #expect(newest.entries[0].targets == [9])
    #expect(newest.entries[2].text == #".add(id: 4, title: "Bread", price: 0)"#)
    let oldest = try await inspection.entries(after: 0, limit: 3)
    #expect(oldest.entries.map(\.revision) == [1, 2, 3])
    #expect(oldest.entries.map(\.kind) == [.initial, .changes, .changes])
    #expect(oldest.entries[2].changes == 2)
    #expect(try await inspection.entries(before: 1, limit: 4).entries.isEmpty)
    #expect(try await inspection.entries(after: 10, limit: 4).entries.isEmpty)
    let detail = try await inspection.detail(6)
    #expect((detail.takenBackBy, detail.row.undone) == (7, true))
    #expect(try await inspection.detail(7).takesBack == [6])
    let line = try JSONValue(parsing: Data(detail.raw.utf8))
    #expect(line["revision"] == 6)
    await #expect(throws: JournalError.self) { try await inspection.detail(11) }
    await #expect(throws: JournalError.self) { try await inspection.detail(0) }
  }

  @Test("knows every state with types, and says without them which one it tells")
  func states() async throws {
    let journal = try await Shop.journal()
    let typed = Inspection(of: journal, as: Shop.self)
    let answer = try await typed.state(at: 6, path: "/products/0")
    #expect((answer.at, answer.exact, answer.node.text) == (6, true, #"(id: 1, title: "Tea", price: 500)"#))
    #expect(try await typed.state(path: "/products/0").node.text == #"(id: 1, title: "Tea", price: 0)"#)
    let difference = try await typed.difference(from: 4, to: 9)
    #expect(difference.differences.map(\.path) == ["email", "products[3]", "products[4]"])
    #expect(difference.differences.map(\.kind) == [.changed, .removed, .added])

    let untyped = Inspection(of: journal)
    let nearest = try await untyped.state(at: 6)
    #expect((nearest.at, nearest.asked, nearest.exact) == (1, 6, false))
    #expect(try await untyped.state(at: 1).exact)
    #expect(try await !untyped.difference(from: 1, to: 6).exact)
    await #expect(throws: InspectionError.self) { try await typed.state(path: "/nothing") }
    await #expect(throws: JournalError.self) { try await typed.state(at: 11) }
  }

  @Test("without types starts from the nearest snapshot or reset")
  func nearest() async throws {
    let journal = MemoryJournal()
    var writer = TestWriter()
    var drafts = writer.journal(40)
    drafts.append(writer.draft(#"{"count":500}"#, kind: .reset))
    drafts += (0..<9).map { number in writer.draft(#"[{"count":{"_0":\#(number)}}]"#) }
    _ = try await journal.append(drafts, after: journal.head())
    let all = try await journal.entries(after: 0, limit: 50)
    func head(_ revision: Int) -> Head { Head(empty: JournalID.random()).advanced(by: all[revision - 1]) }
    try await journal.keep(
      Snapshot(head: head(30), base: head(20), schema: 1, written: 0, payload: Data(#"{"count":20}"#.utf8)))
    let inspection = Inspection(of: journal)
    inspection.follow()
    for (asked, at, isExact) in [(1, 1, true), (19, 1, false), (20, 20, true), (40, 20, false)] {
      let answer = try await inspection.state(at: Int64(asked))
      #expect((answer.at, answer.exact) == (Int64(at), isExact), "asked for \(asked)")
    }
    let detail = try await inspection.detail(41)
    #expect(detail.row.kind == .reset)
    // The index is complete when this returns.
    _ = try await inspection.stats()
    #expect(try await inspection.state(at: 50).at == 41)
    #expect(try await inspection.state(at: 41).exact)
  }

  @Test("searches by text, kind, origin, time and whether it is taken back, and says where to go on")
  func search() async throws {
    let inspection = Inspection(of: try await Shop.journal())
    inspection.waitForIndex()
    func revisions(_ change: (inout Inspection.Query) -> Void) async throws -> [Int64] {
      var query = Inspection.Query()
      change(&query)
      let found = try await inspection.search(query)
      #expect(found.next == nil)
      #expect(found.searched == 10)
      return found.entries.map(\.revision)
    }
    #expect(try await revisions { $0.text = "milk & HONEY" } == [3])
    #expect(try await revisions { $0.text = "SALT" } == [3])
    #expect(try await revisions { $0.text = ".price(" } == [6, 4])
    #expect(try await revisions { $0.text = "undo of" } == [10, 7])
    #expect(try await revisions { $0.text = "nowhere" } == [])
    #expect(try await revisions { $0.kinds = [.undo, .initial] } == [10, 7, 1])
    #expect(try await revisions { $0.undone = true } == [9, 6])
    let row = try await inspection.entries(after: 4, limit: 1).entries[0]
    #expect(try await revisions { $0.origin = String(row.origin.prefix(8)) }.count == 10)
    #expect(try await revisions { $0.text = String(row.origin.prefix(13)) }.count == 10)
    #expect(try await revisions { $0.origin = "zz" } == [])
    #expect(try await revisions { $0.from = row.time }.first == 10)
    #expect(try await revisions { $0.to = row.time }.last == 1)
    #expect(try await revisions { $0.scope = "journal" }.count == 10)
    #expect(try await revisions { $0.scope = "jack" } == [])
    var found = try await inspection.search(Inspection.Query(), limit: 3)
    var all = found.entries.map(\.revision)
    while let next = found.next {
      found = try await inspection.search(Inspection.Query(), before: next, limit: 3)
      all += found.entries.map(\.revision)
    }
    #expect(all == Array((1...10).reversed()))
  }

  @Test("searches for as long as it is allowed to, and goes on from there")
  func boundedSearch() async throws {
    let journal = MemoryJournal()
    var writer = TestWriter()
    _ = try await journal.append(writer.journal(3_000), after: journal.head())
    let inspection = Inspection(of: journal)
    var query = Inspection.Query()
    query.text = "count(7)"
    var found = try await inspection.search(query, lasting: .zero)
    #expect(found.entries.isEmpty)
    #expect(found.searched == 200)
    #expect(found.next == 2_801)
    while let next = found.next, found.entries.isEmpty { found = try await inspection.search(query, before: next, lasting: .zero) }
    #expect(found.entries.map(\.revision) == [7])
  }

  @Test("lists the answers of feedbacks that name their entry, the one of an acting request, and those that name none")
  func answers() async throws {
    let journal = MemoryJournal()
    var writer = TestWriter()
    let first = writer.draft("{}", kind: .initial)
    let asking = writer.draft("[]")
    let id = #"{"origin":"\#(asking.id.origin.uuid.uuidString)","sequence":\#(asking.id.sequence)}"#
    let request = RequestID(Stamp(time: 0, origin: asking.id.origin, sequence: asking.id.sequence)).description
    let causes = [
      #"{"answers":\#(id),"feedback":"search"}"#, #"{"feedback":"charge","request":"\#(request)","depth":1}"#, #"{"feedback":"store"}"#,
      #"{"metadata":{"who":"jack"}}"#,
    ]
    _ = try await journal.append([first, asking] + causes.map { writer.draft("[]", cause: $0) }, after: journal.head())
    let inspection = Inspection(of: journal)
    #expect(try await inspection.stats().feedbacks.count == 3)
    let answers = try await inspection.feedback().answers
    #expect(answers.map(\.feedback) == ["store", "charge", "search"] && answers.map(\.request) == [nil, 2, 2])
    #expect(try await inspection.detail(2).answers == [3, 4])
    #expect(try await inspection.entries(before: nil, limit: 4).entries.map(\.cause?.answers) == [nil, nil, 2, 2])
  }

  @Test("counts kinds, makers, feedbacks and days, and knows the largest payload")
  func stats() async throws {
    let journal = MemoryJournal()
    var (writer, other) = (TestWriter(), TestWriter())
    let day: Int64 = 86_400_000_000
    let first = writer.draft(#"{"a":0}"#, kind: .initial, time: -1)
    let request = writer.draft(#"[{"order":{}}]"#, time: day)
    let cause = #"{"answers":{"origin":"\#(writer.origin.uuid.uuidString)","sequence":2},"feedback":"save","metadata":{"who":"jack"}}"#
    let answer = other.draft(#"[{"ordered":{}},{"ordered":{}},{"ordered":{}}]"#, time: day + 5, cause: cause)
    _ = try await journal.append([first, request], after: journal.head())
    _ = try await journal.append([answer], after: journal.head())
    _ = try await journal.lease("save", for: other.origin, lasting: .seconds(3_600))
    let inspection = Inspection(of: journal)
    let stats = try await inspection.stats()
    #expect(stats.days.map(\.name) == ["1969-12-31", "1970-01-02"])
    #expect(stats.days.map(\.count) == [1, 2])
    #expect(stats.kinds.map { "\($0.name) \($0.count)" } == ["initial 1", "changes 2"])
    #expect(stats.feedbacks.map(\.name) == ["save"])
    #expect((stats.payloads.largest, stats.payloads.revision) == (answer.payload.count, 3))
    #expect(stats.payloads.median == request.payload.count)
    let feedback = try await inspection.feedback()
    #expect(feedback.answers == [FeedbackReport.Answer(revision: 3, time: day + 5, feedback: "save", request: 2)])
    #expect(feedback.leases.map(\.name) == ["save"])
    #expect(feedback.leases[0].isInForce)
    #expect(!feedback.isLive)
    let row = try await inspection.entries(before: nil, limit: 1).entries[0]
    #expect(row.cause?.answers == 2)
    #expect(row.cause?.metadata == ["who": "jack"])
    #expect(try await inspection.detail(2).answers == [3])
    let overview = try await inspection.overview()
    #expect(overview.kinds == ["initial": 1, "changes": 2])
    #expect(overview.origins.map(\.count) == [2, 1])
    #expect((overview.firstTime, overview.lastTime, overview.indexed) == (-1, day + 5, 3))
  }

  @Test("says what the state has refused, as far back as that is known")
  func suppressed() async throws {
    let journal = MemoryJournal()
    var (writer, other) = (TestWriter(), TestWriter())
    let initial = writer.draft(#"{"email":"","isOrdering":false,"products":[]}"#, kind: .initial)
    // The change refers to a missing product. No store would write it, but a rebase may leave it so.
    let refused = writer.draft(#"[{"price":{"id":9,"price":1}}]"#)
    _ = try await journal.append([initial, refused], after: journal.head())
    let inspection = Inspection(of: journal, as: Shop.self)
    inspection.waitForIndex()
    #expect(try await inspection.entries(after: 0, limit: 5).entries.map(\.suppressed) == [nil, true])
    _ = try await journal.append([other.draft(#"[{"email":{"_0":"x"}}]"#)], after: journal.head())
    #expect(try await inspection.entries(after: 0, limit: 5).entries.map(\.suppressed) == [nil, true, false])
    #expect(try await inspection.detail(2).isSuppressed == true)
    #expect(try await Inspection(of: journal).detail(2).isSuppressed == nil)
  }

  @Test("bisects by the app's conditions, and says what it needs where there are none")
  func bisect() async throws {
    let journal = try await Shop.journal()
    let inspection = Inspection(of: journal, as: Shop.self, conditions: Shop.conditions)
    #expect(try await inspection.bisect("expensive", to: 6) == Turning(revision: 6, was: false, is: true))
    #expect(try await inspection.bisect("expensive") == Turning(revision: nil, was: false, is: false))
    #expect(try await inspection.bisect("expensive", scan: true) == Turning(revision: 6, was: false, is: true))
    #expect(try await inspection.bisect("expensive", from: 6, to: 7) == Turning(revision: 7, was: true, is: false))
    #expect(try await inspection.bisect("never", scan: true).revision == nil)
    for (name, from) in [("unknown", 1), ("never", 11)] {
      await #expect(throws: InspectionError.self) { try await inspection.bisect(name, from: Int64(from)) }
    }
    let error = await #expect(throws: InspectionError.self) { try await Inspection(of: journal).bisect("expensive") }
    #expect(error?.code == .needsTypes)
  }

  @Test("exports what can be imported again; with hidden keys what can't, and says so")
  func export() async throws {
    let journal = try await Shop.journal()
    func exported(_ inspection: Inspection) async throws -> Data {
      var lines = Data()
      try await inspection.export { lines += $0 }
      return lines
    }
    var own = Data()
    try await journal.export { own += $0 }
    let whole = try await exported(Inspection(of: journal))
    #expect(whole == own)
    let copy = MemoryJournal()
    #expect(try await copy.import(whole).revision == 10)
    let hidden = try await exported(Inspection(of: journal, hiding: Hiding(["email"])))
    #expect(!String(decoding: hidden, as: UTF8.self).contains("secret"))
    #expect(String(decoding: hidden, as: UTF8.self).contains("can't be imported"))
    await #expect(throws: JournalError.self) { try await MemoryJournal().import(hidden) }
  }

  @Test("follows what comes, tells everybody who listens, and forgets those who don't any more")
  func news() async throws {
    let journal = MemoryJournal()
    var writer = TestWriter()
    _ = try await journal.append(writer.journal(10), after: journal.head())
    let inspection = Inspection(of: journal)
    var told: [InspectionNews] = []
    for await news in inspection.news() {
      told.append(news)
      if news == .head(11) { break }
      if news == .indexed(10) { _ = try await journal.append([writer.draft("[]")], after: journal.head()) }
    }
    #expect(told.first == .head(10))
    #expect(told.contains(.indexed(10)))
    #expect(inspection.keeper.listenerCount == 0)
    let listening = Task { for await _ in inspection.news() {} }
    while inspection.keeper.listenerCount == 0 { await Task.yield() }
    listening.cancel()
    await listening.value
    #expect(inspection.keeper.listenerCount == 0)
    var last: InspectionNews?
    for await news in inspection.news() {
      last = news
      if case .head = news { await journal.close() }
    }
    guard case .gone = last else {
      Issue.record("It should have said that the journal is gone, not \(String(describing: last)).")
      return
    }
  }

  @Test("shows a running store's effects, which come and go")
  func live() async throws {
    let store = try await Store.open(Shop(), in: MemoryJournal())
    let gate = AsyncStream.makeStream(of: Void.self)
    let feedback = Feedback<Shop, Void>("order", request: { $0.isOrdering ? true : nil }) { _, _ in
      for await _ in gate.stream { break }
      return .ordered
    }
    try store.run([feedback])
    let inspection = Inspection(of: store)
    #expect(try await inspection.overview().isLive)
    // An effect that exists only briefly is also reported. The last report says that it is gone.
    try await store.change(.order).durable()
    var seen: [String] = []
    for await news in inspection.news() {
      guard case .effects(let effects) = news else { continue }
      // The index may not have the entry yet that the effect answers. The effect is reported again when it has.
      if let effect = effects.first(where: { $0.phase == "running" && $0.cause != nil }), seen.count.isMultiple(of: 2) {
        seen.append("\(effect.feedback) because of \(effect.cause ?? 0)")
        gate.continuation.yield()
      } else if effects.isEmpty, !seen.count.isMultiple(of: 2) {
        seen.append("none")
        if seen.count == 20 { break }
        try await store.change(.order).durable()
      }
    }
    #expect(seen == (1...10).flatMap { ["order because of \(2 * $0)", "none"] })
    // The index is complete when this returns.
    _ = try await inspection.stats()
    #expect(try await inspection.feedback().answers.map(\.request) == (1...10).reversed().map { Int64(2 * $0) })
    inspection.end()
    await store.close()
  }
}

@Suite("A journal's index")
struct IndexTests {
  @Test("taken in from both ends tells the same as one taken in forwards", arguments: 0..<20)
  func bothEnds(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let journal = MemoryJournal()
    var writers = [TestWriter(), TestWriter(), TestWriter()]
    var ids: [EntryID] = []
    for _ in 0..<60 {
      let number = Int.random(in: 0..<3, using: &generator)
      let kind = Int.random(in: 0..<3, using: &generator)
      let draft: Entry.Draft
      if kind == 0, let target = ids.randomElement(using: &generator) {
        draft = writers[number].draft(
          String(decoding: try JournalCoding.encode(Entry.Targets([target])), as: UTF8.self), kind: .undo, time: 1)
      } else if kind == 1, let target = ids.randomElement(using: &generator) {
        let cause = String(decoding: try JournalCoding.encode(Cause(answers: target, feedback: "f")), as: UTF8.self)
        draft = writers[number].draft("[]", cause: cause)
      } else {
        draft = writers[number].draft("[]")
      }
      ids.append(draft.id)
      _ = try await journal.append([draft], after: journal.head())
    }
    let entries = try await journal.entries(after: 0, limit: 100)
    // The definition: an entry is in force unless an undo in force reverts it.
    var taken: [EntryID: Int64] = [:]
    for entry in entries.reversed() where entry.kind == .undo && taken[entry.id] == nil {
      for target in try JournalCoding.decode(Entry.Targets.self, from: entry.payload).targets where taken[target] == nil {
        taken[target] = entry.revision.number
      }
    }
    let start = Int.random(in: 0...60, using: &generator)
    var index = JournalIndex(at: Revision(Int64(start)))
    var (older, newer) = (entries[..<start], entries[start...])
    while !older.isEmpty || !newer.isEmpty {
      if Bool.random(using: &generator), let entry = older.popLast() { index.putBefore(entry) }
      if Bool.random(using: &generator), let entry = newer.popFirst() { index.putAfter(entry) }
      if Bool.random(using: &generator) { _ = index.takenBackCount() }
    }
    #expect(index.count == 60)
    #expect(index.medianSize() == entries.map(\.payload.count).sorted()[(entries.count - 1) / 2])
    for entry in entries {
      #expect(index.revision(of: entry.id) == entry.revision.number)
      #expect(index.taker(of: entry.id) == taken[entry.id])
      let answers = try entries.filter {
        try $0.draft.cause.map { try JournalCoding.decode(Cause.self, from: $0).answers == entry.id } ?? false
      }
      #expect(index.answers(to: entry.id) == answers.map(\.revision.number))
    }
    #expect(index.revision(of: EntryID(origin: ids[0].origin, sequence: 1_000)) == nil)
    #expect(index.revision(of: EntryID(origin: .random(), sequence: 1)) == nil)
  }
}
