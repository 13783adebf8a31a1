#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The row of one journal in its file: its number and its head.
  struct JournalRow: Sendable {
    /// The number of the journal in the rows of its entries.
    let number: Int64
    /// The id that the row was made with. It never changes.
    let own: JournalID
    /// The end of the journal. The head of a device's copy is that of the server's journal.
    let head: Head
    /// The last revision that compaction has removed, or that a device's copy never had.
    var floor: Int64 = 0

    fileprivate static let columns = "number, id, head, checksum, source, floor"

    /// Finds the journal of a key; nil if the file has none.
    static func find(key: String, in database: Database, name: String) throws -> JournalRow? {
      try database.first("SELECT \(columns) FROM journals WHERE key = ?", key) { try decode($0, name: name) }
    }

    /// The keys of the journals in the file, at most eleven.
    static func keys(in database: Database) throws -> [String] {
      // A damaged file may hold other values than text. They are skipped.
      try database.all("SELECT key FROM journals ORDER BY key LIMIT 11") { $0.text(0) }.compactMap { $0 }
    }

    /// Reads the row of a journal.
    static func read(_ number: Int64, in database: Database, name: String) throws -> JournalRow {
      let row = try database.first("SELECT \(columns) FROM journals WHERE number = ?", number) { try decode($0, name: name) }
      guard let row else { throw JournalError.damaged(name, "the row with its head is missing") }
      return row
    }

    /// Reads the row of a journal, and checks that the journal begins with revision 1 and ends with the entry of its head, in one snapshot
    /// of the database.
    ///
    /// - Throws: `damaged` at the first revision that is wrong, judged by the first and the last entry alone.
    /// - Complexity: O(log n).
    static func readWithEnds(_ number: Int64, in database: Database, name: String) throws -> JournalRow {
      let row = try database.first(
        """
        SELECT \(columns),
          (SELECT min(revision) FROM entries
            WHERE journal = number AND revision > CASE floor WHEN 0 THEN -9223372036854775807 ELSE floor END),
          (SELECT max(revision) FROM entries WHERE journal = number),
          (SELECT checksum FROM entries AS last WHERE last.journal = number AND last.revision = head)
        FROM journals WHERE number = ?
        """, number
      ) { (row: try decode($0, name: name), first: $0.number(6), last: $0.number(7), checksum: $0.checksum(8)) }
      guard let row else { throw JournalError.damaged(name, "the row with its head is missing") }
      let (found, first, checksum) = (row.row, row.first, row.checksum)
      let (end, floor) = (found.head.revision, found.floor)
      let last = row.last ?? floor
      guard floor >= 0, floor <= end.number else { throw JournalError.damaged(name, "the row with its floor is invalid") }
      try checkEnd(found.head, last: Revision(last), name: name)
      if let first, first != floor + 1 {
        throw JournalError.damaged(name, at: Revision(floor).next, "the first entry's revision is \(first)")
      }
      // All entries up to the head may be below the floor.
      if end.number == floor, floor > 0 { return found }
      if end > .zero, checksum != found.head.checksum {
        throw JournalError.damaged(name, at: end, "the journal's head does not match its last entry")
      }
      return found
    }

    /// Checks that a journal ends with its last entry.
    static func checkEnd(_ head: Head, last: Revision, name: String) throws(JournalError) {
      let end = head.revision
      guard last <= end else {
        throw .damaged(name, at: end.next, "there are entries up to revision \(last), but the journal's head says it ends before")
      }
      guard last >= end else {
        throw .damaged(name, at: max(last, .zero).next, "the entry is missing, although the journal's head says it ends at \(end)")
      }
      guard end > .zero || head == Head(empty: head.journal) else {
        throw .damaged(name, "the row with its head is invalid")
      }
    }

    /// Checks that no entry is missing, as far as that is cheap: in a long journal only that the file is large enough for so many entries.
    ///
    /// A missing entry that this check does not detect is detected when it is read. The check also bounds loops over the revisions: there
    /// cannot be more of them than the file has bytes.
    ///
    /// - Complexity: O(n) for up to 10,000 entries, O(1) for more. O(n) if an entry is missing.
    static func checkCount(_ row: JournalRow, in database: Database, name: String) throws {
      let end = row.head.revision.number - row.floor
      let isShort = end <= 10_000
      if isShort {
        // Counted in the table itself, not in its index, which may lack a row.
        let count = try database.number("SELECT count(*) FROM entries WHERE journal = ? AND revision > ?", row.number, row.floor)
        // Another process may have appended since the row was read.
        guard count ?? 0 < end else { return }
      } else {
        let pages = try database.number("PRAGMA page_count") ?? 0
        let size = try database.number("PRAGMA page_size") ?? 0
        // An entry and its place in the index take at least 80 bytes. 64 leaves a margin.
        guard end > pages.multipliedReportingOverflow(by: size).partialValue / 64 else { return }
      }
      let before = try database.number(
        """
        SELECT revision FROM entries AS one WHERE journal = ?1
          AND NOT EXISTS (SELECT 1 FROM entries WHERE journal = ?1 AND revision = one.revision + 1)
        ORDER BY revision LIMIT 1
        """, row.number)
      let missing = Revision(before ?? row.floor).next
      throw JournalError.damaged(
        name, at: missing, "the entry is missing, although the journal's head says it ends at \(row.head.revision)")
    }

    /// Creates an empty journal.
    static func make(key: String, in database: Database, name: String) throws -> JournalRow {
      let head = Head(empty: .random())
      try database.run(
        "INSERT INTO journals (key, id, head, checksum, created) VALUES (?, ?, 0, ?, ?)", key, head.journal, head.checksum,
        Date().microseconds)
      return JournalRow(number: database.lastInsertedRowID, own: head.journal, head: head)
    }

    fileprivate static func decode(_ row: PreparedStatement, name: String) throws -> JournalRow {
      guard let number = row.number(0), let id = row.journal(1), let revision = row.number(2), revision >= 0, let checksum = row.checksum(3)
      else { throw JournalError.damaged(name, "the row with its head is invalid") }
      let head = Head(journal: row.journal(4) ?? id, revision: Revision(revision), checksum: checksum)
      return JournalRow(number: number, own: id, head: head, floor: row.number(5) ?? 0)
    }
  }

  /// The rows of a journal that a server decides, apart from its entries.
  enum ServedRow {
    /// Reads the part of a journal in sync.
    static func role(_ journal: Int64, in database: Database, name: String) throws -> JournalRole {
      let text = try database.text("SELECT role FROM journals WHERE number = ?", journal)
      guard let role = text.flatMap(JournalRole.init) else { throw JournalError.unknownRole(name) }
      return role
    }

    /// Makes a server the only writer of a journal, or begins another generation.
    static func serve(
      _ lineage: Lineage, schema: Int, replacing present: Generation?, journal: Int64, in database: Database, name: String
    ) throws {
      let role = try role(journal, in: database, name: name)
      guard role != .mirror else { throw JournalError.decidedElsewhere(name, role) }
      let known = role == .server ? try position(journal, in: database, name: name).lineage.generation : nil
      guard known == present else { throw JournalError.otherGeneration(name) }
      try database.run("UPDATE journals SET role = 'server', accepts = ? WHERE number = ?", schema, journal)
      try keep(lineage, journal: journal, in: database)
    }

    /// Writes the lineage of a synced journal.
    static func keep(_ lineage: Lineage, journal: Int64, in database: Database) throws {
      try database.run("UPDATE journals SET generation = ? WHERE number = ?", Int64(bitPattern: lineage.generation.number), journal)
      try database.run("DELETE FROM former WHERE journal = ?", journal)
      for former in lineage.former.map({ Int64(bitPattern: $0.number) }).sorted() {
        try database.run("INSERT INTO former (journal, generation) VALUES (?, ?)", journal, former)
      }
    }

    /// Reads the lineage of a synced journal; nil of a plain one, and of a device's copy before the first contact.
    static func lineage(_ journal: Int64, in database: Database) throws -> Lineage? {
      guard let generation = try database.number("SELECT generation FROM journals WHERE number = ?", journal) else { return nil }
      let former = try database.all("SELECT generation FROM former WHERE journal = ?", journal) { $0.number(0) }.compactMap { $0 }
      return Lineage(Generation(UInt64(bitPattern: generation)), former: Set(former.map { Generation(UInt64(bitPattern: $0)) }))
    }

    /// Reads the floor of a journal: revision 0 if it is whole.
    static func floor(of journal: Int64, _ head: Head, in database: Database, name: String) throws -> Head {
      let row = try database.first("SELECT floor, floor_checksum FROM journals WHERE number = ?", journal) {
        ($0.number(0), $0.checksum(1))
      }
      return try floor(row?.0, row?.1, head, name: name)
    }

    private static func floor(_ revision: Int64?, _ checksum: Checksum?, _ head: Head, name: String) throws -> Head {
      guard let revision, revision >= 0, revision <= head.revision.number, (revision > 0) == (checksum != nil) else {
        throw JournalError.damaged(name, "the row with its floor is invalid")
      }
      return checksum.map { Head(journal: head.journal, revision: Revision(revision), checksum: $0) } ?? Head(empty: head.journal)
    }

    /// Reads the position of a served journal: one row, unless the journal has had another generation.
    static func position(_ journal: Int64, in database: Database, name: String) throws -> ServerPosition {
      let found = try database.first(
        """
        SELECT \(JournalRow.columns), role, accepts, generation, floor_checksum, EXISTS (SELECT 1 FROM former WHERE journal = number)
        FROM journals WHERE number = ?
        """, journal
      ) { row in
        let head = try JournalRow.decode(row, name: name).head
        guard let role = row.text(6).flatMap(JournalRole.init) else { throw JournalError.unknownRole(name) }
        guard role == .server else { throw JournalError.notServed(name) }
        guard let schema = row.number(7), let generation = row.number(8) else {
          throw JournalError.damaged(name, "the row with its part in sync is invalid")
        }
        return (
          position: ServerPosition(
            head: head, lineage: Lineage(Generation(UInt64(bitPattern: generation))),
            floor: try floor(row.number(5), row.checksum(9), head, name: name), schema: Int(clamping: schema)),
          hasFormer: row.number(10) == 1
        )
      }
      guard let found else { throw JournalError.damaged(name, "the row with its head is missing") }
      guard found.hasFormer, let lineage = try lineage(journal, in: database) else { return found.position }
      return ServerPosition(head: found.position.head, lineage: lineage, floor: found.position.floor, schema: found.position.schema)
    }

    /// Answers questions about drafts.
    static func facts(about questions: ServerQuestions, journal: Int64, in database: Database, name: String) throws -> ServerFacts {
      var facts = ServerFacts(try position(journal, in: database, name: name))
      for id in questions.ids {
        guard let entry = try EntryRow.find(id, journal: journal, in: database, name: name) else {
          facts.standings[id] = try CompactedRow.standing(
            of: id, floor: facts.position.floor.revision, journal: journal, in: database, name: name)
          continue
        }
        guard let standing = entry.standing else {
          guard entry.kind == .refused else { continue }
          throw JournalError.damaged(name, at: entry.revision, "its payload is not a refusal")
        }
        facts.standings[id] = standing
      }
      for origin in questions.origins {
        facts.origins[origin] = try database.first("SELECT principal, last FROM origins WHERE journal = ? AND origin = ?", journal, origin)
        {
          row in
          guard let principal = row.text(0), let last = row.number(1) else {
            throw JournalError.damaged(name, "the row of the origin \(origin) is invalid")
          }
          return OriginStanding(principal: principal, last: last)
        }
      }
      // Most journals have none.
      let hasAttempts = try !questions.families.isEmpty && database.hasRow("SELECT 1 FROM attempts WHERE journal = ? LIMIT 1", journal)
      for family in hasAttempts ? questions.families : [] {
        facts.attempts[family] = try database.first(
          "SELECT accepted_origin, accepted_sequence FROM attempts WHERE journal = ? AND origin = ? AND sequence = ?", journal,
          family.origin,
          family.sequence
        ) { row in
          guard let origin = row.origin(0), let sequence = row.number(1) else {
            throw JournalError.damaged(name, "the row of the attempts of \(family) is invalid")
          }
          return EntryID(origin: origin, sequence: sequence)
        }
      }
      return facts
    }

    /// Reads the explanations of refusals.
    static func reasons(of ids: [EntryID], journal: Int64, in database: Database) throws -> [EntryID: String] {
      try ids.reduce(into: [:]) { reasons, id in
        reasons[id] = try database.text(
          """
          SELECT reason FROM reasons JOIN entries USING (journal, revision)
          WHERE entries.journal = ? AND origin = ? AND sequence = ?
          """, journal, id.origin, id.sequence)
      }
    }

    /// Records the principals and the last sequences of the origins of decided drafts: one row for each origin, whatever the number of its drafts.
    static func bind(_ decided: [DecidedDraft], journal: Int64, in database: Database) throws {
      var known: [Origin: OriginStanding] = [:]
      for draft in decided {
        let id = draft.draft.id
        known[id.origin] = (known[id.origin] ?? OriginStanding(principal: draft.principal, last: 0)).used(
          by: draft.principal, upTo: id.sequence)
      }
      for (origin, use) in known { try bind(origin, to: use.principal, using: use.last, journal: journal, in: database) }
    }

    /// Records all that later decisions ask about a decided draft, apart from its own origin.
    static func note(_ decided: DecidedDraft, at revision: Revision, journal: Int64, in database: Database) throws {
      let id = decided.draft.id
      if let first = decided.retries {
        try bind(first.origin, to: decided.principal, using: 0, journal: journal, in: database)
        try database.run(
          """
          INSERT OR REPLACE INTO attempts (journal, origin, sequence, accepted_origin, accepted_sequence) VALUES (?, ?, ?, ?, ?)
          """, journal, first.origin, first.sequence, id.origin, id.sequence)
      }
      if let reason = decided.reason {
        try database.run("INSERT INTO reasons (journal, revision, reason) VALUES (?, ?, ?)", journal, revision, reason)
      }
    }

    /// Records the principal that uses an origin. The first known one keeps it.
    private static func bind(_ origin: Origin, to principal: String, using sequence: Int64, journal: Int64, in database: Database) throws {
      try database.run(
        """
        INSERT INTO origins (journal, origin, principal, last) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET last = max(last, excluded.last), principal = CASE principal WHEN '' THEN excluded.principal ELSE principal END
        """, journal, origin, principal, sequence)
    }
  }

  extension JournalError {
    fileprivate static func unknownRole(_ name: String) -> JournalError { .damaged(name, "its row has no part in sync that is known") }
  }
#endif
