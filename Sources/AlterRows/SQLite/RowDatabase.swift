#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The tables of a declaration in a database, and the place that their rows belong to: everything that happens inside a transaction.
  struct RowDatabase<State: Alterable>: Sendable {
    /// A state and its place.
    struct PlacedState: Sendable {
      let place: RowPlace
      let state: State
    }

    enum Advanced {
      /// The rows are those of the target.
      case moved
      /// The rows belong to another place, which the caller looks up.
      case elsewhere(RowPlace)
      /// A newer build has written the rows.
      case outdated(Int)
    }

    private let name: String
    let version: Int
    private let tables: [(table: RowTable<State>, layout: TableLayout)]
    private let declaration: String

    init(_ name: String, version: Int, _ tables: [RowTable<State>]) throws {
      (self.name, self.version) = (name, version)
      self.tables = tables.map { ($0, TableLayout($0)) }
      try tables.forEach { try $0.check() }
      var known: Set<String> = ["alter_rows"]
      for definition in self.tables.flatMap(\.layout.definitions) where !known.insert(definition.name.lowercased()).inserted {
        throw RowsError.declaration("two tables, or a table and an index, are named '\(definition.name)'")
      }
      let layouts = self.tables.map(\.layout)
      declaration = try RowDeclaration(
        of: State.self, tables: layouts.flatMap { $0.creation.map(\.name) }, statements: layouts.flatMap { $0.definitions.map(\.sql) }
      ).text
    }

    // MARK: - The place

    private struct Stored {
      let version: Int
      let declaration: String
      /// Nil if it can't be read.
      let place: RowPlace?
    }

    private func stored(in database: Database) throws -> Stored? {
      let sql = try RowStatement("SELECT sql FROM sqlite_master WHERE name = 'alter_rows'", in: database).row()?.first
      if sql == nil { try database.execute(sql: RowsRecord.creation) }
      guard sql == nil || sql == .text(RowsRecord.creation) else { throw RowsError.nameTaken("alter_rows") }
      let statement = try RowStatement(
        "SELECT version, declaration, journal, revision, checksum, pending FROM alter_rows WHERE name = ?", in: database)
      guard let row = try statement.row([.text(name)]) else { return nil }
      var declaration = ""
      if case .text(let text) = row[1] { declaration = text }
      let place = RowPlace(columns: row[2...])
      guard case .integer(let version) = row[0] else { return Stored(version: .min, declaration: "", place: nil) }
      return Stored(version: Int(clamping: version), declaration: declaration, place: place)
    }

    /// Whether the database has the rows of a place, in tables that this declaration has made.
    func isAt(_ place: RowPlace, in database: Database) throws -> Bool {
      let statement = try RowStatement(
        "SELECT declaration, journal, revision, checksum, pending FROM alter_rows WHERE name = ?", in: database)
      guard let row = try statement.row([.text(name)]) else { return false }
      return row[0] == .text(declaration) && RowPlace(columns: row[1...]) == place
    }

    /// Whether the database has the rows of a place, in tables as this declaration has made them. It may be any database.
    func isWhole(at place: RowPlace, in database: Database) throws -> Bool {
      let sql = try String.fetchOne(database, sql: "SELECT sql FROM sqlite_master WHERE name = 'alter_rows'")
      guard sql == RowsRecord.creation, let stored = try stored(in: database) else { return false }
      return try stored.version == version && stored.declaration == declaration && stored.place == place && isSound(in: database)
    }

    private func write(_ place: RowPlace, in database: Database) throws {
      try RowStatement("UPDATE alter_rows SET journal = ?, revision = ?, checksum = ?, pending = ? WHERE name = ?", in: database)
        .run(place.columns, [.text(name)])
    }

    // MARK: - Moving

    /// Moves the rows to a target, in one transaction.
    ///
    /// - Parameters:
    ///   - base: The state that the rows are of, as far as the caller knows; nil for none.
    ///   - replaced: The place whose rows can't be moved to the target; they are made again.
    ///   - known: The schema of the database at the last call. If the schema has changed, the objects are compared with the declaration.
    func move(
      from base: PlacedState?, to target: PlacedState, replacing replaced: RowPlace?, known: inout Int64?, in database: Database
    ) throws -> Advanced {
      guard let stored = try stored(in: database) else {
        try make(target, replacing: [], in: database)
        known = nil
        return .moved
      }
      guard stored.version <= version else { return .outdated(stored.version) }
      var schema: Int64?
      if case .integer(let number)? = try RowStatement("PRAGMA schema_version", in: database).row()?.first { schema = number }
      let isSound = try stored.version == version && stored.declaration == declaration && (schema == known || isSound(in: database))
      guard isSound, let place = stored.place, place != replaced else {
        try make(target, replacing: RowsRecord.tables(of: stored.declaration), in: database)
        known = nil
        return .moved
      }
      known = schema
      if place == target.place {
        // Another process, or other rows of this one, wrote them.
        if base?.place != target.place { try announce(in: database) }
        if place.isBehind(target.place) { try write(target.place, in: database) }
        return .moved
      }
      guard let base, place == base.place else { return .elsewhere(place) }
      do {
        try write(from: base.state, to: target.state, in: database)
      } catch  where isForeign(error) {
        try make(target, replacing: RowsRecord.tables(of: stored.declaration), in: database)
        known = nil
        return .moved
      }
      try write(target.place, in: database)
      return .moved
    }

    /// Whether an error shows that something else has written to the tables.
    private func isForeign(_ error: any Error) -> Bool {
      error is RowsAreForeign || (error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
        || (error as? DatabaseError)?.extendedResultCode == .SQLITE_CORRUPT_VTAB
    }

    private func write(from older: State, to newer: State, in database: Database) throws {
      let limit = RowTable.limit(of: tables.map(\.table), in: newer)
      for (table, layout) in tables {
        try table.source.lists(from: older, to: newer, limit: limit, TableWriter(layout, in: database).write)
      }
    }

    // MARK: - Making

    private func make(_ target: PlacedState, replacing older: [String], in database: Database) throws {
      try drop(older, in: database)
      let version = Int64(version)
      try RowStatement(
        """
        INSERT INTO alter_rows (name, version, declaration) VALUES (?, ?, ?) \
        ON CONFLICT (name) DO UPDATE SET version = excluded.version, declaration = excluded.declaration
        """, in: database
      ).run([.text(name), .integer(version), .text(declaration)])
      for (table, layout) in tables { try TableWriter(layout, in: database).create(table.source, of: target.state) }
      try write(target.place, in: database)
      try announce(in: database)
    }

    /// Tells observations that the tables have changed: they see neither other processes, nor tables that are created again.
    private func announce(in database: Database) throws {
      for (table, _) in tables { try database.notifyChanges(in: Table(table.name)) }
    }

    /// Drops the tables of a former declaration, and those of this one.
    ///
    /// - Throws: ``RowsError`` `nameTaken` if a table of this name was not made by rows.
    private func drop(_ older: [String], in database: Database) throws {
      let find = try RowStatement("SELECT type, sql FROM sqlite_master WHERE name = ? COLLATE NOCASE", in: database)
      // A search index goes before the table with its texts.
      let own = tables.flatMap(\.layout.creation)
      let sql = Dictionary(own.map { ($0.name, $0.sql) }) { first, _ in first }
      let others = try String.fetchAll(database, sql: "SELECT declaration FROM alter_rows WHERE name <> ?", arguments: [name])
      var (taken, seen) = (Set(others.flatMap(RowsRecord.tables).map { $0.lowercased() }), Set<String>())
      // Tables of rows with another name are as foreign as any other.
      taken.subtract(older.map { $0.lowercased() })
      for name in older.reversed() + own.map(\.name).reversed()
      where name != "alter_rows" && !name.hasPrefix("sqlite_") && seen.insert(name).inserted {
        guard let found = try find.row([.text(name)]) else { continue }
        guard older.contains(name) || found[1] == sql[name].map({ .text($0) }) && !taken.contains(name.lowercased()) else {
          throw RowsError.nameTaken(name)
        }
        try database.execute(sql: "DROP \(found[0] == "view" ? "VIEW" : "TABLE") \(name.quoted)")
      }
    }

    // MARK: - Checking

    /// Compares all rows with a state.
    ///
    /// - Returns: False if the rows belong to another place than the state.
    /// - Throws: ``RowsError`` `differs`.
    func verify(_ ground: PlacedState, in database: Database) throws -> Bool {
      guard try stored(in: database)?.place == ground.place else { return false }
      for (table, layout) in tables {
        func differs(_ key: [RowValue], _ reason: String) -> RowsError {
          .differs(table: layout.name, key: key.map(\.text).joined(separator: ", "), reason)
        }
        func verify<Source: RowSource<State>>(_ source: Source) throws {
          let (find, all) = (try RowStatement(layout.statements.row, in: database), try RowStatement(layout.selection, in: database))
          var (count, last) = (Int64(0), Int64.min)
          try source.rows(of: ground.state) { row, index in
            // A key that was replaced by an equal one, of other bytes, is still the old one.
            func equal() throws -> [RowValue]? { try all.row { $0[..<row.key.count] == row.key[...] } }
            guard let found = try find.row(row.key) ?? equal() else { throw differs(row.key, "the row is missing") }
            guard found.dropLast() == (row.key + row.values)[...] else { throw differs(row.key, "it has other values than the state") }
            guard case .integer(let position)? = found.last, index == 0 || position > last else {
              throw differs(row.key, "it is not in the order of the state")
            }
            (count, last) = (count + 1, position)
          }
          guard try RowStatement(layout.size, in: database).row()?.first == .integer(count) else {
            throw differs([], "there are rows that the state does not have")
          }
        }
        try verify(table.source)
        guard !layout.search.isEmpty else { continue }
        do { try database.execute(sql: layout.searchCheck) } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
          throw differs([], "its search index has other texts")
        }
      }
      return true
    }

    /// Removes what deleted rows have left in the file, and in its log.
    func vacuum(_ database: Database) throws {
      for (_, layout) in tables where !layout.search.isEmpty { try database.execute(sql: layout.searchCommand("optimize")) }
      try database.execute(sql: "VACUUM")
      if try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal" { _ = try database.checkpoint(.truncate) }
    }

    /// Whether the objects of the declaration are there, as it says, and no trigger is on them.
    private func isSound(in database: Database) throws -> Bool {
      let find = try RowStatement("SELECT sql FROM sqlite_master WHERE name = ?", in: database)
      let triggers = try RowStatement(
        "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE", in: database)
      for (table, layout) in tables {
        for definition in layout.definitions {
          guard try find.row([.text(definition.name)])?.first == .text(definition.sql) else { return false }
        }
        guard try triggers.row([.text(table.name)])?.first == 0 else { return false }
      }
      return true
    }
  }
#endif
