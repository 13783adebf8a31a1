#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  /// The connection for reading, for all handles of an open file. It is separate from the writer's, so that reads do not wait for an append.
  ///
  /// `@unchecked Sendable`: used on the file's reading queue only.
  final class Reader: @unchecked Sendable {
    private var connection: ReadingConnection
    private let location: FileLocation
    private let file: FileStatus
    /// The tables of the file's present format.
    private var tables: FileTables
    private let traces: ReaderTraces?
    private let reopening: (() throws -> ReadingConnection)?
    private var page: PreparedStatement?
    private var end: PreparedStatement?
    private var lookup: PreparedStatement?
    /// The statements for a device's tables.
    private var mirror: StatementCache?
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
    ///   - reopening: Opens a connection to the present file, after another process has written to a file that is read alone.
    init(
      _ connection: ReadingConnection, tables: FileTables, location: FileLocation, file: FileStatus, traces: ReaderTraces? = nil,
      reopening: (() throws -> ReadingConnection)? = nil
    ) {
      self.connection = connection
      self.tables = tables
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
        let row = try JournalRow.readWithEnds(journal.number, in: database, tables, name: journal.name)
        // Once for each handle.
        if !journal.isCounted {
          try JournalRow.checkCount(row, in: database, tables, name: journal.name)
          journal.isCounted = true
        }
        return row.head
      }
    }

    /// Reads the revision at the end of the journal, or the number of transactions of a device's file, without any check: to learn whether it
    /// has grown.
    func end(of journal: OpenJournal) throws(JournalError) -> Int64? {
      try read("read its head", of: journal) { database in
        let end =
          try self.end
          ?? PreparedStatement(
            tables.isSynced
              ? "SELECT coalesce(transactions, head) FROM journals LEFT JOIN devices ON journal = number WHERE number = ?"
              : "SELECT head FROM \(tables.journal) WHERE number = ?", in: database)
        self.end = end
        var revision: Int64?
        end.bind(journal.number, at: 1)
        try end.run { revision = $0.number(0) }
        return revision
      }
    }

    /// A number that changes whenever another connection, of any process, has written to the file; nil if the file is read alone, by changing
    /// connections.
    func version(name: String) throws(JournalError) -> Int64? {
      let version = try read("read its version", name: name) { try Int64.fetchOne($0, sql: "PRAGMA data_version") }
      return connection.alone == nil ? version : nil
    }

    /// Finds the journal of a key; nil if the file has none.
    func find(key: String, name: String) throws(JournalError) -> JournalRow? {
      try checkIdentity(name: name)
      return try read("open", name: name) { try JournalRow.find(key: key, in: $0, tables, name: name) }
    }

    /// Reads a page of consecutive entries.
    func entries(of journal: OpenJournal, after revision: Revision, limit: Int) throws(JournalError) -> [Entry] {
      guard limit > 0, revision.number < .max else { return [] }
      return try read("read entries", of: journal) { database in
        var entries: [Entry] = []
        var bytes: Int64 = 0
        let first = Revision(max(0, revision.number)).next
        var expected = first
        var complaint: String?
        let page = try preparedPage(in: database)
        page.bind(journal.number, at: 1)
        page.bind(expected.number, at: 2)
        page.bind(Int64(limit), at: 3)
        try page.forEachRow { row in
          switch EntryRow.entry(row, of: tables) {
          case .success(let entry) where entry.revision == expected:
            entries.append(entry)
            bytes = bytes.saturatingAdding(entry.size)
            expected = expected.next
            return bytes < Self.pageSize
          case .success(let entry): complaint = "the entry is missing: the next one is revision \(entry.revision)"
          case .failure(let failure): complaint = failure.text
          }
          return false
        }
        // Below the floor there may be rows that are about to be removed. The floor is read after them: rows go only after it has moved.
        if tables.isSynced, let floor = try inOneMoment(database, { try presentFloor(of: journal, in: database) }),
          first <= floor.revision
        {
          throw JournalError.belowFloor(journal.name, at: first, floor: floor.revision)
        }
        // The entries before the damage can be read. Reading what follows them reports the damage.
        if let complaint, entries.isEmpty { throw JournalError.damaged(journal.name, at: expected, complaint) }
        return entries
      }
    }

    private func preparedPage(in database: Database) throws -> PreparedStatement {
      if let page { return page }
      let new = try PreparedStatement(
        "SELECT \(EntryRow.columns(of: tables)) FROM \(tables.entry) WHERE journal = ? AND revision >= ? ORDER BY revision LIMIT ?",
        in: database)
      page = new
      return new
    }

    /// Looks up an entry by its id.
    func entry(_ id: EntryID, of journal: OpenJournal) throws(JournalError) -> Entry? {
      try read("look up an entry", of: journal) { database in
        guard let entry = try Reader.entry(id, journal: journal.number, in: database, tables, name: journal.name) else { return nil }
        if tables.isSynced, try entry.revision <= CompactedRow.floor(journal.number, in: database) { return nil }
        return entry
      }
    }

    /// Looks an entry up by its id, on any connection.
    static func entry(_ id: EntryID, journal: Int64, in database: Database, _ tables: FileTables, name: String) throws -> Entry? {
      try entry(id, journal: journal, by: try PreparedStatement(lookup(in: tables), in: database), tables, name: name)
    }

    /// The statement that looks an entry up by its id.
    static func lookup(in tables: FileTables) -> String {
      "SELECT \(EntryRow.columns(of: tables)) FROM \(tables.entry) WHERE journal = ? AND origin = ? AND sequence = ?"
    }

    /// Looks an entry up by its id, with the statement ``lookup(in:)``.
    static func entry(_ id: EntryID, journal: Int64, by statement: PreparedStatement, _ tables: FileTables, name: String) throws -> Entry? {
      let origin = id.origin.uuid.halves
      statement.bind(journal, at: 1)
      statement.bind(blob: origin.high, origin.low, at: 2)
      statement.bind(id.sequence, at: 3)
      var found: Entry?
      try statement.run { row in
        switch EntryRow.entry(row, of: tables) {
        case .success(let entry): found = entry
        case .failure(let complaint):
          throw row.number(0).map { JournalError.damaged(name, at: Revision($0), complaint.text) }
            ?? JournalError.damaged(name, complaint.text)
        }
      }
      return found
    }

    /// Reads the journal's part in sync.
    func role(of journal: OpenJournal) throws(JournalError) -> JournalRole {
      try read("read its part in sync", of: journal) { database in
        // A statement of the present format, so that a conversion is noticed.
        _ = try JournalRow.read(journal.number, in: database, tables, name: journal.name)
        return tables.isSynced ? try ServedRow.role(journal.number, in: database, name: journal.name) : .plain
      }
    }

    /// Reads the journal's floor; nil for a whole journal.
    func floor(of journal: OpenJournal) throws(JournalError) -> Head? {
      try read("read its floor", of: journal) { database in try inOneMoment(database) { try presentFloor(of: journal, in: database) } }
    }

    /// Reads the journal's floor in the present transaction: a device's file may begin again at another floor at any time.
    private func presentFloor(of journal: OpenJournal, in database: Database) throws -> Head? {
      // A statement of the present format, so that a conversion is noticed.
      let head = try JournalRow.read(journal.number, in: database, tables, name: journal.name).head
      guard tables.isSynced else { return nil }
      let floor = try ServedRow.floor(of: journal.number, head, in: database, name: journal.name)
      return floor.revision > .zero ? floor : nil
    }

    /// Checks the parts of a synced journal that no chain of checksums covers.
    func checkSync(_ journal: OpenJournal) throws(JournalError) {
      try read("check its part in sync", of: journal) { database in
        try inOneMoment(database) {
          let floor = try presentFloor(of: journal, in: database)
          guard tables.isSynced else { return }
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
          // A statement of the present format, so that a conversion is noticed. A second transaction would cost more than the statement.
          guard tables.isSynced else {
            _ = try JournalRow.read(journal.number, in: database, tables, name: journal.name)
            throw JournalError.notServed(journal.name)
          }
          let lookup = try self.lookup ?? PreparedStatement(Self.lookup(in: .synced), in: database)
          self.lookup = lookup
          return try ServedRow.facts(about: questions, journal: journal.number, by: lookup, in: database, name: journal.name)
        }
      }
    }

    /// Reads the number of transactions of a device's file; nil for another journal.
    func transaction(of journal: OpenJournal) throws(JournalError) -> Int64? {
      guard tables.isSynced else { return nil }
      return try read("read its outbox", of: journal) { database in
        let statement = try database.cachedStatement(sql: "SELECT transactions FROM devices WHERE journal = ?")
        return try Int64.fetchOne(statement, arguments: [journal.number])
      }
    }

    /// Reads a device's file in one moment.
    func mirror<Answer>(_ journal: OpenJournal, _ body: (MirrorTables) throws -> Answer) throws(JournalError) -> Answer {
      try read("read its outbox", of: journal) { database in
        try inOneMoment(database) {
          // A statement of the present format, so that a conversion is noticed. A second transaction would cost more than the statement.
          _ = try JournalRow.read(journal.number, in: database, tables, name: journal.name)
          guard tables.isSynced else { throw JournalError.noMirror(journal.name) }
          let cache = mirror ?? StatementCache(database)
          mirror = cache
          return try body(
            MirrorTables(database: database, journal: journal.number, name: journal.name, statements: nil, cache: cache))
        }
      }
    }

    /// Reads the explanations of refusals.
    func reasons(of journal: OpenJournal, for ids: [EntryID]) throws(JournalError) -> [EntryID: String] {
      try read("read its refusals", of: journal) { database in
        _ = try JournalRow.read(journal.number, in: database, tables, name: journal.name)
        guard tables.isSynced else { return [:] }
        return try ServedRow.reasons(of: ids, journal: journal.number, in: database)
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
            upTo: revision, limit: limit, from: floor?.revision ?? Revision(.min), journal: journal.number, in: database, tables,
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
          let id = try JournalRow.read(journal.number, in: database, tables, name: journal.name).head.journal
          return try SnapshotRow.snapshot(at: revision, of: id, journal: journal.number, in: database, tables, name: journal.name)
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
        let pages = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        let isReturned = try Int64.fetchOne(database, sql: "PRAGMA auto_vacuum") == 2
        return FreeSpace(bytes: pages * size, isReturned: isReturned)
      }
    }

    /// Reads the leases by name, including expired ones.
    func leases(of journal: OpenJournal) throws(JournalError) -> [Lease] {
      try read("list the leases", of: journal) { try LeaseRow.all(journal: journal.number, in: $0, tables, name: journal.name) }
    }

    /// Checks every page of the file, and every index against its table.
    func checkIntegrity(name: String) throws(JournalError) {
      try read("check the file", name: name) { try FileFormat.checkIntegrity($0, name: name) }
    }

    /// Closes the connection. The caller holds the lock.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      finalize()
      try? connection.database.close()
      traces?.clear()
    }

    private func finalize() {
      for statement in [page, end, lookup] { statement?.finalize() }
      (page, end, lookup, mirror) = (nil, nil, nil, nil)
    }

    private func read<Answer>(
      _ activity: String, of journal: OpenJournal, _ body: (Database) throws -> Answer
    ) throws(JournalError) -> Answer { try read(activity, name: journal.name, body) }

    private func read<Answer>(_ activity: String, name: String, _ body: (Database) throws -> Answer) throws(JournalError) -> Answer {
      guard !isClosed else { throw .closed(name) }
      return try translating(name, activity) {
        for _ in 0..<100 {
          try reopenIfOutdated(name: name)
          do {
            let answer = try connection.database.inDatabase { database in
              do { return try body(database) } catch {
                let error = FileFormat.explained(error, since: tables, in: database, name: name)
                guard (error as? JournalError)?.code == .newerFormat, let found = try? FileFormat.check(database, name: name) else {
                  throw error
                }
                // Another handle has synced a journal of the file. This version knows the new format.
                finalize()
                tables = found
                return try body(database)
              }
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

    /// Opens the connection again if the file is read alone and another process has written to it since.
    private func reopenIfOutdated(name: String) throws {
      guard !connection.isCurrent(location), let reopening else { return }
      // A file that took its place is another journal.
      try checkIdentity(name: name)
      let next = try reopening()
      finalize()
      try? connection.database.close()
      connection = next
    }

    /// Reads in one transaction. The parts of a journal that is not synced are read with one statement each.
    private func inOneMoment<Answer>(_ database: Database, _ body: () throws -> Answer) throws -> Answer {
      guard tables.isSynced else { return try body() }
      // Cached, because preparing the two statements takes as long as reading some rows.
      try database.cachedStatement(sql: "BEGIN DEFERRED").execute()
      do {
        let answer = try body()
        try database.cachedStatement(sql: "COMMIT").execute()
        return answer
      } catch {
        if database.isInsideTransaction { try? database.rollback() }
        throw error
      }
    }
  }
#endif
