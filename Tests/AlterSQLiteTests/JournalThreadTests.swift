#if SQLite
  import Alter
  import AlterCore
  import AlterJournal
  import AlterTesting
  import Dispatch
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterSQLite

  @Suite("A store's writer on the thread of its journal", .timeLimit(.minutes(20)))
  struct JournalThreadTests {

    /// Appends a draft on the journal's thread.
    private func appendAtOnce(_ draft: [Entry.Draft], to journal: SQLiteJournal) async throws -> Appended? {
      let head = try await journal.head()
      return try await withCheckedContinuation { continuation in
        journal.enqueue {
          continuation.resume(
            returning: Result { () throws(JournalError) in try journal.appendAtOnce(draft, after: head, under: []) { _ in } })
        }
      }.get()
    }

    @Test("waits for no turn: neither for that of another handle, nor for its own")
    func turns() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let (journal, other) = (try await SQLiteJournal(at: path), try await SQLiteJournal(at: path))
        var writer = TestWriter()
        #expect(try await appendAtOnce(writer.drafts(1), to: journal)?.head.revision == 1)
        let drafts = writer.drafts(1)
        for handle in [journal, other] {
          let turn = try await handle.takeTurn()
          #expect(try await appendAtOnce(drafts, to: journal) == nil)
          turn.end()
        }
        #expect(try await appendAtOnce(drafts, to: journal)?.head.revision == 2)
        let late = writer.drafts(1)
        await journal.close()
        await #expect(throws: JournalError.self) { _ = try await appendAtOnce(late, to: journal) }
        #expect(try await other.verify().revision == 2)
        await other.close()
      }
    }

    @Test("does not wake a reader for an entry that it has, and wakes it for the next one")
    func growing() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(1), after: try await journal.head())
        let known = Lock<Revision>(1)
        let reader = Task { try await journal.waitForEntry(after: 1) { known.withLock { $0 } } }
        while !journal.journal.waiters.hasWaiters { await Task.yield() }
        known.withLock { $0 = 2 }
        _ = try await appendAtOnce(writer.drafts(1), to: journal)
        #expect(journal.journal.waiters.hasWaiters)
        _ = try await appendAtOnce(writer.drafts(1), to: journal)
        try await reader.value
        await journal.close()
      }
    }

    @Test("an observer that waits for another store of the file stops neither")
    func observer() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let observed = try await Store.open(Counter(), in: SQLiteJournal(at: path, key: "a"))
        let other = try await Store.open(Counter(), in: SQLiteJournal(at: path, key: "b"))
        let isDurable = DispatchSemaphore(value: 0)
        let token = observed.observe { record, _ in if record != nil { isDurable.wait() } }
        let commit = try observed.change(.add(1))
        try await other.change(.add(1)).durable()
        isDurable.signal()
        try await commit.durable()
        token.cancel()
        await observed.close()
        await other.close()
      }
    }

    @Test("stores of one journal that change at once write each change once")
    func conflicts() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let stores = [
          try await Store.open(Counter(), in: SQLiteJournal(at: path)), try await Store.open(Counter(), in: SQLiteJournal(at: path)),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
          for store in stores {
            group.addTask { for _ in 0..<50 { try await store.change(.add(1)).durable() } }
          }
          try await group.waitForAll()
        }
        for store in stores { #expect(await store.close().isEmpty) }
        let journal = try await SQLiteJournal(at: path)
        #expect(try await journal.verify().revision == 101)
        let store = try await Store.open(Counter(), in: journal)
        #expect(store.state.count == 100)
        await store.close()
      }
    }

    @Test("a change behind another handle's turn is written after it")
    func behind() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let store = try await Store.open(Counter(), in: SQLiteJournal(at: path))
        let other = try await SQLiteJournal(at: path)
        let turn = try await other.takeTurn()
        let commit = try store.change(.add(1))
        #expect(try await other.head().revision == 1)
        turn.end()
        #expect(try await commit.confirmed() == 2)
        await store.close()
        await other.close()
      }
    }

    /// The moment at which a long change begins.
    enum Moment: CaseIterable, Sendable { case beforeAppend, atItsEnd, beforeAnotherWritersAppend }

    @Test("a change that takes long leaves the thread to the other stores of the file, whenever it begins")
    func longChange() async throws {
      for moment in Moment.allCases {
        try await Folder.use { folder in
          let path = folder.path("journal.db")
          let journal = LentJournal(try await SQLiteJournal(at: path))
          let store = try await Store.open(SlowCounter(), in: journal)
          let other = try await Store.open(SlowCounter(), in: SQLiteJournal(at: path))
          let (hasBegun, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
          // `apply` runs under the store's lock.
          let begin = { @Sendable in
            SlowCounter.pause.withLock {
              $0 = {
                hasBegun.signal()
                goesOn.wait()
              }
            }
            Thread.detachNewThread { _ = try? store.change(.add(1)) }
            hasBegun.wait()
          }
          // Not on one of Swift's few threads: the store's tasks wait there for the lock.
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(
                with: Result {
                  switch moment {
                  case .beforeAppend:
                    let mayAppend = DispatchSemaphore(value: 0)
                    journal.enqueue { mayAppend.wait() }
                    _ = try store.change(.add(1))
                    begin()
                    mayAppend.signal()
                  case .atItsEnd:
                    let isAtItsEnd = DispatchSemaphore(value: 0)
                    journal.atTheEnd.withLock {
                      $0 = {
                        begin()
                        isAtItsEnd.signal()
                      }
                    }
                    _ = try store.change(.add(1))
                    isAtItsEnd.wait()
                  case .beforeAnotherWritersAppend:
                    begin()
                    _ = try other.change(.add(1))
                  }
                  let isFree = DispatchSemaphore(value: 0)
                  journal.enqueue { isFree.signal() }
                  isFree.wait()
                  goesOn.signal()
                })
            }
          }
          for store in [store, other] { #expect(await store.close().isEmpty) }
          let copy = try await Store.open(SlowCounter(), in: SQLiteJournal(at: path))
          #expect(copy.state.count == 2)
          await copy.close()
        }
      }
    }

    @Test("an append that has ended counts although the store has failed meanwhile")
    func failedMeanwhile() async throws {
      try await Folder.use { folder in
        let journal = LentJournal(try await SQLiteJournal(at: folder.path("journal.db")))
        let store = try await Store.open(Counter(), in: journal)
        // The task confirms what an observer sees.
        let token = store.observe { _, _ in }
        journal.atTheEnd.withLock { $0 = { [weak store] in store?.fail(.closed("a test")) } }
        _ = try store.change(.add(1))
        while store.revision < 2 { await Task.yield() }
        #expect(await store.close().isEmpty)
        token.cancel()
      }
    }
  }

  /// A journal that lends the thread of another one, and runs code of the test there.
  private final class LentJournal: ForwardingJournal, ThreadJournal {
    private let lent: SQLiteJournal
    var base: any Journal { lent }
    /// Runs once after the next append, before the store learns of it.
    let atTheEnd = Lock<(@Sendable () -> Void)?>(nil)

    init(_ lent: SQLiteJournal) { self.lent = lent }

    func enqueue(_ work: @escaping @Sendable () -> Void) { lent.enqueue(work) }

    func appendAtOnce(
      _ drafts: [Entry.Draft], after head: Head, under leases: [Lease], landed: (Appended) -> Void
    ) throws(JournalError) -> Appended? {
      try lent.appendAtOnce(drafts, after: head, under: leases) { appended in
        take(atTheEnd)?()
        landed(appended)
      }
    }

    func waitForEntry(after revision: Revision, growing present: (@Sendable () -> Revision)?) async throws(JournalError) {
      try await lent.waitForEntry(after: revision, growing: present)
    }
  }

  /// Returns an action, which is then no longer there.
  private func take(_ action: Lock<(@Sendable () -> Void)?>) -> (@Sendable () -> Void)? {
    action.withLock { action in
      defer { action = nil }
      return action
    }
  }

  /// A counter whose next change runs code of the test.
  private struct SlowCounter: Journaled, Hashable, EmptyInitializable {
    enum Change: Hashable, Codable { case add(Int) }

    static let pause = Lock<(@Sendable () -> Void)?>(nil)
    private(set) var count = 0

    mutating func apply(_ change: Change, at stamp: Stamp) {
      if let pause = take(Self.pause) { pause() }
      switch change {
      case .add(let number): count += number
      }
    }
  }
#endif
