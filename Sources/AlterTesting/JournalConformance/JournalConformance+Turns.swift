import AlterCore
import AlterJournal

extension JournalConformance {
  static let turns: [Check] = [
    Check("While one writer has a turn, appends of others wait, through any handle") { session in
      let journal = try await session.open()
      let other = try await session.open()
      var (writer, otherWriter) = (session.writer(), session.writer())
      let empty = try await journal.head()
      for rival in [journal, other] {
        let head = try await journal.head()
        let turn = try await journal.takeTurn()
        let theirs = otherWriter.drafts(1)
        let overtaking = Task { try await rival.append(theirs, after: head) }
        try await session.letOthersRun(journal)
        let mine = writer.drafts(1)
        _ = try await journal.append(mine, after: head, in: turn)
        let next = writer.drafts(1)
        _ = try await journal.append(next, after: try await journal.head(), in: turn)
        turn.end()
        // The append had to wait, so the journal had grown in the meantime.
        try await session.expect(.conflict, from: "an append that waited for a turn to end") { try await overtaking.value }
      }
      let end = try await journal.head()
      try session.expect(end.revision, equals: empty.revision + 4, "the head")
    },
    Check("Turns are granted in the order of the requests") { session in
      let journal = try await session.open()
      // Without help from the journal, tasks cannot be made to request turns in a certain order. So one correct order in three rounds
      // counts as correct. With five tasks in a random order, that happens in one of forty runs.
      var orders: [[Int]] = []
      for _ in 0..<3 {
        let order = Lock<[Int]>([])
        let turn = try await journal.takeTurn()
        var tasks: [Task<Void, any Error>] = []
        for number in 1...5 {
          tasks.append(
            Task {
              let turn = try await journal.takeTurn()
              order.withLock { $0.append(number) }
              turn.end()
            })
          try await session.letOthersRun(journal)
        }
        turn.end()
        for task in tasks { try await task.value }
        orders.append(order.withLock { $0 })
        if orders.last == [1, 2, 3, 4, 5] { return }
      }
      try session.expect(false, "turns in the order 1, 2, 3, 4, 5", found: "\(orders)")
    },
    Check("Ending a turn twice does not end another writer's turn") { session in
      let journal = try await session.open()
      var (writer, otherWriter) = (session.writer(), session.writer())
      let head = try await journal.head()
      let first = try await journal.takeTurn()
      first.end()
      first.end()
      let second = try await journal.takeTurn()
      first.end()
      let theirs = otherWriter.drafts(1)
      let overtaking = Task { try await journal.append(theirs, after: head) }
      try await session.letOthersRun(journal)
      let mine = writer.drafts(1)
      _ = try await journal.append(mine, after: head, in: second)
      second.end()
      try await session.expect(.conflict, from: "an append that waited for the second turn") { try await overtaking.value }
    },
    Check("Releasing a turn without ending it ends it") { session in
      let journal = try await session.open()
      let other = try await session.open()
      func takeAndForget() async throws { _ = try await journal.takeTurn() }
      try await takeAndForget()
      try await other.takeTurn().end()
      try await takeAndForget()
      try await journal.takeTurn().end()
    },
    Check("A cancelled task stops waiting for its turn, and the queue continues") { session in
      let journal = try await session.open()
      let other = try await session.open()
      for handle in [journal, other] {
        let turn = try await journal.takeTurn()
        let waiting = Task { try await handle.takeTurn() }
        try await session.letOthersRun(journal)
        let behind = Task { try await handle.takeTurn() }
        waiting.cancel()
        try await session.expect(.cancelled, from: "a cancelled wait for a turn") { try await waiting.value }
        turn.end()
        try await behind.value.end()
      }
    },
    Check("Closing ends the wait for a turn") { session in
      let journal = try await session.open()
      let turn = try await journal.takeTurn()
      let waiting = Task { try await journal.takeTurn() }
      try await session.letOthersRun(journal)
      await journal.close()
      try await session.expect(.closed, from: "a wait for a turn in a journal that was closed") { try await waiting.value }
      turn.end()
    },
  ]
}
