#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The connection for reading, for all handles of an open file. It is separate from the writer's, so that reads do not wait for an append.
  ///
  /// Until the first writing, and the first look for other processes' commits, the writer lends its own: an opening would take half as long
  /// again with two connections.
  ///
  /// `@unchecked Sendable`: used on the file's reading queue only.
  final class Reader: @unchecked Sendable {
    private var connection: ReadingConnection
    private let location: FileLocation
    private let file: FileStatus
    private let traces: ReaderTraces?
    private let reopening: () throws -> ReadingConnection
    /// The lender of the connection; nil if it is the reader's own.
    private var lender: Writer?
    private var isClosed = false

    /// The size of a page in bytes. A page ends with the entry that reaches it.
    package static let pageSize: Int64 = 4 << 20

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - location: The paths of the file and its helpers.
    ///   - file: The identity of the file.
    ///   - traces: The files to remove after closing; nil beside a writer, whose closing removes them.
    ///   - lender: The writer that lends its connection.
    ///   - reopening: Opens a connection to the present file, after another process has written to a file that is read alone, or instead of a
    ///     writer's.
    init(
      _ connection: ReadingConnection, location: FileLocation, file: FileStatus, traces: ReaderTraces? = nil, lender: Writer? = nil,
      reopening: @escaping () throws -> ReadingConnection
    ) {
      self.connection = connection
      self.lender = lender
      self.reopening = reopening
      self.location = location
      self.file = file
      self.traces = traces
    }

    /// Checks that the path still leads to the file that was opened. No new entries appear in a file that was deleted or replaced.
    ///
    /// - Throws: `diverged` if the file was deleted or replaced; an error of the system if its status cannot be read.
    func checkIdentity(name: String) throws(JournalError) {
      guard try FileStatus.ofOpenFile(location.path, name: name).isSameFile(as: file) else { throw .replaced(name, isMissing: false) }
    }

    /// Reads the end of the journal.
    ///
    /// - Throws: `damaged` if the journal does not begin with revision 1 or end with the entry of its head. The first call also checks that
    ///   no entry is missing in between, as far as that is cheap.
    func head(of journal: OpenJournal) throws(JournalError) -> Head {
      try read("read its head", of: journal) { database in
        let row = try JournalRow.readWithEnds(journal.number, in: database, name: journal.name)
        // Once for each handle.
        if !journal.isCounted {
          try JournalRow.checkCount(row, in: database, name: journal.name)
          journal.isCounted = true
        }
        return row.head
      }
    }

    /// Reads the revision at the end of the journal, or the number of transactions of a device's file, without any check: to learn whether it
    /// has grown.
    func end(of journal: OpenJournal) throws(JournalError) -> Int64? {
      try read("read its head", of: journal) { database in
        try database.number(
          "SELECT coalesce(transactions, head) FROM journals LEFT JOIN devices ON journal = number WHERE number = ?", journal.number)
      }
    }

    /// A number that changes whenever another connection, of any process, has written to the file; nil if the file is read alone, by changing
    /// connections.
    func version(name: String) throws(JournalError) -> Int64? {
      // It differs from connection to connection, and does not count the commits of its own.
      useOwnConnection()
      let version = try read("read its version", name: name) { try $0.number("PRAGMA data_version") }
      return connection.alone == nil && lender == nil ? version : nil
    }

    /// Finds the journal of a key; nil if the file has none.
    func find(key: String, name: String) throws(JournalError) -> JournalRow? {
      try checkIdentity(name: name)
      return try read("open", name: name) { try JournalRow.find(key: key, in: $0, name: name) }
    }

    /// Reads a page of consecutive entries.
    func entries(of journal: OpenJournal, after revision: Revision, limit: Int) throws(JournalError) -> [Entry] {
      guard limit > 0, revision.number < .max else { return [] }
      return try read("read entries", of: journal) { database in
        var entries: [Entry] = []
        entries.reserveCapacity(min(limit, 500))
        var bytes: Int64 = 0
        let first = Revision(max(0, revision.number)).next
        var expected = first
        var complaint: String?
        var floor: Revision?
        let page = try EntryRow.page(in: database)
        page.bind(journal.number, at: 1)
        page.bind(expected.number, at: 2)
        page.bind(Int64(limit), at: 3)
        try page.forEachRow { row in
          if floor == nil { floor = EntryRow.floor(row) }
          switch EntryRow.entry(row) {
          case .success(let entry):
            guard entry.revision == expected else {
              complaint = "the entry is missing: the next one is revision \(entry.revision)"
              return false
            }
            bytes = bytes.saturatingAdding(entry.size)
            expected = expected.next
            entries.append(entry)
            return bytes < Self.pageSize
          case .failure(let failure): complaint = failure.text
          }
          return false
        }
        // Below the floor there may be rows that are about to be removed. Rows go only after it has moved.
        if try floor ?? CompactedRow.floor(journal.number, in: database) >= first,
          let floor = try inOneMoment(database, { try presentFloor(of: journal, in: database) }), first <= floor.revision
        {
          throw JournalError.belowFloor(journal.name, at: first, floor: floor.revision)
        }
        // The entries before the damage can be read. Reading what follows them reports the damage.
        if let complaint, entries.isEmpty { throw JournalError.damaged(journal.name, at: expected, complaint) }
        return entries
      }
    }

    /// Looks up an entry by its id.
    func entry(_ id: EntryID, of journal: OpenJournal) throws(JournalError) -> Entry? {
      try read("look up an entry", of: journal) { database in
        guard let entry = try EntryRow.find(id, journal: journal.number, in: database, name: journal.name) else { return nil }
        return try entry.revision <= CompactedRow.floor(journal.number, in: database) ? nil : entry
      }
    }

    /// Reads the journal's part in sync.
    func role(of journal: OpenJournal) throws(JournalError) -> JournalRole {
      try read("read its part in sync", of: journal) { database in
        try ServedRow.role(journal.number, in: database, name: journal.name)
      }
    }

    /// Reads the journal's floor; nil for a whole journal.
    func floor(of journal: OpenJournal) throws(JournalError) -> Head? {
      try read("read its floor", of: journal) { database in try inOneMoment(database) { try presentFloor(of: journal, in: database) } }
    }

    /// Reads the journal's floor in the present transaction: a device's file may begin again at another floor at any time.
    private func presentFloor(of journal: OpenJournal, in database: Database) throws -> Head? {
      let head = try JournalRow.read(journal.number, in: database, name: journal.name).head
      let floor = try ServedRow.floor(of: journal.number, head, in: database, name: journal.name)
      return floor.revision > .zero ? floor : nil
    }

    /// Checks the parts of a synced journal that no chain of checksums covers.
    func checkSync(_ journal: OpenJournal) throws(JournalError) {
      try read("check its part in sync", of: journal) { database in
        try inOneMoment(database) {
          let floor = try presentFloor(of: journal, in: database)
          switch try ServedRow.role(journal.number, in: database, name: journal.name) {
          case .plain: try DeviceCheck.checkPlain(journal.number, floor: floor, in: database, name: journal.name)
          case .server: try ServedCheck(database: database, journal: journal.number, name: journal.name).run()
          case .mirror:
            let mirror = MirrorTables(database: database, journal: journal.number, name: journal.name, statements: nil)
            try DeviceCheck(tables: mirror, floor: floor).run()
          }
        }
      }
    }

    /// Reads the position of a served journal, and answers questions about drafts, in one moment.
    func facts(of journal: OpenJournal, about questions: ServerQuestions) throws(JournalError) -> ServerFacts {
      try read("look up drafts", of: journal) { database in
        try inOneMoment(database) {
          try ServedRow.facts(about: questions, journal: journal.number, in: database, name: journal.name)
        }
      }
    }

    /// Reads the number of transactions of a device's file; nil for another journal.
    func transaction(of journal: OpenJournal) throws(JournalError) -> Int64? {
      try read("read its outbox", of: journal) { try $0.number("SELECT transactions FROM devices WHERE journal = ?", journal.number) }
    }

    /// Reads a device's file in one moment.
    func mirror<Answer>(_ journal: OpenJournal, _ body: (MirrorTables) throws -> Answer) throws(JournalError) -> Answer {
      try read("read its outbox", of: journal) { database in
        try inOneMoment(database) {
          try body(MirrorTables(database: database, journal: journal.number, name: journal.name, statements: nil))
        }
      }
    }

    /// Reads the explanations of refusals.
    func reasons(of journal: OpenJournal, for ids: [EntryID]) throws(JournalError) -> [EntryID: String] {
      try read("read its refusals", of: journal) { database in
        try ServedRow.reasons(of: ids, journal: journal.number, in: database)
      }
    }

    /// Lists the stored snapshots, newest first.
    func snapshots(of journal: OpenJournal, upTo revision: Revision, limit: Int) throws(JournalError) -> [Snapshot.Place] {
      guard limit > 0 else { return [] }
      return try read("list the snapshots", of: journal) { database in
        try inOneMoment(database) {
          // The state at the floor is the oldest one.
          let floor = try presentFloor(of: journal, in: database)
          let places = try SnapshotRow.places(
            upTo: revision, limit: limit, from: floor?.revision ?? Revision(.min), journal: journal.number, in: database,
            name: journal.name)
          guard let floor, floor.revision <= revision,
            let bottom = try FloorRow.place(at: floor, journal: journal.number, in: database, name: journal.name)
          else { return places }
          return Array((places.filter { $0.revision > floor.revision } + [bottom]).prefix(limit))
        }
      }
    }

    /// Reads a snapshot, as stored.
    func snapshot(of journal: OpenJournal, at revision: Revision) throws(JournalError) -> Snapshot? {
      try read("read a snapshot", of: journal) { database in
        try inOneMoment(database) {
          if let floor = try presentFloor(of: journal, in: database), floor.revision == revision {
            return try FloorRow.snapshot(at: floor, journal: journal.number, in: database, name: journal.name)
          }
          let id = try JournalRow.read(journal.number, in: database, name: journal.name).head.journal
          return try SnapshotRow.snapshot(at: revision, of: id, journal: journal.number, in: database, name: journal.name)
        }
      }
    }

    /// Returns the revisions of those ids whose entries are or were at or below the floor.
    func compacted(_ ids: [EntryID], of journal: OpenJournal) throws(JournalError) -> [EntryID: Revision] {
      try read("look up compacted entries", of: journal) { database in
        try inOneMoment(database) {
          guard let floor = try presentFloor(of: journal, in: database)?.revision else { return [:] }
          return try ids.reduce(into: [:]) { found, id in
            found[id] = try CompactedRow.revision(of: id, floor: floor, journal: journal.number, in: database)
          }
        }
      }
    }

    /// Returns the space that is free in the file.
    func freeSpace(of journal: OpenJournal) throws(JournalError) -> FreeSpace {
      try read("read its free space", of: journal) { database in
        let pages = try database.number("PRAGMA freelist_count") ?? 0
        let size = try database.number("PRAGMA page_size") ?? 0
        let isReturned = try database.number("PRAGMA auto_vacuum") == 2
        return FreeSpace(bytes: pages * size, isReturned: isReturned)
      }
    }

    /// Reads the leases by name, including expired ones.
    func leases(of journal: OpenJournal) throws(JournalError) -> [Lease] {
      try read("list the leases", of: journal) { try LeaseRow.all(journal: journal.number, in: $0, name: journal.name) }
    }

    /// Checks every page of the file, and every index against its table.
    func checkIntegrity(name: String) throws(JournalError) {
      try read("check the file", name: name) { try FileFormat.checkIntegrity($0, name: name) }
    }

    /// Closes the connection. The caller holds the lock.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      if lender == nil { try? connection.database.close() }
      traces?.clear()
    }

    private func read<Answer>(
      _ activity: String, of journal: OpenJournal, _ body: (Database) throws -> Answer
    ) throws(JournalError) -> Answer { try read(activity, name: journal.name, body) }

    private func read<Answer>(_ activity: String, name: String, _ body: (Database) throws -> Answer) throws(JournalError) -> Answer {
      guard !isClosed else { throw .closed(name) }
      if lender?.hasBegun == true { useOwnConnection() }
      return try translating(name, activity) {
        for _ in 0..<100 {
          try reopenIfOutdated(name: name)
          do {
            let answer = try connection.database.inDatabase { database in
              do { return try body(database) } catch { throw FileFormat.explained(error, in: database, name: name) }
            }
            if connection.isCurrent(location) { return answer }
          } catch {
            // If another process wrote meanwhile, the error may be due to a partial write.
            if connection.isCurrent(location) { throw error }
          }
        }
        throw JournalError(
          .locked, journal: name,
          message:
            "could not \(activity): other processes keep writing to it, and this user may not create the files that a reader needs. Try again."
        )
      }
    }

    /// Returns the writer's connection, and opens another one. If that fails, for example because the process has too many files open, the
    /// writer's is used further: its reads report what is wrong with the file.
    private func useOwnConnection() {
      guard !isClosed, lender != nil, let own = try? reopening() else { return }
      (connection, lender) = (own, nil)
    }

    /// Opens the connection again if the file is read alone and another process has written to it since.
    private func reopenIfOutdated(name: String) throws {
      guard !connection.isCurrent(location) else { return }
      // A file that took its place is another journal.
      try checkIdentity(name: name)
      let next = try reopening()
      try? connection.database.close()
      connection = next
    }

    /// Reads in one transaction.
    private func inOneMoment<Answer>(_ database: Database, _ body: () throws -> Answer) throws -> Answer {
      try database.run("BEGIN DEFERRED")
      do {
        let answer = try body()
        try database.run("COMMIT")
        return answer
      } catch {
        if database.isInsideTransaction { try? database.rollback() }
        throw error
      }
    }
  }

  /// A connection for reading, and the state of the file that it reads.
  struct ReadingConnection {
    let database: DatabaseQueue
    /// The state of the file, if the file is read without its log; nil if SQLite reads both.
    let alone: FileMoment?

    /// Whether reads are up to date: either SQLite ensures it, or no process has written since the connection was opened.
    func isCurrent(_ location: FileLocation) -> Bool { alone.map { $0 == FileMoment(location) } ?? true }
  }

  /// The state of a file at a moment at which its log was empty.
  ///
  /// Every write goes to the log first, and stays there until it is in the file. So while two such states are equal, the file is complete
  /// and does not change. It may then be read without a lock, a log, or shared memory.
  struct FileMoment: Sendable, Equatable {
    private let inode: UInt64
    private let device: UInt64
    private let size: Int64
    private let changes: [Int]

    /// Reads the present state; nil if the log is not empty, or if the file's status cannot be read.
    init?(_ location: FileLocation) {
      var status = stat()
      guard FileStatus(path: location.wal)?.size ?? 0 == 0, stat(location.path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(status.st_ino)
      size = Int64(status.st_size)
      #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
      #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
      #endif
      changes = [Int(modified.tv_sec), Int(modified.tv_nsec), Int(changed.tv_sec), Int(changed.tv_nsec)]
    }
  }

  extension FileLocation {
    /// Whether this user may write the file and create others beside it. If not, SQLite must not create its files: the owner of the journal
    /// could neither use nor remove them.
    var isWritable: Bool {
      faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 && faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0
    }
  }
#endif
