#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows of a journal's leases. A row stays when its lease ends, so that the epoch is never lowered.
  enum LeaseRow {
    private static func read(_ lease: String, journal: Int64, in database: Database, name: String) throws -> LeaseRecord? {
      try database.first("SELECT holder, epoch, granted, expires FROM leases WHERE journal = ? AND name = ?", journal, lease) { row in
        guard let holder = row.origin(0), let epoch = row.number(1), let granted = row.number(2), let expires = row.number(3) else {
          throw JournalError.damaged(name, "the row of the lease '\(lease)' is invalid")
        }
        return LeaseRecord(holder: holder, epoch: epoch, granted: granted, expires: expires)
      }
    }

    /// Reads all leases of a journal, by name.
    static func all(journal: Int64, in database: Database, name: String) throws -> [Lease] {
      try database.all("SELECT name FROM leases WHERE journal = ? ORDER BY name", journal) { $0.text(0) }.compactMap { lease in
        guard let lease else { throw JournalError.damaged(name, "the row of a lease has no name") }
        return try read(lease, journal: journal, in: database, name: name)?.lease(lease)
      }
    }

    /// Throws `staleLease` unless the lease has the current epoch.
    static func check(_ lease: Lease, journal: Int64, in database: Database, name: String) throws {
      let epoch = try read(lease.name, journal: journal, in: database, name: name)?.epoch ?? 0
      guard epoch == lease.epoch else { throw JournalError.staleLease(name, lease, epoch: epoch) }
    }

    /// Grants or renews a lease.
    ///
    /// - Returns: The lease, and the previous holder if the lease was taken over.
    static func grant(
      _ lease: String, to holder: Origin, for duration: Duration, journal: Int64, in database: Database, name: String,
      holders: HolderFiles
    ) throws -> (lease: Lease, previous: Origin?) {
      let old = try read(lease, journal: journal, in: database, name: name)
      let now = Date().microseconds
      let record = LeaseRecord.granting(old, to: holder, for: duration, at: now) {
        old.map { holders.isDead($0.holder) } ?? false
      }
      guard let record else {
        throw (old ?? LeaseRecord(holder: holder, epoch: 0, granted: 0, expires: 0)).refusal(of: lease, at: now, in: name)
      }
      // Before others can see the lease. A lease of no length needs no file.
      if record.expires > record.granted { holders.hold(lease, for: holder) }
      try write(record, lease, journal: journal, in: database)
      return (record.lease(lease), old.flatMap { $0.holder == holder ? nil : $0.holder })
    }

    private static func write(_ record: LeaseRecord, _ lease: String, journal: Int64, in database: Database) throws {
      try database.run(
        """
        INSERT INTO leases (journal, name, holder, epoch, granted, expires) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET holder = excluded.holder, epoch = excluded.epoch, granted = excluded.granted, expires = excluded.expires
        """, journal, lease, record.holder, record.epoch, record.granted, record.expires)
    }

    /// A request in a renewal of many leases: the number and the name of its journal, and the lease.
    struct Renewal: Sendable {
      let journal: Int64
      let journalName: String
      let lease: String
      let holder: Origin
      let duration: Duration
    }

    /// Renews a lease that the holder has and has not released, or finds that another live replica holds it.
    static func renew(_ request: Renewal, in database: Database, holders: HolderFiles) throws -> LeaseRenewal {
      let (journal, lease, name) = (request.journal, request.lease, request.journalName)
      let old: LeaseRecord?
      do { old = try read(lease, journal: journal, in: database, name: name) } catch let error as JournalError {
        return .decided(.failure(error))
      }
      guard let old else { return .undecided }
      let now = Date().microseconds
      guard old.holder == request.holder else {
        return old.isValid(at: now) && !holders.isDead(old.holder)
          ? .decided(.failure(old.refusal(of: lease, at: now, in: name))) : .undecided
      }
      guard old.expires > old.granted, let record = LeaseRecord.granting(old, to: old.holder, for: request.duration, at: now) else {
        return .undecided
      }
      try write(record, lease, journal: journal, in: database)
      return .decided(.success(record.lease(lease)))
    }

    /// Whether a holder has a lease in force in any journal of the file.
    static func isHolder(_ holder: Origin, in database: Database) throws -> Bool {
      let now = Date().microseconds
      return try database.hasRow(
        "SELECT 1 FROM leases WHERE holder = ? AND granted <= ? AND granted > ? AND expires > ?", holder, now, now - LeaseRecord.longest,
        now)
    }

    /// Ends a lease at once, if it has the current epoch.
    static func release(_ lease: Lease, journal: Int64, in database: Database) throws {
      try database.run(
        "UPDATE leases SET expires = granted WHERE journal = ? AND name = ? AND epoch = ?", journal, lease.name, lease.epoch)
    }
  }
#endif
