#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows of a journal that a server decides, apart from its entries. Only files of format 2 have them.
  enum ServedRow {
    private static let tables = FileTables.synced

    /// Reads the part of a journal in sync.
    static func role(_ journal: Int64, in database: Database, name: String) throws -> JournalRole {
      let statement = try database.cachedStatement(sql: "SELECT role FROM journals WHERE number = ?")
      guard let text = try String?.fetchOne(statement, arguments: [journal]).flatMap({ $0 }), let role = JournalRole(rawValue: text) else {
        throw JournalError.damaged(name, "its row has no part in sync that is known")
      }
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
      try database.execute(
        sql: "UPDATE journals SET role = 'server', generation = ?, accepts = ? WHERE number = ?",
        arguments: [Int64(bitPattern: lineage.generation.number), Int64(schema), journal])
      try database.execute(sql: "DELETE FROM former WHERE journal = ?", arguments: [journal])
      for former in lineage.former.map({ Int64(bitPattern: $0.number) }).sorted() {
        try database.execute(sql: "INSERT INTO former (journal, generation) VALUES (?, ?)", arguments: [journal, former])
      }
    }

    /// Reads the floor of a journal: revision 0 if it is whole.
    static func floor(of journal: Int64, _ head: Head, in database: Database, name: String) throws -> Head {
      let statement = try database.cachedStatement(sql: "SELECT floor, floor_checksum FROM journals WHERE number = ?")
      let row = try Row.fetchOne(statement, arguments: [journal])
      let floor = row.flatMap { Int64.fromDatabaseValue($0[0] as DatabaseValue) }
      let checksum = row.flatMap { Data.fromDatabaseValue($0[1] as DatabaseValue) }.flatMap(Checksum.init(bytes:))
      guard let floor, floor >= 0, floor <= head.revision.number, (floor > 0) == (checksum != nil) else {
        throw JournalError.damaged(name, "the row with its floor is invalid")
      }
      return checksum.map { Head(journal: head.journal, revision: Revision(floor), checksum: $0) } ?? Head(empty: head.journal)
    }

    /// Reads the position of a served journal.
    static func position(_ journal: Int64, in database: Database, name: String) throws -> ServerPosition {
      let head = try JournalRow.read(journal, in: database, tables, name: name).head
      let statement = try database.cachedStatement(sql: "SELECT role, generation, accepts FROM journals WHERE number = ?")
      guard let row = try Row.fetchOne(statement, arguments: [journal]),
        let role = String.fromDatabaseValue(row[0] as DatabaseValue).flatMap(JournalRole.init)
      else { throw JournalError.damaged(name, "the row with its part in sync is invalid") }
      guard role == .server else { throw JournalError.notServed(name) }
      guard let generation = Int64.fromDatabaseValue(row[1] as DatabaseValue), let schema = Int64.fromDatabaseValue(row[2] as DatabaseValue)
      else { throw JournalError.damaged(name, "the row with its part in sync is invalid") }
      let others = try database.cachedStatement(sql: "SELECT generation FROM former WHERE journal = ? ORDER BY generation")
      let former = try Int64.fetchAll(others, arguments: [journal])
      return ServerPosition(
        head: head,
        lineage: Lineage(
          Generation(UInt64(bitPattern: generation)), former: Set(former.map { Generation(UInt64(bitPattern: $0)) })),
        floor: try floor(of: journal, head, in: database, name: name), schema: Int(clamping: schema))
    }

    /// Answers questions about drafts.
    ///
    /// - Parameter lookup: The statement `Reader.lookup(in:)`.
    static func facts(
      about questions: ServerQuestions, journal: Int64, by lookup: PreparedStatement, in database: Database, name: String
    ) throws -> ServerFacts {
      var facts = ServerFacts(try position(journal, in: database, name: name))
      for id in questions.ids {
        guard let entry = try Reader.entry(id, journal: journal, by: lookup, tables, name: name) else {
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
      guard !questions.origins.isEmpty else { return facts }
      let origins = try database.cachedStatement(sql: "SELECT principal, last FROM origins WHERE journal = ? AND origin = ?")
      for origin in questions.origins {
        guard let row = try Row.fetchOne(origins, arguments: [journal, EntryRow.bytes(of: origin.uuid)]) else { continue }
        guard let principal = String.fromDatabaseValue(row[0] as DatabaseValue), let last = Int64.fromDatabaseValue(row[1] as DatabaseValue)
        else { throw JournalError.damaged(name, "the row of the origin \(origin) is invalid") }
        facts.origins[origin] = OriginStanding(principal: principal, last: last)
      }
      let attempts = try database.cachedStatement(
        sql: "SELECT accepted_origin, accepted_sequence FROM attempts WHERE journal = ? AND origin = ? AND sequence = ?")
      for family in questions.families {
        guard let row = try Row.fetchOne(attempts, arguments: [journal, EntryRow.bytes(of: family.origin.uuid), family.sequence]) else {
          continue
        }
        guard let origin = Data.fromDatabaseValue(row[0] as DatabaseValue).flatMap(EntryRow.uuid(of:)),
          let sequence = Int64.fromDatabaseValue(row[1] as DatabaseValue)
        else { throw JournalError.damaged(name, "the row of the attempts of \(family) is invalid") }
        facts.attempts[family] = EntryID(origin: Origin(origin), sequence: sequence)
      }
      return facts
    }

    /// Reads the explanations of refusals.
    static func reasons(of ids: [EntryID], journal: Int64, in database: Database) throws -> [EntryID: String] {
      let statement = try database.cachedStatement(
        sql: """
          SELECT reason FROM reasons JOIN entries USING (journal, revision)
          WHERE entries.journal = ? AND origin = ? AND sequence = ?
          """)
      return try ids.reduce(into: [:]) { reasons, id in
        reasons[id] = try String.fetchOne(statement, arguments: [journal, EntryRow.bytes(of: id.origin.uuid), id.sequence])
      }
    }

    /// Records the principals and the last sequences of the origins of decided drafts: one row for each origin, whatever the number of its drafts.
    static func bind(_ decided: [DecidedDraft], journal: Int64, in database: Database) throws {
      var known: [Origin: (principal: String, last: Int64)] = [:]
      for draft in decided {
        guard let principal = draft.principal else { continue }
        let id = draft.draft.id
        // The first principal keeps the origin.
        known[id.origin] = (known[id.origin]?.principal ?? principal, max(known[id.origin]?.last ?? id.sequence, id.sequence))
      }
      for (origin, use) in known { try bind(origin, to: use.principal, using: use.last, journal: journal, in: database) }
    }

    /// Records all that later decisions ask about a decided draft, apart from its own origin.
    static func note(_ decided: DecidedDraft, at revision: Revision, journal: Int64, in database: Database) throws {
      let id = decided.draft.id
      if let principal = decided.principal {
        if let first = decided.retries { try bind(first.origin, to: principal, using: 0, journal: journal, in: database) }
      }
      if let first = decided.retries {
        let statement = try database.cachedStatement(
          sql: """
            INSERT OR REPLACE INTO attempts (journal, origin, sequence, accepted_origin, accepted_sequence) VALUES (?, ?, ?, ?, ?)
            """)
        try statement.execute(arguments: [
          journal, EntryRow.bytes(of: first.origin.uuid), first.sequence, EntryRow.bytes(of: id.origin.uuid), id.sequence,
        ])
      }
      if let reason = decided.reason {
        let statement = try database.cachedStatement(sql: "INSERT INTO reasons (journal, revision, reason) VALUES (?, ?, ?)")
        try statement.execute(arguments: [journal, revision.number, reason])
      }
    }

    /// Records the principal that uses an origin. The first one keeps it.
    private static func bind(_ origin: Origin, to principal: String, using sequence: Int64, journal: Int64, in database: Database) throws {
      let statement = try database.cachedStatement(
        sql: """
          INSERT INTO origins (journal, origin, principal, last) VALUES (?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET last = max(last, excluded.last)
          """)
      try statement.execute(arguments: [journal, EntryRow.bytes(of: origin.uuid), principal, sequence])
    }
  }
#endif
