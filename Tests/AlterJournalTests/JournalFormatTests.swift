import AlterCore
import AlterJournal
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("The journal format's description")
struct JournalFormatTests {
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

  @Test("gives the checksums that the code computes: its example was computed without this code")
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
}
