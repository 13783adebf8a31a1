#if Postgres
  import AlterCore
  import AlterJournal
  import AlterPostgres
  import AlterRows

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The tables of a declaration in a schema, and the place that their rows belong to.
  struct PostgresTables<State: Alterable>: Sendable {
    /// The number of no journal: the row of the tables themselves.
    private static var ofTables: Int64 { -1 }

    let name: String
    let version: Int
    let schema: String
    private let journals: String
    private let declared: [RowTable<State>]
    let tables: [(source: any RowSource<State>, table: PostgresTable)]
    /// The name of the table with the places.
    private let places: String
    /// The statements of ``fence(_:from:to:)``, with the form of the rows and without it.
    private let fences: (withForm: String, alone: String)
    /// The form of the tables.
    private let tablesDeclaration: String
    /// The form of the tables and of the state.
    private let declaration: String

    init(_ name: String, version: Int, schema: String, journals: String, _ tables: [RowTable<State>]) throws {
      try tables.forEach { try PostgresTable.check($0) }
      guard !(name + schema + journals).utf8.contains(0), schema.utf8.count <= 63 else {
        throw RowsError.declaration("a name contains U+0000, or has more than 63 bytes")
      }
      var known: Set<String> = []
      for table in tables where !known.insert(table.name).inserted {
        throw RowsError.declaration("two tables are named '\(table.name)'")
      }
      (self.name, self.version, self.schema, self.journals) = (name, version, schema, journals)
      declared = tables
      self.tables = tables.map { ($0.source.written(in: .postgres), PostgresTable($0, in: schema)) }
      let statements = self.tables.flatMap { $0.table.creation(in: schema) }
      tablesDeclaration = try RowDeclaration(of: nil, tables: tables.map(\.name), statements: statements).text
      declaration = try RowDeclaration(of: State.self, tables: tables.map(\.name), statements: statements).text
      let places = "\(schema.quoted).alter_rows"
      func fence(_ form: String) -> String {
        """
        WITH free AS (
          SELECT journal, name FROM \(places) WHERE journal = $1 AND name = $2 AND version = $3 AND declaration = $4 AND revision = $5
            AND checksum = $6 FOR UPDATE SKIP LOCKED
        ), moved AS (
          UPDATE \(places) AS rows SET revision = $7, checksum = $8\(form)
          FROM free WHERE rows.journal = free.journal AND rows.name = free.name AND (
            EXISTS (SELECT FROM \(journals.quoted).entry WHERE entry.journal = $1 AND entry.revision = $7 AND entry.checksum = $8)
            OR EXISTS (SELECT FROM \(journals.quoted).journal WHERE number = $1 AND head = $7 AND journal.checksum = $8))
          RETURNING 1
        )
        SELECT 1 / count(*) FROM moved
        """
      }
      (self.places, fences) = (places, (fence(", version = $9, declaration = $10"), fence("")))
    }

    // MARK: - Setup

    /// The SQL that the owner of the tables runs. It changes nothing if the tables are there.
    var setup: String {
      let tables = tables.flatMap { $0.table.creation(in: schema) }.map { "  \($0);\n" }.joined()
      let body = """

        DECLARE
          "older" text;
        BEGIN
          IF EXISTS (SELECT FROM \(places) WHERE journal = \(Self.ofTables) AND name = \(name.quotedText) AND version = \(version)
            AND declaration = \(tablesDeclaration.quotedText)) THEN RETURN; END IF;
          IF EXISTS (SELECT FROM \(places) WHERE journal = \(Self.ofTables) AND name = \(name.quotedText) AND version > \(version)) THEN
            RAISE EXCEPTION 'the tables have a higher version';
          END IF;
          FOR "older" IN SELECT jsonb_array_elements_text(declaration::jsonb -> 'tables') FROM \(places)
            WHERE journal = \(Self.ofTables) AND name = \(name.quotedText)
          LOOP
            EXECUTE format('DROP TABLE IF EXISTS %I.%I', \(schema.quotedText), "older");
          END LOOP;
        \(tables)\
          INSERT INTO \(places) VALUES (\(Self.ofTables), \(name.quotedText), \(version), \(tablesDeclaration.quotedText), 0, '')
            ON CONFLICT (journal, name) DO UPDATE SET version = excluded.version, declaration = excluded.declaration;
          UPDATE \(places) SET version = \(version), declaration = '', revision = 0, checksum = ''
            WHERE journal <> \(Self.ofTables) AND name = \(name.quotedText);
        END

        """
      // A tag that the text does not have.
      var tag = "$alter$"
      while body.contains(tag) { tag = "$a" + tag.dropFirst() }
      return """
        BEGIN;
        CREATE SCHEMA IF NOT EXISTS \(schema.quoted);
        CREATE TABLE IF NOT EXISTS \(places) (journal bigint, name text, version bigint NOT NULL, declaration text NOT NULL,
          revision bigint NOT NULL, checksum bytea NOT NULL, PRIMARY KEY (journal, name));
        CREATE OR REPLACE VIEW \(schema.quoted).alter_rows_late AS
          SELECT journal.key, rows.name, rows.version, rows.revision, journal.head, journal.head - rows.revision AS missing
          FROM \(places) AS rows JOIN \(journals.quoted).journal AS journal ON journal.number = rows.journal
          WHERE rows.revision <> journal.head OR rows.checksum <> journal.checksum;
        DO \(tag)\(body)\(tag);
        COMMIT;

        """
    }

    // MARK: - The place

    /// The row of a journal in `alter_rows`.
    struct Stored: Sendable, Equatable {
      var version: Int64
      var declaration: String
      var revision: Int64
      var checksum: Data

      /// The place; nil if the rows belong to none.
      func place(in journal: JournalID) -> Head? {
        guard revision > 0, let checksum = Checksum(bytes: checksum) else { return nil }
        return Head(journal: journal, revision: Revision(revision), checksum: checksum)
      }
    }

    /// Reads the row of a journal, and checks the tables.
    ///
    /// - Returns: nil if the journal has no rows yet.
    /// - Throws: ``/AlterRows/RowsError``: `notSetUp`, `outdated`.
    func stored(in journal: PostgresJournal) async throws -> Stored? {
      let sql = "SELECT journal, version, declaration, revision, checksum FROM \(places) WHERE journal IN ($1, $2) AND name = $3"
      let parameters = Parameters(.number(journal.number), .number(Self.ofTables), .text(name))
      let answer: ServerAnswer
      do throws(RowFailure) { answer = try await journal.readRows([Call(sql, parameters)])[0] } catch { throw explained(error) }
      var rows: [Int64: Stored] = [:]
      for row in 0..<answer.rowCount {
        guard let number = answer.number(row, 0), let version = answer.number(row, 1), let declaration = answer.text(row, 2),
          let revision = answer.number(row, 3), let checksum = answer.data(row, 4)
        else { continue }
        rows[number] = Stored(version: version, declaration: declaration, revision: revision, checksum: checksum)
      }
      guard let tables = rows[Self.ofTables] else {
        throw RowsError.notSetUp("the schema '\(schema)' does not have the tables of the rows '\(name)'")
      }
      let own = rows[journal.number]
      let newest = max(tables.version, own?.version ?? .min)
      guard newest <= Int64(version) else { throw RowsError.outdated(found: Int(clamping: newest), own: version) }
      guard tables.version == Int64(version), tables.declaration == tablesDeclaration else {
        throw RowsError.notSetUp(
          "the tables of the rows '\(name)' in the schema '\(schema)' are of another declaration: version \(tables.version)")
      }
      return own
    }

    /// Whether rows of this declaration and of this state are there.
    func isOwn(_ stored: Stored) -> Bool { stored.version == Int64(version) && stored.declaration == declaration }

    /// Whether this build makes rows again that are not its own. Of two builds with one version and schema, the last one to open writes the rows:
    /// otherwise each would make them again after the other's appends.
    func mayReplace(_ stored: Stored, atOpening: Bool) -> Bool {
      guard stored.version == Int64(version), !stored.declaration.isEmpty else { return true }
      func schema(_ declaration: String) -> Int64 {
        guard let json = try? JSONValue(parsing: Data(declaration.utf8)) else { return 0 }
        return json["schema"]?.int ?? 0
      }
      let (other, own) = (schema(stored.declaration), schema(declaration))
      return other < own || other == own && atOpening
    }

    func own(at head: Head) -> Stored {
      Stored(version: Int64(version), declaration: declaration, revision: head.revision.number, checksum: head.checksum.bytes)
    }

    /// Whether the rows are at a place.
    func isAt(_ head: Head, _ journal: PostgresJournal, _ run: ([Call]) async throws(RowFailure) -> [ServerAnswer]) async throws -> Bool {
      let sql = "SELECT FROM \(places) WHERE journal = $1 AND name = $2 AND declaration = $3 AND revision = $4 AND checksum = $5"
      let own = own(at: head)
      let parameters = Parameters(
        .number(journal.number), .text(name), .text(own.declaration), .number(own.revision), .bytes(own.checksum))
      return try await run([Call(sql, parameters)])[0].rowCount == 1
    }

    /// Translates a failure of the server.
    func explained(_ failure: RowFailure) -> any Error {
      switch failure.state {
      case "42P01", "3F000", "42703", "42804":
        RowsError.notSetUp("the schema '\(schema)' does not have the tables of the rows '\(name)', or something else has changed them")
      case "42501": RowsError.notSetUp("this role lacks a right to the tables of the rows '\(name)' in the schema '\(schema)'")
      case "21000", "23505":
        RowsError.declaration("two rows of a table have one id, which is a text: ids such as 1 and \"1\" are not different there")
      default: failure.error
      }
    }

    // MARK: - Moving

    /// The row of a journal without rows.
    func beginning(_ journal: Int64) -> Call {
      Call(
        "INSERT INTO \(places) VALUES ($1, $2, $3, '', 0, '') ON CONFLICT DO NOTHING",
        Parameters(.number(journal), .text(name), .number(Int64(version))))
    }

    /// That row.
    var unmade: Stored { Stored(version: Int64(version), declaration: "", revision: 0, checksum: Data()) }

    /// Moves the place, and keeps its row locked. It fails with a division by zero if the place is another one or is locked, or if the journal does
    /// not have the new place.
    func fence(_ journal: Int64, from old: Stored, to head: Head) -> Call {
      let new = own(at: head)
      var parameters = Parameters(
        .number(journal), .text(name), .number(old.version), .text(old.declaration), .number(old.revision), .bytes(old.checksum),
        .number(new.revision), .bytes(new.checksum))
      // The form is a long text, which an append does not change.
      guard (old.version, old.declaration) != (new.version, new.declaration) else { return Call(fences.alone, parameters) }
      parameters.add(.number(new.version))
      parameters.add(.text(new.declaration))
      return Call(fences.withForm, parameters)
    }

    /// The statements that lead from one state to another.
    ///
    /// - Throws: `RowsAreForeign` if too many rows differ.
    func steps(from older: State, to newer: State) throws -> [PostgresSteps] {
      let limit = RowTable.limit(of: declared, in: newer)
      return try tables.map { source, table in
        var steps = PostgresSteps(table)
        try source.lists(from: older, to: newer, limit: limit) { try steps.add($0) }
        return steps
      }
    }

    /// Makes all rows of a state.
    ///
    /// - Parameter run: Sends statements in the transaction.
    func make(_ state: State, _ journal: Int64, _ run: ([Call]) async throws(RowFailure) -> [ServerAnswer]) async throws {
      for (source, table) in tables {
        _ = try await run([Call(table.sql.clearing, Parameters(.number(journal)))])
        var chunks: [RowArrays] = []
        var rows = RowArrays(table.keys.count + table.columns.count + 2)
        try source.rows(of: state) { row, index in
          rows.add(try table.values(row) + [.number((Int64(index) + 1) * PostgresTable.SQL.gap)])
          guard rows.bytes > 1 << 20 else { return }
          chunks.append(rows)
          rows = RowArrays(table.keys.count + table.columns.count + 2)
        }
        for chunk in chunks + [rows] where !chunk.isEmpty { _ = try await run(chunk.call(table.sql.filling, journal)) }
      }
    }

    /// Compares all rows with a state.
    ///
    /// - Throws: ``/AlterRows/RowsError`` `differs`.
    func verify(_ state: State, _ journal: Int64, _ run: ([Call]) async throws(RowFailure) -> [ServerAnswer]) async throws {
      for (source, table) in tables {
        func differs(_ key: [RowValue], _ reason: String) -> RowsError {
          .differs(table: table.name, key: key.map(\.text).joined(separator: ", "), reason)
        }
        var chunks: [(rows: RowArrays, keys: [(key: [RowValue], isFirst: Bool)])] = []
        func fresh() -> RowArrays { RowArrays(table.keys.count + table.columns.count + 1) }
        chunks.append((fresh(), []))
        try source.rows(of: state) { row, index in
          if chunks[chunks.count - 1].rows.bytes > 1 << 20 { chunks.append((fresh(), [])) }
          chunks[chunks.count - 1].rows.add(try table.values(row))
          chunks[chunks.count - 1].keys.append((row.key, index == 0))
        }
        var last = Int64.min
        for (rows, keys) in chunks where !keys.isEmpty {
          let answer = try await run(rows.call(table.sql.comparison, journal))[0]
          guard answer.rowCount == keys.count else { throw differs([], "rows are missing") }
          for (row, key) in keys.enumerated() {
            guard let position = answer.number(row, 0) else {
              throw differs(key.key, "the row is missing, or has other values than the state")
            }
            guard key.isFirst || position > last else { throw differs(key.key, "it is not in the order of the state") }
            last = position
          }
        }
        let count = try await run([Call(table.sql.count, Parameters(.number(journal)))])[0].number(0, 0)
        guard count == Int64(chunks.reduce(0) { $0 + $1.keys.count }) else {
          throw differs([], "there are rows that the state does not have")
        }
      }
    }
  }
#endif
