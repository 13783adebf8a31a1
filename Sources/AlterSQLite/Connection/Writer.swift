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

  /// The writing connection of an open file, for all its handles. Its calls run under the file's lock: `OpenFile.exclusively`.
  ///
  /// `@unchecked Sendable`: used on the file's writing queue only, except for ``hasFailed`` and ``hasBegun``, which have their own locks, and for the
  /// connection while it is lent (`Reader`), whose own queue runs one use at a time.
  final class Writer: @unchecked Sendable {
    /// The bell that is rung after each commit.
    let bell: Doorbell
    /// The connection. Tests inspect its settings.
    let database: DatabaseQueue
    private let location: FileLocation
    /// The file that the connection has opened.
    private let file: FileStatus
    /// The error of a failed commit. It is permanent, and for all handles ("never acknowledge from a re-read"): after a failed sync the
    /// kernel may forget that pages were not written, and a second sync succeeds without them.
    private let failure = Lock<JournalError?>(nil)
    /// The number of pages in the write-ahead log at which the next checkpoint is due.
    private var checkpointAt = Writer.checkpointPages
    private let begun = Lock(false)
    private let walPages: UnsafeMutablePointer<Int32>
    /// The number of keys that were created, or found only under the lock.
    private var newKeys = 0
    /// The statements of an append, prepared at the first one.
    private var statements: AppendStatements?

    /// 1,024 pages, about 4 MiB.
    private static let checkpointPages: Int32 = 1_024

    /// Creates a writer on an open connection.
    init(_ database: DatabaseQueue, location: FileLocation, file: FileStatus) {
      self.database = database
      self.location = location
      self.file = file
      bell = Doorbell(path: location.bell, beside: location.path)
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

    /// Whether nothing more is written through this connection. May be called from any thread.
    var hasFailed: Bool { failure.withLock { $0 != nil } }

    /// Whether a writing has begun since the file was opened. May be called from any thread.
    var hasBegun: Bool { begun.withLock { $0 } }

    // MARK: Opening

    /// Finds the journal of a key, or creates it.
    func findOrMake(key: String, name: String) throws(JournalError) -> JournalRow {
      let row = try write(name) { try Self.findOrMake(key: key, in: $0, name: name, newKeys: newKeys) }
      newKeys += 1
      return row
    }

    /// Finds the journal of a key, or creates it. The caller holds the lock.
    ///
    /// A damaged index must not make an app start with an empty journal. So a key that is not in the index is searched for without it.
    /// After a few new keys this would take longer than a check of the whole index, after which the index is enough.
    ///
    /// - Parameter newKeys: The number of earlier searches on this connection.
    static func findOrMake(key: String, in database: Database, name: String, newKeys: Int = 0) throws -> JournalRow {
      if let row = try JournalRow.find(key: key, in: database, name: name) { return row }
      if newKeys <= searchedKeys {
        let isSearch = newKeys < searchedKeys
        let isLost =
          isSearch
          ? try database.hasRow("SELECT 1 FROM journals NOT INDEXED WHERE key = ? LIMIT 1", key)
          : try database.hasRow(
            """
            SELECT 1 FROM journals AS one NOT INDEXED WHERE NOT EXISTS (SELECT 1 FROM journals WHERE key = one.key) LIMIT 1
            """)
        guard !isLost else { throw JournalError.damaged(name, "the index of its journals' keys does not match them") }
      }
      return try JournalRow.make(key: key, in: database, name: name)
    }

    private static let searchedKeys = 8

    // MARK: Appending

    /// Appends drafts in one transaction.
    func append(
      _ drafts: [Entry.Draft], to journal: OpenJournal, after head: Head, under leases: [Lease]
    ) throws(JournalError) -> Appended {
      try write(journal.name) { database -> (appended: Appended, end: Revision?) in
        let statements = try prepared(in: database)
        if let there = try find(drafts, in: journal, by: statements, in: database) { return there }
        let (current, floor) = try statements.ends(of: journal.number, name: journal.name)
        // Before the leases: an append that is repeated was made under a lease that was its own.
        if floor > .zero { try checkCompacted(drafts, in: journal, after: head, current: current, floor: floor, in: database) }
        for lease in leases { try LeaseRow.check(lease, journal: journal.number, in: database, name: journal.name) }
        return (try insert(drafts, in: journal, after: head, current: current, by: statements, in: database), nil)
      } then: { answer in
        // The lock is still held, so the bell's number never decreases, and a process that reads its own number knows that no other has
        // rung since.
        if let end = answer.end {
          bell.ringAgain(end, of: journal.number)
        } else {
          bell.ring(answer.appended.head.revision, of: journal.number)
        }
      }.appended
    }

    /// The statements of an append.
    func prepared(in database: Database) throws -> AppendStatements {
      if let statements { return statements }
      let statements = try AppendStatements(in: database)
      self.statements = statements
      return statements
    }

    /// Grants a lease, or renews it.
    func lease(_ lease: String, of journal: OpenJournal, for holder: Origin, lasting duration: Duration) throws(JournalError) -> Lease {
      let holders = journal.holders
      do throws(JournalError) {
        return try write(journal.name) { database in
          try LeaseRow.grant(
            lease, to: holder, for: duration, journal: journal.number, in: database, name: journal.name, holders: holders)
        } then: { granted in
          guard let previous = granted.previous, holders.isDead(previous) else { return }
          // The files of dead holders without a lease in force.
          database.inDatabase { database in
            holders.removeDead { holder in (try? LeaseRow.isHolder(holder, in: database)) ?? true }
          }
        }.lease
      } catch {
        if error.code == .leased { holders.letGo(lease, of: holder) }
        throw error
      }
    }

    /// Renews leases of any journals of the file in one transaction.
    func renew(_ requests: [LeaseRow.Renewal], for journal: OpenJournal) throws(JournalError) -> [LeaseRenewal] {
      try write(journal.name) { database in try requests.map { try LeaseRow.renew($0, in: database, holders: journal.holders) } }
    }

    /// Releases a lease.
    func release(_ lease: Lease, of journal: OpenJournal) throws(JournalError) {
      try write(journal.name) { database in
        try LeaseRow.release(lease, journal: journal.number, in: database)
      } then: { _ in
        journal.holders.letGo(lease.name, of: lease.holder)
      }
    }

    /// Stores a snapshot.
    func keep(_ snapshot: Snapshot, of journal: OpenJournal) throws(JournalError) {
      try write(journal.name) { database in
        // A slow store may have made it before the floor moved.
        if try snapshot.base.revision < CompactedRow.floor(journal.number, in: database) { return }
        try SnapshotRow.keep(snapshot, journal: journal.number, in: database)
      }
    }

    /// Removes a snapshot.
    func removeSnapshot(of journal: OpenJournal, at revision: Revision) throws(JournalError) {
      try write(journal.name) { database in try SnapshotRow.remove(revision, journal: journal.number, in: database) }
    }

    // MARK: Transactions

    /// Runs one transaction. The caller holds the lock.
    func write<Answer>(
      _ name: String, _ body: (Database) throws -> Answer, then committed: (Answer) -> Void = { _ in }
    ) throws(JournalError) -> Answer {
      try checkUsable(name: name)
      let answer = try commit(name, body)
      committed(answer)
      return answer
    }

    /// Begins a writing. Checks that nothing prevents it: no earlier failure, and not another file in the place of this one.
    func checkUsable(name: String) throws(JournalError) {
      begun.withLock { $0 = true }
      if let failure = failure.withLock({ $0 }) { throw failure.journal == name ? failure : .neighbour(of: name, failure) }
      // The file may have been replaced during the wait for the lock.
      try checkIdentity(name: name)
    }

    /// Checks that the file was not deleted or replaced. Changes in such a file would be lost.
    private func checkIdentity(name: String) throws(JournalError) {
      guard try FileStatus.ofOpenFile(location.path, name: name).isSameFile(as: file) else {
        throw .replaced(name, isMissing: false)
      }
    }

    private func commit<Answer>(_ name: String, _ body: (Database) throws -> Answer) throws(JournalError) -> Answer {
      do {
        return try database.inDatabase { database in
          try database.run("BEGIN IMMEDIATE")
          let answer: Answer
          do {
            answer = try body(database)
          } catch {
            if database.isInsideTransaction { try? database.rollback() }
            throw FileFormat.explained(error, in: database, name: name)
          }
          do {
            try database.run("COMMIT")
          } catch {
            if database.isInsideTransaction { try? database.rollback() }
            throw CommitFailure(error: error)
          }
          return answer
        }
      } catch let error as CommitFailure {
        throw remember(error.error, isCommit: true, name: name)
      } catch {
        throw remember(error, isCommit: false, name: name)
      }
    }

    /// A failed commit, which may or may not have reached the disk.
    private struct CommitFailure: Error {
      let error: any Error
    }

    /// Returns the error to throw, and stores it if nothing more may be written through this connection.
    private func remember(_ error: any Error, isCommit: Bool, name: String) -> JournalError {
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
      self.failure.withLock { $0 = failure }
      return failure
    }

    /// Finds the position of drafts that the journal already holds, and the end of the journal; nil if it does not hold them.
    private func find(
      _ drafts: [Entry.Draft], in journal: OpenJournal, by statements: AppendStatements, in database: Database
    ) throws -> (appended: Appended, end: Revision?)? {
      let (journal, name) = (journal.number, journal.name)
      guard let first = drafts.first, try statements.contains(first.id, in: journal),
        let there = try EntryRow.find(first.id, journal: journal, in: database, name: name)
      else { return nil }
      if try there.revision <= CompactedRow.floor(journal, in: database) { return nil }
      let row = try JournalRow.read(journal, in: database, name: name)
      var last = there
      for (offset, draft) in drafts.enumerated() {
        let entry = offset == 0 ? there : try EntryRow.find(draft.id, journal: journal, in: database, name: name)
        guard let entry, entry.draft == draft, entry.revision == there.revision + offset else {
          throw JournalError.originCollision(name, draft.id, at: entry?.revision ?? there.revision + offset)
        }
        last = entry
      }
      let head = Head(journal: row.head.journal, revision: last.revision, checksum: last.checksum)
      return (Appended(first: there.revision, head: head), row.head.revision)
    }

    private func insert(
      _ drafts: [Entry.Draft], in journal: OpenJournal, after head: Head, current: Head, by statements: AppendStatements,
      in database: Database
    ) throws -> Appended {
      let (journal, name) = (journal.number, journal.name)
      guard current == head else { throw try mismatch(head, current: current, journal: journal, in: database, name: name) }
      var end = current
      var rest = drafts[...]
      while let draft = rest.first {
        if let several = try statements.insertSeveral(rest, of: journal, after: end, in: database) {
          rest = rest.dropFirst(several.count)
          end = several.end
          continue
        }
        let entry = Entry(draft, after: end)
        do {
          try statements.insert(entry, in: journal)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
          let there = try EntryRow.find(draft.id, journal: journal, in: database, name: name)
          throw JournalError.originCollision(name, draft.id, at: there?.revision ?? entry.revision)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY {
          throw JournalError.damaged(name, at: entry.revision, "there is an entry, but the journal's head says it ends before")
        }
        end = end.advanced(by: entry)
        rest = rest.dropFirst()
      }
      try statements.advance(journal, to: end)
      return Appended(first: current.revision.next, head: end)
    }

    /// The reason for refusing an append at this head: the journal has grown, or has another history.
    private func mismatch(
      _ head: Head, current: Head, journal: Int64, in database: Database, name: String
    ) throws -> JournalError {
      var isAncestor = head == Head(empty: current.journal)
      if head.journal == current.journal {
        // The checksums below the floor are not known any more.
        let floor = try ServedRow.floor(of: journal, current, in: database, name: name)
        if floor.revision > .zero, head.revision < floor.revision || head == floor { isAncestor = true }
      }
      if !isAncestor, head.journal == current.journal, head.revision > .zero, head.revision < current.revision {
        isAncestor = try EntryRow.checksum(at: head.revision, journal: journal, in: database) == head.checksum
      }
      return isAncestor
        ? .conflict(name, at: current.revision, expected: head.revision) : .diverged(name, at: head.revision, head: current.revision)
    }

    // MARK: Checkpointing

    /// Checkpoints the write-ahead log into the database if the log has grown enough and the lock is free.
    ///
    /// Called after the result of an append was returned, so no caller waits for it.
    func checkpointIfDue(_ lock: FileLock) {
      guard !hasFailed else { return }
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

    /// Closes the connection and the bell. SQLite checkpoints if it is the last connection of all processes.
    func close() {
      // On the connection's own queue, as all its other uses. A statement that is not released keeps the connection open.
      database.inDatabase { _ in statements = nil }
      try? database.close()
      bell.close()
    }
  }

  extension JournalError {
    /// The error of a journal in a file after a write to another of its journals has failed.
    fileprivate static func neighbour(of name: String, _ failure: JournalError) -> JournalError {
      JournalError(
        .failed, journal: name,
        message: """
          can't be written any more, because a write to '\(failure.journal)', which is in the same file, has failed: it \(failure.message)
          """)
    }
  }

  /// The statements of an append to any journal of the file. Release them before the connection is closed.
  struct AppendStatements {
    private let search: PreparedStatement
    private let position: PreparedStatement
    private let insertion: PreparedStatement
    private let several = SeveralEntries()
    private let advance: PreparedStatement

    /// Prepares the statements.
    init(in database: Database) throws {
      search = try database.prepared("SELECT 1 FROM entries WHERE journal = ? AND origin = ? AND sequence = ?")
      position = try database.prepared(
        """
        SELECT coalesce(source, id), head, checksum, coalesce((SELECT max(revision) FROM entries WHERE journal = number), floor), role, floor
        FROM journals WHERE number = ?
        """)
      insertion = try database.prepared(EntryRow.insertion(rows: 1))
      advance = try database.prepared("UPDATE journals SET head = ?, checksum = ? WHERE number = ?")
    }

    /// Whether the journal has an entry of an id.
    func contains(_ id: EntryID, in journal: Int64) throws -> Bool {
      search.bind(journal, at: 1)
      id.origin.bind(to: search, at: 2)
      search.bind(id.sequence, at: 3)
      return try search.first { _ in true } ?? false
    }

    /// Reads the end of the journal, and its floor: revision 0 if it is whole.
    ///
    /// - Throws: `readOnly` unless the journal has the part in sync that the caller writes for.
    func ends(of journal: Int64, as expected: JournalRole = .plain, name: String) throws -> (head: Head, floor: Revision) {
      position.bind(journal, at: 1)
      let found = try position.first { row -> (head: Head, last: Revision, role: JournalRole, floor: Revision) in
        guard let id = row.journal(0), let revision = row.number(1), revision >= 0, let checksum = row.checksum(2) else {
          throw JournalError.damaged(name, "the row with its head is invalid")
        }
        let head = Head(journal: id, revision: Revision(revision), checksum: checksum)
        return (head, Revision(row.number(3) ?? 0), row.text(4).flatMap(JournalRole.init) ?? .mirror, Revision(row.number(5) ?? 0))
      }
      guard let found else { throw JournalError.damaged(name, "the row with its head is missing") }
      try JournalRow.checkEnd(found.head, last: found.last, name: name)
      guard found.role == expected else {
        throw expected == .server ? JournalError.notServed(name) : JournalError.decidedElsewhere(name, found.role)
      }
      return (found.head, found.floor)
    }

    /// Inserts the first entries of a large append with one statement.
    ///
    /// - Returns: Their number, and the head after them; nil if the drafts are too few or too large for it, or if one of them is refused. Then
    ///   nothing was inserted: insert the first one alone.
    func insertSeveral(
      _ drafts: ArraySlice<Entry.Draft>, of journal: Int64, after head: Head, in database: Database
    ) throws -> (count: Int, end: Head)? {
      try several.insert(drafts, of: journal, after: head, in: database)
    }

    /// Inserts an entry.
    func insert(_ entry: Entry, in journal: Int64) throws {
      EntryRow.bind(entry, journal: journal, to: insertion)
      try insertion.run()
    }

    /// Updates the end of the journal.
    func advance(_ journal: Int64, to head: Head) throws {
      advance.bind(head.revision.number, at: 1)
      advance.bind(blob: head.checksum.high, head.checksum.low, at: 2)
      advance.bind(journal, at: 3)
      try advance.run()
    }
  }

  // The transactions of a device.
  extension Writer {
    /// Runs a transaction of a device's file.
    func mirror<Answer>(
      _ journal: OpenJournal, _ body: (MirrorTables) throws -> (answer: Answer, device: MirrorTables.Device?)
    ) throws(JournalError) -> (answer: Answer, device: MirrorTables.Device?, end: Revision) {
      try write(journal.name) { database -> (answer: Answer, device: MirrorTables.Device?, end: Revision) in
        let statements = try prepared(in: database)
        let tables = MirrorTables(database: database, journal: journal.number, name: journal.name, statements: statements)
        let (answer, device) = try body(tables)
        return (answer, device, try JournalRow.read(journal.number, in: database, name: journal.name).head.revision)
      } then: { changed in
        if let device = changed.device { bell.ring(Revision(device.transactions), of: journal.number) }
      }
    }
  }
#endif
