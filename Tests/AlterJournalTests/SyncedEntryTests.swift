import AlterCore
import AlterJournal
import AlterTesting
import Foundation
import Testing

@Suite("Entries of a synced journal")
struct SyncedEntryTests {
  private let id = EntryID(origin: Origin(UUID(uuidString: "00112233-4455-6677-8899-aabbccddeeff")!), sequence: 7)

  private var draft: Entry.Draft {
    Entry.Draft(kind: .changes, id: id, time: 9, scope: "ab", schema: 1, payload: Data("cd".utf8), cause: Data("ef".utf8))
  }

  @Test("have receipts, which the chain covers and which are not part of the draft")
  func receipts() throws {
    let start = Checksum(high: 1, low: 2)
    let receipt = Receipt(author: Pseudonym(bits: 0xfedc_ba98_7654_3210), arrival: -5)
    // Computed with OpenSSL's SIPHASH from the layout in `Design/0003-journal-format.md`.
    #expect(start.next(revision: 3, draft: draft, receipt: receipt).description == "485529eddec8694c078b8eb7a75367be")
    let variants = [
      nil, receipt, Receipt(author: Pseudonym(bits: 1), arrival: -5), Receipt(author: receipt.author, arrival: -4),
      Receipt(author: Pseudonym(bits: 0), arrival: 0),
    ]
    #expect(Set(variants.map { start.next(revision: 3, draft: draft, receipt: $0) }).count == variants.count)
    var head = Head(empty: .random())
    let entry = Entry(draft, receipt: receipt, after: head)
    #expect(entry.draft == draft && entry.receipt == receipt)
    #expect(throws: JournalError.self) {
      try head.verify(Entry(revision: 1, draft: draft, receipt: nil, checksum: entry.checksum), in: "test")
    }
    try head.verify(entry, in: "test")
  }

  @Test("are recognised by a hash of the draft's bytes, which is the same at every run")
  func hash() {
    #expect(draft.hash.description == "c5ad5aee20503fa09088653a6fae532b")
    let other = Entry.Draft(kind: .changes, id: id, time: 10, scope: "ab", schema: 1, payload: Data("cd".utf8), cause: Data("ef".utf8))
    #expect(other.hash != draft.hash)
  }

  @Test("are refusals under the id of the draft, with a code and the draft's hash")
  func refusals() throws {
    let refusal = Entry.Refusal(code: "denied", hash: draft.hash)
    let refused = Entry.Draft(refusing: id, refusal, time: 12)
    #expect(String(decoding: refused.payload, as: UTF8.self) == #"{"code":"denied","hash":"c5ad5aee20503fa09088653a6fae532b"}"#)
    #expect(refused.id == id && refused.kind == .refused)
    let entry = Entry(refused, after: Head(empty: .random()))
    #expect(entry.refusal == refusal)
    #expect(try JournalCoding.encode(refusal) == refused.payload)
    #expect(Entry(draft, after: Head(empty: .random())).refusal == nil)
    for text in [#"{"code":"denied","hash":"+5ad5aee20503fa09088653a6fae532b"}"#, #"{"code":"denied"}"#, #"{"code":1,"hash":""}"#, ""] {
      let bad = Entry.Draft(kind: .refused, id: id, time: 0, payload: Data(text.utf8))
      #expect(Entry(bad, after: Head(empty: .random())).refusal == nil)
    }
  }

  @Test("name what they require and repeat in their cause, and one target in an undo by rule")
  func references() throws {
    let cause = Cause(requires: id, retries: EntryID(origin: id.origin, sequence: 3))
    let bytes = try JournalCoding.encode(cause)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"requires":{"origin":"00112233-4455-6677-8899-aabbccddeeff","sequence":7},"#
        + #""retries":{"origin":"00112233-4455-6677-8899-aabbccddeeff","sequence":3}}"#)
    #expect(try JournalCoding.decode(Cause.self, from: bytes) == cause)
    #expect(try JSONDecoder().decode(Cause.self, from: bytes) == cause)
    // Readers of earlier builds skip the members that they do not know.
    let acting = Cause(feedback: "charge", request: "a request", depth: 3)
    let members = #"{"depth":3,"feedback":"charge","request":"a request"}"#
    #expect(String(decoding: try JournalCoding.encode(acting), as: UTF8.self) == members)
    #expect(try JournalCoding.decode(Cause.self, from: Data(members.utf8)) == acting)
    #expect(try JSONDecoder().decode(Cause.self, from: Data(members.utf8)) == acting)
    #expect(acting.asking == nil && Cause(request: "00112233-4455-6677-8899-aabbccddeeff.7.0.0.5").asking == id)
    let byRule = Entry.Targets(byRule: id)
    let text = #"{"target":{"origin":"00112233-4455-6677-8899-aabbccddeeff","sequence":7}}"#
    #expect(try JournalCoding.encode(byRule) == Data(text.utf8))
    #expect(try JSONEncoder().encode(byRule).count == text.utf8.count)
    for decoded in [
      try JournalCoding.decode(Entry.Targets.self, from: Data(text.utf8)),
      try JSONDecoder().decode(Entry.Targets.self, from: Data(text.utf8)),
    ] {
      #expect(decoded == byRule && decoded.isByRule)
    }
    #expect(Entry.Targets([id]) != byRule)
  }

  @Test("are exported with their receipts, and imported without them, and without refusals, into a journal that is not synced")
  func export() async throws {
    let journal = MemoryJournal(name: "served")
    let other = EntryID(origin: id.origin, sequence: 8)
    let initial = Entry.Draft(kind: .initial, id: EntryID(origin: .none, sequence: 1), time: 0, payload: Data("{}".utf8))
    _ = try await journal.append([initial], after: try await journal.head())
    #expect(try await lines(of: journal)[0].contains(#""format":1"#))
    try await journal.serve(Lineage(Generation(1)), schema: 1)
    let receipt = Receipt(author: Pseudonym(bits: 10), arrival: 77)
    let decided = [
      DecidedDraft(
        Entry.Draft(refusing: id, Entry.Refusal(code: "denied", hash: draft.hash), time: 1), receipt: receipt, principal: "ann"),
      DecidedDraft(
        Entry.Draft(kind: .changes, id: other, time: 2, payload: Data("[]".utf8)), receipt: receipt, principal: "ann"),
    ]
    _ = try await journal.append(decided, at: try await journal.position())
    let lines = try await lines(of: journal)
    #expect(lines[0].contains(#""format":1"#))
    #expect(lines[2].contains(#""arrival":77,"author":"000000000000000a""#) && lines[2].contains(#""kind":"refused""#))
    let copies = [MemoryJournal(name: "imported"), MemoryJournal(name: "copied")]
    try await copies[0].import(Data(lines.joined(separator: "\n").utf8))
    try await journal.copy(to: copies[1])
    for copy in copies {
      let entries = try await copy.entries(after: .zero, limit: 10)
      #expect(entries.map(\.id) == [initial.id, other] && entries.allSatisfy { $0.receipt == nil })
      #expect(try await copy.role() == .plain)
    }
    // A receipt is covered by the chain, so a changed one is damage.
    let changed = lines.map { $0.replacing(#""arrival":77"#, with: #""arrival":78"#) }.joined(separator: "\n")
    let error = await #expect(throws: JournalError.self) { try await MemoryJournal().import(Data(changed.utf8)) }
    #expect(error?.code == .damaged && error?.description.contains("line 3") == true)
    let half = lines.map { $0.replacing(#""arrival":77,"#, with: "") }.joined(separator: "\n")
    await #expect(throws: JournalError.self) { try await MemoryJournal().import(Data(half.utf8)) }
  }

  private func lines(of journal: any Journal) async throws -> [String] {
    let text = Lock("")
    try await journal.export { line in text.withLock { $0 += String(decoding: line, as: UTF8.self) } }
    return text.withLock { $0.split(separator: "\n").map(String.init) }
  }
}
