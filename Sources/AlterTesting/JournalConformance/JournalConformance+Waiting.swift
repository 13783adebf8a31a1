import AlterCore
import AlterJournal

extension JournalConformance {
  static let waiting: [Check] = [
    Check("Waiting for an entry that is there returns at once") { session in
      let journal = try await session.open()
      let other = try await session.open()
      var writer = session.writer()
      _ = try await journal.append(writer.drafts(2), after: try await journal.head())
      for handle in [journal, other] {
        try await handle.waitForEntry(after: .zero)
        try await handle.waitForEntry(after: 1)
      }
    },
    Check("Waiting returns when the entry arrives, through this handle or another") { session in
      let journal = try await session.open()
      let other = try await session.open()
      var writer = session.writer()
      for appender in [journal, other] {
        let head = try await journal.head()
        let waits = [journal, other].map { handle in Task { try await handle.waitForEntry(after: head.revision) } }
        try await session.letOthersRun(journal)
        let batch = writer.drafts(1)
        _ = try await appender.append(batch, after: head)
        for wait in waits { try await wait.value }
      }
    },
    Check("A wait lasts until its own revision is passed") { session in
      let journal = try await session.open()
      var writer = session.writer()
      var head = try await journal.head()
      let seen = Lock<Revision?>(nil)
      let current = Lock<Revision>(.zero)
      let wait = Task {
        try await journal.waitForEntry(after: 2)
        let now = current.withLock { $0 }
        seen.withLock { $0 = now }
      }
      for number in 1...3 {
        try await session.letOthersRun(journal)
        let early = seen.withLock { $0 }
        try session.expect(early, equals: nil, "a wait past revision 2 to continue at revision \(number - 1)")
        current.withLock { $0 = Revision(Int64(number)) }
        head = try await journal.append(writer.drafts(1), after: head).head
      }
      try await wait.value
      let end = seen.withLock { $0 }
      try session.expect(end, equals: 3, "the revision at the end of the wait")
    },
    Check("A cancelled task stops waiting for an entry") { session in
      let journal = try await session.open()
      let waiting = Task { try await journal.waitForEntry(after: .zero) }
      try await session.letOthersRun(journal)
      waiting.cancel()
      try await session.expect(.cancelled, from: "a cancelled wait") { try await waiting.value }
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await journal.waitForEntry(after: .zero)
      }
      try await session.expect(.cancelled, from: "a wait by a task that is cancelled already") { try await late.value }
    },
    Check("Closing ends every wait for an entry") { session in
      let journal = try await session.open()
      let waits = (0..<3).map { number in Task { try await journal.waitForEntry(after: Revision(Int64(number))) } }
      try await session.letOthersRun(journal)
      await journal.close()
      for wait in waits { try await session.expect(.closed, from: "a wait in a journal that was closed") { try await wait.value } }
    },
  ]
}
