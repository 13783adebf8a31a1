import Alter
import AlterCore
import AlterStore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@Suite("An export", .timeLimit(.minutes(20)))
struct ExportTests {
  private func lines(_ journal: some Journal) async throws -> [Substring] {
    String(decoding: try await LedgerHistory.export(journal), as: UTF8.self).split(separator: "\n")
  }

  private func data(_ lines: [some StringProtocol]) -> Data { Data((lines.joined(separator: "\n") + "\n").utf8) }

  /// A journal with every kind of content that an entry may have.
  private func journal() async throws -> MemoryJournal {
    let journal = MemoryJournal()
    func append(_ draft: Entry.Draft) async throws { _ = try await journal.append([draft], after: journal.head()) }
    let origins = [Origin.test(1), .test(2)]
    let payloads = [
      #"[{"add":{"_0":1}}]"#, #"[{"b":1,"a":2}]"#, #"{"x": 1}"#, "no JSON", "", "line\nfeed", "[1.0,1e3,12345678901234567890.5]",
      #"["žluť 🎈 \u0001"]"#,
    ]
    for (number, payload) in payloads.enumerated() {
      try await append(
        Entry.Draft(
          kind: .changes, id: EntryID(origin: origins[number % 2], sequence: Int64(number / 2 + 1)), time: Int64(number) - 3,
          scope: number % 3 == 0 ? "Jack" : .journal, schema: number, payload: Data(payload.utf8),
          cause: number % 2 == 0
            ? try JournalCoding.encode(
              Cause(feedback: "charge", metadata: ["who": "Jill"], request: RequestID(named: "a").description, depth: number)) : nil))
    }
    try await append(Entry.Draft(kind: .reset, id: EntryID(origin: origins[1], sequence: 5), time: 0, payload: Data([0xFF, 0xFE])))
    return journal
  }

  @Test("gives every entry back byte for byte when it is imported, whatever the payloads are")
  func roundTrip() async throws {
    let journal = try await journal()
    let copy = MemoryJournal()
    let head = try await copy.import(LedgerHistory.export(journal))
    #expect(head.revision == 9)
    let (entries, copied) = (try await journal.entries(after: .zero, limit: 100), try await copy.entries(after: .zero, limit: 100))
    #expect(copied.map(\.draft) == entries.map(\.draft))
    #expect(copied.map(\.revision) == entries.map(\.revision))
    try await copy.verify()
    let causes = try copied.compactMap { try $0.draft.cause.map { try JournalCoding.decode(Cause.self, from: $0) } }
    #expect(causes.map(\.request) == Array(repeating: "named:a", count: 4) && causes.map(\.depth) == [0, 2, 4, 6])
    // Payloads that are canonical JSON are also JSON in the export.
    let lines = try await lines(journal)
    #expect(lines.count == 10)
    #expect(lines[1].contains(#""payload":[{"add":{"_0":1}}]"#))
    #expect(lines[3].contains(#""payloadText":"{\"x\": 1}""#))
    #expect(lines[9].contains(#""payloadBase64":"#))
  }

