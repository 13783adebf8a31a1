import AlterCore
import AlterJournal

extension JournalConformance {
  static let following: [Check] = [
    Check("A tail gives every entry once and in order, while two handles append") { session in
      let journal = try await session.open()
      let other = try await session.open()
      let third = try await session.open()
      let tails = [journal, third].map { handle in Task { try await collect(50, from: handle) } }
      let writers = [journal, other].map { handle in
        Task {
          var writer = session.writer()
          for _ in 0..<25 { try await appendUntilNoConflict(writer.drafts(1), to: handle) }
        }
      }
      for writer in writers { try await writer.value }
      let entries = try await session.all(other)
      try session.expect(entries.count, equals: 50, "the number of entries")
      for tail in tails {
        let seen = try await tail.value
        try session.expect(seen.map(\.revision.number), equals: Array(1...50), "the revisions that a tail gave")
        try session.expect(seen == entries, "a tail to give the entries as they are read")
      }
      // Read from the middle of the journal, and beyond its present end.
      let late = Task { try await collect(11, from: third, after: 40) }
      try await session.letOthersRun(third)
      var writer = session.writer()
      try await appendUntilNoConflict(writer.drafts(1), to: other)
      let last = try await late.value
      try session.expect(last.map(\.revision.number), equals: Array(41...51), "the revisions that a later tail gave")
    },
    Check("A tail ends with an error when its journal is closed") { session in
      let journal = try await session.open()
      var writer = session.writer()
      _ = try await journal.append(writer.drafts(2), after: try await journal.head())
      let tail = Task { try await collect(3, from: journal) }
      try await session.letOthersRun(journal)
      await journal.close()
      try await session.expect(.closed, from: "the tail of a journal that was closed") { try await tail.value }
    },
  ]

  static let together: [Check] = [
    Check("Eight writers that take turns after a conflict write every entry once, each in its order") { session in
      let handles = [try await session.open(), try await session.open(), try await session.open()]
      let perWriter = 12
      let writers = (0..<8).map { number in
        Task {
          let handle = handles[number % handles.count]
          var writer = session.writer()
          var head = try await handle.head()
          var drafts: [Entry.Draft] = []
          for step in 0..<perWriter / 2 {
            // Batches of one and of three entries show whether batches stay whole.
            let batch = writer.drafts(step % 2 == 0 ? 1 : 3)
            head = try await append(batch, at: head, to: handle)
            drafts += batch
          }
          return drafts
        }
      }
      var written: [[Entry.Draft]] = []
      for writer in writers { written.append(try await writer.value) }
      let entries = try await session.all(handles[0])
      try session.expect(entries.count, equals: 8 * perWriter, "the number of entries")
      for drafts in written {
        let theirs = entries.filter { $0.id.origin == drafts[0].id.origin }
        try session.expect(theirs.map(\.draft) == drafts, "each writer's entries once and in order", found: "\(theirs.map(\.id))")
        // Sequences 2 to 4 are one batch, 6 to 8 the next. Their revisions must be consecutive.
        for (entry, next) in zip(theirs, theirs.dropFirst()) where ![1, 0].contains(entry.id.sequence % 4) {
          try session.expect(next.revision, equals: entry.revision.next, "the revision after \(entry.id) in one batch")
        }
      }
      let verified = try await handles[1].verify()
      try session.expect(verified.revision, equals: Revision(Int64(8 * perWriter)), "the verified head")
    }
  ]

  /// Reads the tail of a journal until it has returned a number of entries.
  private static func collect(_ count: Int, from journal: any Journal, after revision: Revision = .zero) async throws -> [Entry] {
    func read(_ journal: some Journal) async throws -> [Entry] {
      var entries: [Entry] = []
      for try await entry in journal.tail(after: revision) {
        entries.append(entry)
        if entries.count == count { break }
      }
      return entries
    }
    return try await read(journal)
  }

  /// Appends after a head. After a conflict it takes a turn, during which no other append is accepted.
  private static func append(_ drafts: [Entry.Draft], at head: Head, to journal: any Journal) async throws -> Head {
    do {
      return try await journal.append(drafts, after: head).head
    } catch  where error.code == .conflict {
      return try await appendInTurn(drafts, to: journal)
    }
  }

  /// Appends as a writer to any journal does, also one whose turns keep no one from appending: it repeats the append after a conflict.
  private static func appendUntilNoConflict(_ drafts: [Entry.Draft], to journal: any Journal) async throws {
    while true {
      do {
        _ = try await appendInTurn(drafts, to: journal)
        return
      } catch let error as JournalError where error.code == .conflict {
        // Another writer has appended since the head was read, so the journal has grown.
      }
    }
  }

  /// Takes a turn, reads the head, and appends after it. A journal with turns reports no conflict.
  private static func appendInTurn(_ drafts: [Entry.Draft], to journal: any Journal) async throws -> Head {
    let turn = try await journal.takeTurn()
    defer { turn.end() }
    let head = try await journal.head()
    return try await journal.append(drafts, after: head, in: turn).head
  }
}
