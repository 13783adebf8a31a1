import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JournalConformance {
  static let numbering: [Check] = [
    Check("A new journal is empty") { session in
      let journal = try await session.open()
      let head = try await journal.head()
      try session.expect(head, equals: Head(empty: head.journal), "the head")
      let entries = try await journal.entries(after: .zero, limit: 10)
      try session.expect(entries, equals: [], "the entries")
      let verified = try await journal.verify()
      try session.expect(verified, equals: head, "the result of verify")
    },
    Check("Entries are numbered 1, 2, 3 … without gaps, and their chain leads to the head") { session in
      let journal = try await session.open()
      var writer = session.writer()
      var appended: [Entry.Draft] = []
      var head = try await journal.head()
      for count in 1...4 {
        let batch = writer.drafts(count)
        let answer = try await journal.append(batch, after: head)
        try session.expect(answer.first, equals: head.revision.next, "the first revision of a batch")
        try session.expect(answer.head.revision, equals: head.revision + count, "the revision that an append ends at")
        head = answer.head
        let now = try await journal.head()
        try session.expect(now, equals: head, "the head after an append")
        appended += batch
      }
      try await session.expect(journal, holds: appended)
      let verified = try await journal.verify()
      try session.expect(verified, equals: head, "the result of verify")
    },
    Check("Another handle sees the same journal") { session in
      let first = try await session.open()
      let second = try await session.open()
      var writer = session.writer()
      let batch = writer.drafts(3)
      let answer = try await first.append(batch, after: try await first.head())
      let head = try await second.head()
      try session.expect(head, equals: answer.head, "the head through the other handle")
      try await session.expect(second, holds: batch)
    },
  ]

  static let appending: [Check] = [
    Check("An append at an old head fails with a conflict that states the journal's revision, and writes nothing") { session in
      let journal = try await session.open()
      let other = try await session.open()
      var (writer, otherWriter) = (session.writer(), session.writer())
      let first = writer.drafts(1)
      let start = try await journal.append(first, after: try await journal.head()).head
      let more = otherWriter.drafts(2)
      _ = try await other.append(more, after: start)
      for old in [start, Head(empty: start.journal)] {
        let late = writer.drafts(2)
        let error = try await session.expect(.conflict, from: "an append after revision \(old.revision)") {
          try await journal.append(late, after: old)
        }
        try session.expect(error.revision, equals: 3, "the revision in the error")
        let text = "is at revision 3, but this append expected \(old.revision)"
        try session.expect(error.description.contains(text), "the error to say '\(text)'", found: error.description)
        try session.expect(error.description.contains(journal.name), "the error to name the journal", found: error.description)
      }
      try await session.expect(journal, holds: first + more)
    },
    Check("An append at a head outside of the journal's history fails as diverged, and writes nothing") { session in
      let journal = try await session.open()
      var writer = session.writer()
      let drafts = writer.drafts(2)
      let head = try await journal.append(drafts, after: try await journal.head()).head
      let wrong = Checksum(high: ~head.checksum.high, low: head.checksum.low)
      let strangers = [
        Head(journal: head.journal, revision: head.revision, checksum: wrong),
        Head(journal: head.journal, revision: 1, checksum: wrong),
        Head(journal: head.journal, revision: 99, checksum: head.checksum),
        Head(journal: head.journal, revision: -1, checksum: head.checksum),
        Head(journal: head.journal, revision: Revision(.min), checksum: head.checksum),
        Head(journal: head.journal, revision: Revision(.max), checksum: head.checksum),
        Head(journal: .random(), revision: head.revision, checksum: head.checksum),
        Head(empty: .random()),
      ]
      for stranger in strangers {
        let late = writer.drafts(1)
        try await session.expect(.diverged, from: "an append after \(stranger)") { try await journal.append(late, after: stranger) }
      }
      try await session.expect(journal, holds: drafts)
    },
    Check("A repeated append finds its drafts in the journal, whatever head it presents, and writes nothing twice") { session in
      let journal = try await session.open()
      let other = try await session.open()
      var (writer, otherWriter) = (session.writer(), session.writer())
      let empty = try await journal.head()
      let drafts = writer.drafts(2)
      let answer = try await journal.append(drafts, after: empty)
      let again = try await journal.append(drafts, after: empty)
      try session.expect(again, equals: answer, "the answer to the same append at the old head")
      let more = otherWriter.drafts(3)
      let end = try await other.append(more, after: answer.head).head
      for head in [empty, answer.head, end, Head(empty: .random())] {
        let later = try await other.append(drafts, after: head)
        try session.expect(later, equals: answer, "the answer after others have appended")
      }
      let now = try await journal.head()
      try session.expect(now, equals: end, "the head")
      try await session.expect(journal, holds: drafts + more)
    },
    Check("An append whose id exists with other content is an origin collision, and writes nothing") { session in
      let journal = try await session.open()
      var writer = session.writer()
      let drafts = writer.drafts(2)
      let head = try await journal.append(drafts, after: try await journal.head()).head
      func changed(_ draft: Entry.Draft) -> Entry.Draft {
        Entry.Draft(kind: draft.kind, id: draft.id, time: draft.time, payload: Data("[\"other\"]".utf8))
      }
      let error = try await session.expect(.originCollision, from: "an append of another payload") {
        try await journal.append([changed(drafts[0])], after: head)
      }
      try session.expect(error.revision, equals: 1, "the revision in the error")
      try await session.expect(.originCollision, from: "an append whose second draft has another payload") {
        try await journal.append([drafts[0], changed(drafts[1])], after: head)
      }
      // The first draft is new, the second is not. A journal that examines only the first draft would write half of the batch.
      var stranger = session.writer()
      let fresh = stranger.drafts(1)
      try await session.expect(.originCollision, from: "an append in which only the second draft's id exists") {
        try await journal.append(fresh + [drafts[1]], after: head)
      }
      try await session.expect(journal, holds: drafts)
    },
    Check("A refusal is not appended, alone or after other drafts: only a server writes refusals") { session in
      let journal = try await session.open()
      var writer = session.writer()
      let drafts = writer.drafts(2)
      let head = try await journal.append(drafts, after: try await journal.head()).head
      var more = writer.drafts(2)
      let refused = writer.draft()
      more.append(Entry.Draft(refusing: refused.id, Entry.Refusal(code: "denied", hash: refused.hash), time: refused.time))
      for batch in [[more[2]], more] {
        let error = try await session.expect(.readOnly, from: "an append of a refusal") { try await journal.append(batch, after: head) }
        try session.expect(error.description.contains("\(refused.id)"), "the error to name the draft", found: error.description)
      }
      try await session.expect(journal, holds: drafts)
      // Nothing keeps the writer from going on.
      _ = try await journal.append(Array(more[..<2]), after: head)
      try await session.expect(journal, holds: drafts + more[..<2])
    },
    Check("Every field of an entry is read back unchanged") { session in
      let journal = try await session.open()
      let other = try await session.open()
      var writer = session.writer()
      let acting = #"{"depth":3,"feedback":"charge","request":"00000000-0000-4000-8000-000000000001.7.0.0.5"}"#
      let causes = [nil, Data(), Data(#"{"metadata":{"who":"Jack"}}"#.utf8), Data(acting.utf8)]
      var drafts = Entry.Kind.allCases.filter { $0 != .refused }.enumerated().map { index, kind in
        writer.draft("[\(index)]", kind: kind, schema: index + 1, cause: causes[index % 4])
      }
      for scope in ["", "device", "Jürgen 🧑‍🚀", "a\nb", "a\u{0}b"] { drafts.append(writer.draft(scope: UndoScope(rawValue: scope))) }
      for time in [Int64.min, -1, 0, .max] {
        let id = EntryID(origin: .random(), sequence: .max)
        drafts.append(Entry.Draft(kind: .changes, id: id, time: time, payload: Data("[]".utf8)))
      }
      _ = try await journal.append(drafts, after: try await journal.head())
      try await session.expect(other, holds: drafts)
    },
    Check("Payloads are read back byte for byte: empty, any text, control characters, a mebibyte") { session in
      let journal = try await session.open()
      let other = try await session.open()
      var writer = session.writer()
      let payloads = [
        Data(), Data("[]".utf8), Data("\"äöü 日本語 🧑‍🚀 e\u{301} é\"".utf8), Data((0..<32).map { UInt8($0) }), Data("a\u{0}b\r\n'\"\\;--".utf8),
        Data((0..<(1 << 20)).map { UInt8(ascii: "a") + UInt8($0 % 23) }),
      ]
      let drafts = payloads.map { writer.draft($0) }
      _ = try await journal.append(drafts, after: try await journal.head())
      try await session.expect(other, holds: drafts)
      let last = try await other.entry(drafts[5].id)
      try session.expect(last?.payload == payloads[5], "a mebibyte to be found by its id")
    },
  ]
}
