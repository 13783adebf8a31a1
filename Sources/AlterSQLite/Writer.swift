#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB
  import GRDBSQLite

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif
  /// The writing connection of a handle, and the lock under which it writes.
  ///
  /// `@unchecked Sendable`: used on the journal's writing queue only, except for ``waits``, which has its own lock.
  final class Writer: @unchecked Sendable {
    /// The lock that appends, checkpoints, opening and closing run under.
    let lock: FileLock
    /// The bell that is rung after each commit.
    let bell: Doorbell
    /// The connection. Tests inspect its settings.
    let database: DatabaseQueue
    private let location: FileLocation
    /// The file that the connection has opened.
    let file: FileStatus
    private let name: String
    /// The number of the journal in the file.
    let journal: Int64
    private let lockTimeout: Duration
    private var isClosed = false
    /// The error of a failed commit. It is permanent ("never acknowledge from a re-read"): after a failed sync the kernel may forget that
    /// pages were not written, and a second sync succeeds without them.
    private var failure: JournalError?
    /// The number of pages in the write-ahead log at which the next checkpoint is due.
    private var checkpointAt = Writer.checkpointPages
    private let walPages: UnsafeMutablePointer<Int32>
    /// The statements of an append, prepared at the first one.
    private var statements: AppendStatements?
    /// The files that show that the holders of this handle's leases are alive.
    private let holders: HolderFiles
    private let waits = Lock<(current: LockWait?, end: JournalError?)>((nil, nil))

    /// 1,024 pages, about 4 MiB.
    private static let checkpointPages: Int32 = 1_024

    /// Creates a writer on an open connection.
    init(
      _ database: DatabaseQueue, journal: Int64, location: FileLocation, file: FileStatus, lock: FileLock, lockTimeout: Duration,
      name: String
    ) {
      self.database = database
      self.journal = journal
      self.location = location
      self.file = file
      self.lock = lock
      self.lockTimeout = lockTimeout
      self.name = name
      bell = Doorbell(path: location.bell, beside: location.path, journal: journal)
      holders = HolderFiles(location)
      if let log = FileStatus(path: location.wal) { bell.remember(file, log: log) }
      let walPages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
      walPages.initialize(to: 0)
      self.walPages = walPages
      // SQLite reports the length of the log after each commit. The size of the file does not show it, because the log is reused without
      // truncation.
      database.inDatabase { database in
        _ = sqlite3_wal_hook(
          database.sqliteConnection,
          { context, _, _, pages in
            context?.assumingMemoryBound(to: Int32.self).pointee = pages
            return SQLITE_OK
          }, walPages)
      }
    }

    deinit { walPages.deallocate() }

    // MARK: Taking the lock

    /// Takes the lock, unless it is already held for a turn.
    ///
    /// - Returns: Whether this call took the lock, so that the caller must release it.
    func take(for purpose: String, waiting wait: LockWait) throws(JournalError) -> Bool {
      guard !isClosed else { throw .closed(name) }
      guard !lock.isHeld else { return false }
      if let end = waits.withLock({ waits in
        if waits.end == nil { waits.current = wait }
        return waits.end
      }) {
        throw end
      }
      defer { waits.withLock { $0.current = nil } }
      try lock.take(for: purpose, waiting: wait, timeout: lockTimeout)
      return true
    }

    /// Ends the present wait for the lock, and every later one. May be called from any thread.
    func endWaits(_ error: JournalError) {
      let wait = waits.withLock { waits in
        waits.end = error
        return waits.current
      }
      wait?.giveUp(error)
    }

    // MARK: Appending

    /// Appends drafts under the lock, in one transaction.
    func append(_ drafts: [Entry.Draft], after head: Head, under leases: [Lease], waiting wait: LockWait) throws(JournalError) -> Appended {
      try write(for: "append", waiting: wait) { database -> (appended: Appended, end: Revision?) in
        let statements = try prepared(in: database)
        if let there = try find(drafts, by: statements, in: database) { return there }
        for lease in leases { try LeaseRow.check(lease, journal: journal, in: database, name: name) }
        return (try insert(drafts, after: head, by: statements, in: database), nil)
      } then: { answer in
        // The lock is still held, so the bell's number never decreases, and a handle that reads its own number knows that no other has rung
        // since.
        if let end = answer.end { bell.ringAgain(end) } else { bell.ring(answer.appended.head.revision) }
      }.appended
    }

    private func prepared(in database: Database) throws -> AppendStatements {
      if let statements { return statements }
      let statements = try AppendStatements(journal: journal, in: database)
      self.statements = statements
      return statements
    }

    /// Grants a lease, or renews it.
    func lease(_ lease: String, for holder: Origin, lasting duration: Duration, waiting wait: LockWait) throws(JournalError) -> Lease {
      do throws(JournalError) {
        return try write(for: "lease", waiting: wait) { database in
          try LeaseRow.grant(lease, to: holder, for: duration, journal: journal, in: database, name: name, holders: holders)
        } then: { granted in
          if let previous = granted.previous, holders.isDead(previous) { removeDeadHolders() }
        }.lease
      } catch {
        if error.code == .leased { holders.letGo(lease, of: holder) }
        throw error
      }
    }

    /// Renews leases of any journals of the file in one transaction.
    func renew(_ requests: [LeaseRow.Renewal], waiting wait: LockWait) throws(JournalError) -> [LeaseRenewal] {
      try write(for: "lease", waiting: wait) { database in try requests.map { try LeaseRow.renew($0, in: database, holders: holders) } }
    }

    /// Records that another replica holds a lease that this handle may have held.
    func letGo(_ lease: String, of holder: Origin) { holders.letGo(lease, of: holder) }

    /// Removes the files of dead holders without a lease in force.
    private func removeDeadHolders() {
      database.inDatabase { database in holders.removeDead { holder in (try? LeaseRow.isHolder(holder, in: database)) ?? true } }
    }

    /// Releases a lease.
    func release(_ lease: Lease, waiting wait: LockWait) throws(JournalError) {
      try write(for: "lease", waiting: wait) { database in
        try LeaseRow.release(lease, journal: journal, in: database)
      } then: { _ in
        holders.letGo(lease.name, of: lease.holder)
      }
    }

    /// Stores a snapshot.
    func keep(_ snapshot: Snapshot, waiting wait: LockWait) throws(JournalError) {
      try write(for: "snapshot", waiting: wait) { database in try SnapshotRow.keep(snapshot, journal: journal, in: database) }
    }

    /// Removes a snapshot.
    func removeSnapshot(at revision: Revision, waiting wait: LockWait) throws(JournalError) {
      try write(for: "snapshot", waiting: wait) { database in try SnapshotRow.remove(revision, journal: journal, in: database) }
    }

    /// Runs one transaction under the lock.
    private func write<Answer>(
      for purpose: String, waiting wait: LockWait, _ body: (Database) throws -> Answer, then committed: (Answer) -> Void = { _ in }
    ) throws(JournalError) -> Answer {
      guard !isClosed else { throw .closed(name) }
      if let failure { throw failure }
      let isTaken = try take(for: purpose, waiting: wait)
      defer { if isTaken { lock.release() } }
      // The file may have been replaced during the wait.
      try checkIdentity()
      let answer = try commit(body)
      committed(answer)
      return answer
    }

    /// Checks that the file was not deleted or replaced. Changes in such a file would be lost.
    private func checkIdentity() throws(JournalError) {
      guard try FileStatus.ofOpenFile(location.path, name: name).isSameFile(as: file) else {
        throw .replaced(name, isMissing: false)
      }
    }

    private func commit<Answer>(_ body: (Database) throws -> Answer) throws(JournalError) -> Answer {
      do {
        return try database.inDatabase { database in
          // Cached, because preparing the two statements takes as long as an insertion.
          try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
          let answer: Answer
          do {
            answer = try body(database)
          } catch {
            if database.isInsideTransaction { try? database.rollback() }
            throw FileFormat.explained(error, in: database, name: name)
          }
          do {
            try database.cachedStatement(sql: "COMMIT").execute()
          } catch {
            if database.isInsideTransaction { try? database.rollback() }
            throw CommitFailure(error: error)
          }
          return answer
        }
      } catch let error as CommitFailure {
        throw remember(error.error, isCommit: true)
      } catch {
        throw remember(error, isCommit: false)
      }
    }

    /// A failed commit, which may or may not have reached the disk.
    private struct CommitFailure: Error {
      let error: any Error
    }

    /// Returns the error to throw, and stores it if this handle must not append any more.
    private func remember(_ error: any Error, isCommit: Bool) -> JournalError {
      let translated = JournalError.translated(error, in: name, doing: "append")
      let isForGood: Bool
      switch (error as? DatabaseError)?.resultCode {
      case .SQLITE_IOERR: isForGood = true
      case .SQLITE_FULL, .SQLITE_BUSY: isForGood = false
      default: isForGood = isCommit
      }
      guard isForGood else { return translated }
      let why =
        (error as? DatabaseError).map { "SQLite says '\($0.message ?? "")' (\($0.extendedResultCode.rawValue))" } ?? "\(type(of: error))"
      let failure = JournalError(
        .failed, journal: name,
        message: """
          could not be written: \(why). The outcome of the append in flight is unknown until a restart; nothing more is written through \
          this handle. Check the disk, then close the journal and open it again.
          """)
      self.failure = failure
      return failure
    }

    /// Finds the position of drafts that the journal already holds, and the end of the journal; nil if it does not hold them.
    private func find(_ drafts: [Entry.Draft], by statements: AppendStatements, in database: Database) throws
      -> (appended: Appended, end: Revision?)?
    {
      guard let first = drafts.first, try statements.contains(first.id),
        let there = try Reader.entry(first.id, journal: journal, in: database, name: name)
      else { return nil }
      let row = try JournalRow.read(journal, in: database, name: name)
      var last = there
      for (offset, draft) in drafts.enumerated() {
        let entry = offset == 0 ? there : try Reader.entry(draft.id, journal: journal, in: database, name: name)
        guard let entry, entry.draft == draft, entry.revision == there.revision + offset else {
          throw JournalError.originCollision(name, draft.id, at: entry?.revision ?? there.revision + offset)
        }
        last = entry
      }
      let head = Head(journal: row.head.journal, revision: last.revision, checksum: last.checksum)
      return (Appended(first: there.revision, head: head), row.head.revision)
    }

    private func insert(
      _ drafts: [Entry.Draft], after head: Head, by statements: AppendStatements, in database: Database
    ) throws -> Appended {
      let current = try statements.head(name: name)
      guard current == head else { throw try mismatch(head, current: current, in: database) }
      var end = current
      var rest = drafts[...]
      while let draft = rest.first {
        if let several = try statements.insertSeveral(rest, after: end, in: database) {
          rest = rest.dropFirst(several.count)
          end = several.end
          continue
        }
        let entry = Entry(draft, after: end)
        do {
          try statements.insert(entry)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
          let there = try Reader.entry(draft.id, journal: journal, in: database, name: name)
          throw JournalError.originCollision(name, draft.id, at: there?.revision ?? entry.revision)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY {
          throw JournalError.damaged(name, at: entry.revision, "there is an entry, but the journal's head says it ends before")
        }
        end = end.advanced(by: entry)
        rest = rest.dropFirst()
      }
      try statements.advance(to: end)
      return Appended(first: current.revision.next, head: end)
    }

    /// The reason for refusing an append at this head: the journal has grown, or has another history.
    private func mismatch(_ head: Head, current: Head, in database: Database) throws -> JournalError {
      var isAncestor = head == Head(empty: current.journal)
      if head.journal == current.journal, head.revision > .zero, head.revision < current.revision {
        let statement = try database.cachedStatement(sql: "SELECT checksum FROM entry WHERE journal = ? AND revision = ?")
        let checksum = try Row.fetchOne(statement, arguments: [journal, head.revision.number])
        isAncestor = checksum.flatMap { Checksum.fromRow($0) } == head.checksum
      }
      return isAncestor
        ? .conflict(name, at: current.revision, expected: head.revision) : .diverged(name, at: head.revision, head: current.revision)
    }

    // MARK: Checkpointing

    /// Checkpoints the write-ahead log into the database if the log has grown enough and the lock is free.
    ///
    /// Called after the result of an append was returned, so no caller waits for it.
    func checkpointIfDue() {
      guard !isClosed, failure == nil else { return }
      // SQLite has started the log again from its beginning.
      if walPages.pointee < checkpointAt - Self.checkpointPages { checkpointAt = Self.checkpointPages }
      guard walPages.pointee >= checkpointAt else { return }
      guard !lock.isHeld, lock.takeIfFree(for: "checkpoint") else { return }
      defer { lock.release() }
      // A reader may keep the log from starting again. The next attempt is then due after as many pages.
      checkpointAt = walPages.pointee + Self.checkpointPages
      try? database.inDatabase { _ = try $0.checkpoint(.passive) }
    }

    // MARK: Closing

    /// Closes both connections under the lock. SQLite checkpoints if they are the last connections of all processes.
    ///
    /// It owns the reading queue before it waits for the lock. A holder of the lock must not wait for the reading queue: with hundreds of
    /// handles of one file, the threads that wait for the lock use up the threads of libdispatch, and a queued read gets none.
    func close(_ reader: Reader, on reading: WorkQueue) {
      guard !isClosed else { return }
      isClosed = true
      reading.runAndWait { self.closeConnections(reader) }
    }

    private func closeConnections(_ reader: Reader) {
      let isTaken = lock.isHeld || (try? lock.take(for: "close", waiting: LockWait(), timeout: lockTimeout)) != nil
      // If the lock cannot be taken, its holder has the file open, so this is not the last connection, and closing it checkpoints nothing.
      reader.close()
      // On the connection's own queue, as all its other uses.
      database.inDatabase { _ in
        statements?.finalize()
        statements = nil
      }
      try? database.close()
      holders.close()
      if isTaken { lock.release() }
    }
  }

  extension Checksum {
    fileprivate static func fromRow(_ row: Row) -> Checksum? {
      Data.fromDatabaseValue(row[0] as DatabaseValue).flatMap(Checksum.init(bytes:))
    }
  }
#endif