  @Test("writes each origin with small letters, also in the targets of an undo, and reads capital ones")
  func smallLetters() async throws {
    let journal = MemoryJournal()
    var options = StoreOptions()
    options.keepsJournalOpen = true
    options.environment.origin = { Origin(UUID(uuidString: "ABCDEF00-0000-4000-8000-00000000000A")!) }
    let store = try await Store.open(Counter(), in: journal, options: options)
    _ = try store.change(.add(1))
    try await store.undo()
    let id = EntryID(origin: options.environment.origin(), sequence: 2)
    _ = try await store.change(.add(1), cause: Cause(answers: id, requires: id)).confirmed()
    await store.close()
    let text = String(decoding: try await LedgerHistory.export(journal), as: UTF8.self)
    #expect(!text.contains("ABCDEF00") && text.split(separator: "abcdef00-0000-4000-8000-00000000000a").count == 8)
    for spelling in ["ABCDEF00-0000-4000-8000-00000000000A", "abcdef00-0000-4000-8000-00000000000a"] {
      let json = Data(#"{"origin":"\#(spelling)","sequence":2}"#.utf8)
      #expect(try JSONDecoder().decode(EntryID.self, from: json) == id)
      #expect(try JournalCoding.decode(EntryID.self, from: json) == id)
    }
  }

  @Test("of an empty journal is a header, and can be imported")
  func empty() async throws {
    #expect(try await lines(MemoryJournal()).count == 1)
    #expect(try await MemoryJournal().import(LedgerHistory.export(MemoryJournal())).revision == 0)
  }

  @Test("that was damaged is refused, with the number of the line, and nothing is written")
  func damaged() async throws {
    let whole = try await lines(journal())
    func expect(_ lines: [some StringProtocol], line: Int, _ words: String) async throws {
      let target = MemoryJournal()
      let error = await #expect(throws: JournalError.self) { try await target.import(data(lines), from: "todo.jsonl") }
      #expect(error?.code == .damaged)
      #expect(
        error?.description.contains("Journal 'todo.jsonl' can't be imported, because of line \(line): ") == true,
        "\(error?.description ?? "")")
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
      #expect(try await target.head().revision == 0)
    }
    try await expect(whole.dropLast(), line: 10, "the export ends after revision 8, but should end after 9")
    try await expect(Array(whole[..<4] + whole[5...]), line: 5, "the entry is missing")
    try await expect(whole + [whole[9]], line: 11, "it follows revision 9")
    try await expect(Array(whole.dropFirst()), line: 1, "not the header")
    var changed = whole.map(String.init)
    changed[1] = changed[1].replacing(#"{"_0":1}"#, with: #"{"_0":2}"#)
    try await expect(changed, line: 2, "its checksum does not match")
    changed = whole.map(String.init)
    changed[4] = String(changed[4].dropLast())
    try await expect(changed, line: 5, "invalid JSON: ',' or '}' is missing at byte")
    changed[4] = #"{"revision":4}"#
    try await expect(changed, line: 5, "a field is missing")
    var newer = whole.map(String.init)
    newer[0] = newer[0].replacing(#""format":1"#, with: #""format":2"#)
    let error = await #expect(throws: JournalError.self) { try await MemoryJournal().import(data(newer)) }
    #expect(error?.code == .newerFormat)
  }

  /// A compacted journal: a board with 50 notes, whose first 31 entries are gone.
  private func compacted() async throws -> (journal: MemoryJournal, state: Board) {
    let journal = MemoryJournal()
    var options = StoreOptions()
    options.keepsJournalOpen = true
    options.undoWindow = 4
    options.snapshotSpacing = 10
    let store = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<50 { try await store.change(.note("\(number)")).durable() }
    _ = try await store.undo()
    let state = store.state
    await store.close()
    let plan = try await journal.compactionPlan(keeping: .last(10))
    try #require(plan.entries > 0, "\(plan.limitation ?? "")")
    try await journal.compact(plan)
    return (journal, state)
  }

  @Test("of a compacted journal begins with the state at its floor, and its import, or a copy, is a whole journal with the same state")
  func floor() async throws {
    let (journal, state) = try await compacted()
    let floor = try #require(try await journal.floor())
    let lines = try await lines(journal)
    #expect(
      lines[0].contains(#""format":1"#)
        && lines[0].contains(#""floor":{"checksum":"\#(floor.checksum)","revision":\#(floor.revision.number)}"#))
    #expect(lines[1].contains(#""kind":"floor""#))
    let (imported, copied) = (MemoryJournal(), MemoryJournal())
    try await imported.import(data(lines))
    try await journal.copy(to: copied)
    let rest = try await journal.entries(after: floor.revision, limit: 100)
    #expect(lines.count == rest.count + 2)
    var writes = 0
    try await journal.export { _ in writes += 1 }
    #expect(writes == lines.count)
    for target in [imported, copied] {
      #expect(try await target.floor() == nil)
      let entries = try await target.entries(after: .zero, limit: 100)
      #expect(entries.first?.kind == .initial)
      #expect(entries.dropFirst().map(\.draft) == rest.map(\.draft))
      try await target.verify()
      let store = try await Store.open(Board(), in: target)
      #expect(store.state == state)
      await store.close()
    }
  }

  @Test("of a compacted journal is refused whole if a line is missing or damaged, and nothing is written")
  func damagedFloor() async throws {
    let whole = try await lines(compacted().journal).map(String.init)
    func expect(_ lines: [String], line: Int, _ words: String) async throws {
      let target = MemoryJournal()
      let error = await #expect(throws: JournalError.self) { try await target.import(data(lines), from: "todo.jsonl") }
      #expect(error?.code == .damaged)
      #expect(error?.description.contains("because of line \(line): ") == true, "\(error?.description ?? "")")
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
      #expect(try await target.head().revision == 0)
    }
    var changed = whole
    changed.remove(at: 1)
    try await expect(changed, line: 2, "not the state at the floor")
    changed = whole
    changed.remove(at: 2)
    try await expect(changed, line: 3, "the entry is missing")
    changed = whole
    changed[1] = changed[1].replacing(#""schema":1"#, with: #""schema":2"#)
    try await expect(changed, line: 2, "does not match its checksum")
    changed = whole
    changed[0] = changed[0].replacing(#""floor":{"#, with: #""floor":{"x":1,"#).replacing(#""revision":"#, with: #""revision":-"#)
    try await expect(changed, line: 1, "header")
    try await expect([whole[0]], line: 2, "ends before the state at its floor")
    changed = whole
    changed[0] = changed[0].replacing(#""format":1"#, with: #""format":2"#)
    let error = await #expect(throws: JournalError.self) { try await MemoryJournal().import(data(changed)) }
    #expect(error?.code == .newerFormat)
  }

  @Test("may have blank lines and other line ends")
  func lenient() async throws {
    let whole = try await lines(journal())
    let text = "\n" + whole.joined(separator: "\r\n\r\n")
    #expect(try await MemoryJournal().import(Data(text.utf8)).revision == 9)
  }

  @Test("is never imported into a journal that is not empty, nor is a copy made there")
  func notEmpty() async throws {
    let journal = try await journal()
    let head = try await journal.head()
    let export = try await LedgerHistory.export(journal)
    let error = await #expect(throws: JournalError.self) { try await journal.import(export) }
    #expect(error?.code == .conflict)
    #expect(error?.description.contains("is not empty: it has 9 entries. Nothing was written.") == true)
    await #expect(throws: JournalError.self) { try await MemoryJournal().copy(to: journal) }
    #expect(try await journal.head() == head)
  }

  @Test("stops when it can't be written, and passes the error on")
  func unwritable() async throws {
    struct Full: Error {}
    var count = 0
    await #expect(throws: Full.self) {
      try await journal().export { _ in
        count += 1
        if count == 3 { throw Full() }
      }
    }
    #expect(count == 3)
  }

  @Test("is not needed for a copy: every entry as it is, or the present state alone")
  func copy() async throws {
    let journal = MemoryJournal()
    let store = try await Store.open(Board(), in: journal)
    for number in 0..<2_500 { try store.change(.note("\(number)")) }
    try await store.undo()
    let (whole, squashed) = (MemoryJournal(), MemoryJournal())
    #expect(try await store.copy(to: whole, squashing: false).revision == 2_502)
    #expect(try await store.copy(to: squashed, squashing: true).revision == 1)
    #expect(try await whole.entries(after: .zero, limit: 5_000).map(\.draft) == journal.entries(after: .zero, limit: 5_000).map(\.draft))
    for target in [whole, squashed] {
      let copy = try await Store.open(Board(), in: target)
      #expect(copy.state == store.state)
      await copy.close()
    }
    let error = await #expect(throws: JournalError.self) { try await store.copy(to: journal, squashing: true) }
    #expect(error?.code == .conflict)
    await store.close()
    let memory = MemoryJournal()
    let unkept = Store(Board())
    try unkept.change(.put("a", 1))
    try await unkept.copy(to: memory, squashing: false)
    #expect(try await Store.open(Board(), in: memory).state.values == ["a": 1])
  }
}
