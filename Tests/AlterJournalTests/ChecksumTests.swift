import AlterCore
import AlterJournal
import Foundation
import Testing

@Suite("The checksum chain")
struct ChecksumTests {
  private let origin = Origin(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!)
  private let start = Checksum(high: 1, low: 2)

  private func draft(
    kind: Entry.Kind = .changes, origin: Origin? = nil, sequence: Int64 = 7, time: Int64 = 9, scope: UndoScope = "ab", schema: Int = 1,
    payload: String = "cd", cause: String? = "ef"
  ) -> Entry.Draft {
    Entry.Draft(
      kind: kind, id: EntryID(origin: origin ?? self.origin, sequence: sequence), time: time, scope: scope, schema: schema,
      payload: Data(payload.utf8), cause: cause.map { Data($0.utf8) })
  }

  @Test("is other for every other field, key and place in the journal, and for bytes that move between fields")
  func everyField() {
    var variants = [draft()]
    variants += Entry.Kind.allCases.filter { $0 != .changes }.map { draft(kind: $0) }
    variants += [
      draft(origin: Origin.none), draft(sequence: 8), draft(time: 10), draft(scope: "aB"), draft(schema: 2), draft(payload: "cD"),
      draft(cause: "eF"),
      draft(cause: nil), draft(cause: ""), draft(payload: ""), draft(scope: ""),
      // The same bytes in sequence, divided at other positions.
      draft(scope: "abc", payload: "d"), draft(scope: "a", payload: "bcd"), draft(payload: "cde", cause: "f"),
      draft(payload: "c", cause: "def"),
      draft(payload: "cd\u{0}"), draft(sequence: 9, time: 7),
    ]
    var checksums = variants.map { start.next(revision: 3, draft: $0) }
    checksums.append(start.next(revision: 4, draft: draft()))
    checksums.append(Checksum(high: 2, low: 1).next(revision: 3, draft: draft()))
    #expect(Set(checksums).count == checksums.count)
  }

  @Test("is the same at every run: it is part of the file format")
  func isStable() {
    // Computed with OpenSSL's SIPHASH from the layout in `Design/0003-journal-format.md`.
    #expect(start.next(revision: 3, draft: draft()).description == "f4426e3033b1baf726d0198dff4b85c4")
  }

  @Test("is written as 16 bytes and read from no other number of bytes")
  func bytes() {
    let checksum = Checksum(high: 0x0102_0304_0506_0708, low: 0xf0e0_d0c0_b0a0_9080)
    #expect(Array(checksum.bytes) == [1, 2, 3, 4, 5, 6, 7, 8, 0xf0, 0xe0, 0xd0, 0xc0, 0xb0, 0xa0, 0x90, 0x80])
    #expect(Checksum(bytes: checksum.bytes) == checksum)
    #expect(checksum.description == "0102030405060708f0e0d0c0b0a09080")
    for count in [0, 15, 17] { #expect(Checksum(bytes: Data(count: count)) == nil) }
  }

  @Test("begins with the journal's id, so that equal entries of two journals have other checksums")
  func startsWithID() {
    let (one, other) = (Head(empty: .random()), Head(empty: .random()))
    #expect(Entry(draft(), after: one).checksum != Entry(draft(), after: other).checksum)
  }
}
