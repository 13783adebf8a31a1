import AlterCore
import AlterJournal

extension JournalConformance {
  static let reading: [Check] = [
    Check("An entry is found by its id; an unknown id gives nil") { session in
      let journal = try await session.open()
      var writer = session.writer()
      let drafts = writer.drafts(3)
      _ = try await journal.append(drafts, after: try await journal.head())
      for (index, draft) in drafts.enumerated() {
        let entry = try await journal.entry(draft.id)
        try session.expect(entry?.draft, equals: draft, "the entry of \(draft.id)")
        try session.expect(entry?.revision, equals: Revision(Int64(index + 1)), "its revision")
      }
      for unknown in [
        EntryID(origin: writer.origin, sequence: 4), EntryID(origin: .random(), sequence: 1), EntryID(origin: .none, sequence: 0),
      ] {
        let entry = try await journal.entry(unknown)
        try session.expect(entry, equals: nil, "the entry of an unknown id")
      }
    },
    Check("Pages are consecutive, never longer than requested, and empty only at the end") { session in
      let journal = try await session.open()
      var writer = session.writer()
      let drafts = writer.drafts(10)
      _ = try await journal.append(drafts, after: try await journal.head())
      for limit in [1, 3, 10, 11, .max] {
        var revision = Revision.zero
        while revision < 10 {
          let page = try await journal.entries(after: revision, limit: limit)
          try session.expect(!page.isEmpty, "entries after revision \(revision)", found: "none")
          try session.expect(page.count <= limit, "at most \(limit) entries", found: "\(page.count)")
          for entry in page {
            try session.expect(entry.revision, equals: revision.next, "the revision after \(revision)")
            revision = entry.revision
          }
        }
      }
      for (revision, limit) in [(10, 5), (11, 5), (Revision(.max), 5), (10, .max), (0, 0), (0, -1)] {
        let page = try await journal.entries(after: revision, limit: limit)
        try session.expect(page, equals: [], "entries after \(revision), at most \(limit)")
      }
      for revision in [Revision(-1), Revision(.min)] {
        let page = try await journal.entries(after: revision, limit: 1)
        try session.expect(page.map(\.revision), equals: [1], "the first entry after revision \(revision)")
      }
    },
    Check("Once closed, a handle refuses every call; closing twice is harmless") { session in
      let journal = try await session.open()
      var writer = session.writer()
      let drafts = writer.drafts(1)
      let head = try await journal.append(drafts, after: try await journal.head()).head
      await journal.close()
      await journal.close()
      try await session.expect(.closed, from: "head") { try await journal.head() }
      try await session.expect(.closed, from: "entries") { try await journal.entries(after: .zero, limit: 1) }
      try await session.expect(.closed, from: "entry") { try await journal.entry(drafts[0].id) }
      let more = writer.drafts(1)
      try await session.expect(.closed, from: "append") { try await journal.append(more, after: head) }
      try await session.expect(.closed, from: "takeTurn") { try await journal.takeTurn() }
      try await session.expect(.closed, from: "waitForEntry") { try await journal.waitForEntry(after: .zero) }
    },
  ]
}
