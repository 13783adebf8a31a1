import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JournalConformance {
  static let snapshots: [Check] = [
    Check("A snapshot is read back as it was kept, through any handle, even if its bytes are damaged") { session in
      let journal = try await session.open()
      let other = try await session.open()
      let heads = try await session.fill(journal, 5)
      let sound = Snapshot(
        head: heads[4], base: heads[2], schema: 7, form: 9 << 48 | 5, written: 1 << 40, payload: Data(#"{"text":"žluť 🎈"}"#.utf8))
      let empty = Snapshot(head: heads[3], base: heads[0], schema: 1, written: 0, payload: Data())
      // The checksum of this snapshot is wrong. The journal stores it nevertheless; its reader detects the damage.
      let damaged = Snapshot(
        head: heads[2], base: heads[1], schema: 1, written: 5, payload: Data("{}".utf8), checksum: Checksum(high: 1, low: 2))
      for snapshot in [empty, damaged, sound] { try await journal.keep(snapshot) }
      for handle in [journal, other] {
        for snapshot in [sound, empty, damaged] {
          let found = try await handle.snapshot(at: snapshot.head.revision)
          try session.expect(found, equals: snapshot, "the snapshot at \(snapshot.head.revision)")
        }
        let places = try await handle.snapshots(upTo: 5, limit: 10)
        try session.expect(places, equals: [sound, empty, damaged].map(\.place), "the snapshots, newest first")
      }
      let found = try await other.snapshot(at: 3)
      try session.expect(found?.isSound, equals: false, "whether a damaged one is sound")
      let none = try await journal.snapshot(at: 1)
      try session.expect(none, equals: nil, "a snapshot that was never kept")
      // A snapshot is not an entry.
      try await session.expect(journal, numbers: 5)
    },
    Check("Snapshots are listed newest first, up to a revision, and no more than requested") { session in
      let journal = try await session.open()
      let heads = try await session.fill(journal, 9)
      for number in [3, 1, 7, 5] {
        try await journal.keep(
          Snapshot(head: heads[number - 1], base: heads[0], schema: 1, written: Int64(number), payload: Data("1".utf8)))
      }
      for (revision, limit, expected) in [
        (Revision(9), 10, [7, 5, 3, 1]), (7, 2, [7, 5]), (6, 10, [5, 3, 1]), (1, 1, [1]), (0, 10, []), (9, 0, []),
        (Revision(.max), .max, [7, 5, 3, 1]),
      ] as [(Revision, Int, [Int64])] {
        let places = try await journal.snapshots(upTo: revision, limit: limit)
        try session.expect(places.map(\.revision.number), equals: expected, "the snapshots up to \(revision), at most \(limit)")
      }
    },
    Check("A snapshot replaces one of the same revision, and can be removed") { session in
      let journal = try await session.open()
      let other = try await session.open()
      let heads = try await session.fill(journal, 3)
      let old = Snapshot(head: heads[2], base: heads[0], schema: 1, written: 3, payload: Data("[1]".utf8))
      let new = Snapshot(head: heads[2], base: heads[1], schema: 2, written: 3, payload: Data("[1,2]".utf8))
      try await journal.keep(old)
      try await other.keep(new)
      let found = try await journal.snapshot(at: 3)
      try session.expect(found, equals: new, "the snapshot that was kept last")
      try await journal.removeSnapshot(at: 2)
      try await journal.removeSnapshot(at: 3)
      let none = try await other.snapshot(at: 3)
      try session.expect(none, equals: nil, "a removed snapshot")
      let places = try await other.snapshots(upTo: 3, limit: 10)
      try session.expect(places, equals: [], "the list after the removal")
      await journal.close()
      try await session.expect(.closed, from: "keep") { try await journal.keep(old) }
      try await session.expect(.closed, from: "snapshots") { try await journal.snapshots(upTo: 3, limit: 1) }
      try await session.expect(.closed, from: "snapshot") { try await journal.snapshot(at: 3) }
      try await session.expect(.closed, from: "removeSnapshot") { try await journal.removeSnapshot(at: 3) }
    },
  ]
}

extension ConformanceSession {
  /// Appends entries one by one.
  ///
  /// - Returns: The head after each append.
  fileprivate func fill(_ journal: any Journal, _ count: Int) async throws -> [Head] {
    var writer = writer()
    var heads: [Head] = []
    for _ in 0..<count {
      let head = try await journal.head()
      heads.append(try await journal.append([writer.draft()], after: head).head)
    }
    return heads
  }

  fileprivate func expect(_ journal: any Journal, numbers count: Int64) async throws {
    let entries = try await all(journal)
    try expect(entries.map(\.revision.number), equals: Array(1...count), "the revisions")
  }
}
