import AlterCore
import AlterJournal
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("The chain of checksums")
struct ChecksumTests {
  let journal = JournalID(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
  let origin = Origin(UUID(uuid: (16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)))

  /// The entries of the example in `Design/0003-journal-format.md`.
  var drafts: [Entry.Draft] {
    [
      Entry.Draft(
        kind: .initial, id: EntryID(origin: origin, sequence: 1), time: 1_764_580_200_250_000, payload: Data(#"{"count":0}"#.utf8)),
      Entry.Draft(
        kind: .changes, id: EntryID(origin: origin, sequence: 2), time: 1_764_580_201_000_000, payload: Data(#"[{"add":2}]"#.utf8),
        cause: Data(#"{"metadata":{"who":"a test"}}"#.utf8)),
    ]
  }

  @Test("is what the format's description says: its example was computed without this code")
  func documented() {
    var head = Head(empty: journal)
    #expect(head.checksum.description == "000102030405060708090a0b0c0d0e0f")
    var checksums: [String] = []
    for draft in drafts {
      head = head.advanced(by: Entry(draft, after: head))
      checksums.append(head.checksum.description)
      #expect(head.checksum == Checksum(bytes: head.checksum.bytes))
    }
    #expect(checksums == ["74e2f1a4dd5e39ee2c276fa988c4e509", "315fe85334bf705f9d92adb69da8da66"])
  }

  @Test("depends on every field of an entry, and on the entry before")
  func everyField() {
    func draft(
      kind: Entry.Kind = .changes, origin: Origin? = nil, sequence: Int64 = 2, time: Int64 = 3, scope: UndoScope = "s", schema: Int = 1,
      payload: String = "[1]", cause: String? = "{}"
    ) -> Entry.Draft {
      Entry.Draft(
        kind: kind, id: EntryID(origin: origin ?? self.origin, sequence: sequence), time: time, scope: scope, schema: schema,
        payload: Data(payload.utf8), cause: cause.map { Data($0.utf8) })
    }
    let before = Checksum(start: journal)
    let variants = [
      draft(), draft(kind: .reset), draft(origin: Origin.none), draft(sequence: 3), draft(time: 4), draft(scope: "t"), draft(schema: 2),
      draft(payload: "[2]"), draft(cause: "[]"), draft(cause: nil), draft(cause: ""), draft(scope: "", payload: "s[1]"),
      draft(scope: "s[", payload: "1]"), draft(payload: "[1]{}", cause: ""),
    ]
    var checksums = Set(variants.map { before.next(revision: 1, draft: $0) })
    checksums.insert(before.next(revision: 2, draft: draft()))
    checksums.insert(before.next(revision: 1, draft: draft()).next(revision: 1, draft: draft()))
    #expect(checksums.count == variants.count + 2)
  }

  @Test("has 16 bytes, no more and no fewer")
  func bytes() {
    #expect(Checksum(bytes: Data(repeating: 1, count: 15)) == nil)
    #expect(Checksum(bytes: Data(repeating: 1, count: 17)) == nil)
    #expect(Checksum(bytes: Data(repeating: 1, count: 16))?.description == String(repeating: "01", count: 16))
  }
}
