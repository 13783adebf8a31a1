#if Postgres
  import AlterCore
  import AlterPostgres
  import AlterRows

  /// A table of rows in PostgreSQL: its columns, and its statements.
  struct PostgresTable: Sendable {
    let name: String
    let keys: [PostgresKey]
    let columns: [PostgresColumn]
    let indexes: [[String]]
    let sql: SQL

    /// A statement that moves rows: for one row, whose values are parameters, and for any number, with an array for each column.
    ///
    /// Most changes concern one row of a table. A server takes a third of the time for it without arrays (`Design/0013-performance.md`).
    struct Step: Sendable {
      let one: String
      let many: String
    }

    /// The statements. They are composed once. Those that change rows fail with a division by zero if a row is missing.
    struct SQL: Sendable {
      /// $1: journal, then the keys. Deletes rows.
      let deletion: Step
      /// $1: journal, the old ids, the new keys, the columns. Changes rows.
      let update: Step
      /// $1: journal, the keys, the columns, the places (see ``PostgresSteps/Arrivals``). Inserts rows, and replaces those that something else has written.
      let insertion: Step
      /// $1: journal, the keys, the places. Moves rows.
      let placement: Step
      /// $1: journal, the keys, the columns, the positions. Inserts rows of a table without any.
      let filling: String
      /// $1: journal. Deletes all rows.
      let clearing: String
      /// $1: journal. Spreads the positions of all rows again, in their order.
      let spreading: String
      /// $1: journal, the keys, the columns. Returns the positions of the rows that have these values, and NULL for the others, in order.
      let comparison: String
      /// $1: journal. Counts the rows.
      let count: String
    }

    init<State>(_ table: RowTable<State>, in schema: String) {
      let keys = table.keyFields.map { PostgresKey($0) }
      let columns = table.fields.map { field in
        // An index row may have 2,704 bytes.
        let widest = table.index.filter { $0.contains(field.column) }.map { 2_000 / $0.count - 100 }.min()
        return PostgresColumn(name: field.column, kind: field.kind, limit: widest.map { max($0, 0) })
      }
      (name, self.keys, self.columns) = (table.name, keys, columns)
      indexes = [keys.dropLast().map(\.name) + ["position"]] + table.index
      sql = SQL("\(schema.quoted).\(table.name.quoted)", keys, columns)
    }

    /// The statements that create the table.
    func creation(in schema: String) -> [String] {
      let table = "\(schema.quoted).\(name.quoted)"
      let parts =
        ["journal bigint NOT NULL"] + keys.map { "\($0.name.quoted) \($0.type) NOT NULL" } + ["\"position\" bigint NOT NULL"]
        + columns.map { "\($0.name.quoted) \($0.type)" } + ["beyond jsonb"]
      let key = (["journal"] + keys.map(\.name.quoted)).joined(separator: ", ")
      return ["CREATE TABLE \(table) (\(parts.joined(separator: ", ")), PRIMARY KEY (\(key)))"]
        + indexes.map { "CREATE INDEX ON \(table) (journal, \($0.map(\.quoted).joined(separator: ", ")))" }
    }

    /// Checks that PostgreSQL can have the table.
    ///
    /// - Throws: ``/AlterRows/RowsError`` `declaration`.
    static func check<State>(_ table: RowTable<State>) throws {
      func refuse(_ reason: String) -> RowsError { .declaration("table '\(table.name)': \(reason)") }
      guard table.search.isEmpty else { throw refuse("a search index is for SQLite alone") }
      let names = table.key + table.columns
      let reserved: Set = ["journal", "beyond", "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]
      if let name = names.first(where: { reserved.contains($0.lowercased()) }) {
        throw refuse(
          "PostgreSQL or the rows reserve the column '\(name)'. Name the columns: columns: [StoredField(\"\(name)\", column: \"…\"), …]")
      }
      if let name = (names + [table.name]).first(where: { $0.utf8.count > 63 }) {
        throw refuse("PostgreSQL's names have at most 63 bytes, and '\(name)' has more")
      }
      guard table.name.lowercased() != "alter_rows_late" else { throw refuse("the name is reserved") }
      try table.check()
    }
  }

  extension PostgresTable.SQL {
    /// The distance between two rows that are appended.
    static let gap: Int64 = 1 << 32

    init(_ table: String, _ keys: [PostgresKey], _ columns: [PostgresColumn]) {
      let (keyNames, names) = (keys.map(\.name.quoted), columns.map(\.name.quoted) + ["beyond"])
      func list(_ names: [String], of source: String = "") -> String { names.map { source + $0 }.joined(separator: ", ") }
      func arrays(_ count: Int, from first: Int = 2) -> String { (first..<first + count).map { "$\($0)" }.joined(separator: ", ") }
      func same(_ left: String, _ right: String) -> String { keyNames.map { "\(left).\($0) = \(right).\($0)" }.joined(separator: " AND ") }
      let parents = keyNames.dropLast()
      let id = keyNames[keyNames.count - 1]
      let atParent = { (left: String, right: String) in parents.map { "\(left).\($0) = \(right).\($0) AND " }.joined() }
      let settings = names.map { "\($0) = new.\($0)" }
      // The parameters from $2 on as a table: one row of values, or the rows of arrays.
      func step(_ columns: [String], _ sql: (_ rows: (String) -> String) -> String) -> PostgresTable.Step {
        let (values, names) = (arrays(columns.count), list(columns))
        return PostgresTable.Step(
          one: sql { "(SELECT \(values)) AS \($0) (\(names))" }, many: sql { "unnest(\(values)) AS \($0) (\(names))" })
      }
      // A division fails unless each of the parameters' rows has changed a row.
      func checked(_ step: PostgresTable.Step) -> PostgresTable.Step {
        func checked(_ sql: String, _ isWhole: String) -> String { "WITH done AS (\n\(sql)\nRETURNING 1)\nSELECT 1 / \(isWhole) FROM done" }
        return PostgresTable.Step(one: checked(step.one, "count(*)"), many: checked(step.many, "(count(*) = cardinality($2))::int"))
      }
      deletion = checked(
        step(keyNames) { rows in
          "DELETE FROM \(table) AS old USING \(rows("gone")) WHERE old.journal = $1 AND \(same("old", "gone"))"
        })
      update = checked(
        step([#""row""#] + keyNames + names) { rows in
          """
          UPDATE \(table) AS old SET \(list(["\(id) = new.\(id)"] + settings)) FROM \(rows("new"))
          WHERE old.journal = $1 AND \(atParent("old", "new"))old.\(id) = new."row"
          """
        })
      // The place of a row among those that arrive beside it, between two rows that were there before.
      let arrivals = [#""before""#, #""after""#, #""place""#, #""count""#]
      func neighbours(_ source: String) -> String {
        ["before", "after"].map { side in
          """
          LEFT JOIN \(table) AS "\(side)" ON "\(side)".journal = $1 AND \(atParent("\"\(side)\"", source))"\(side)".\(id) = \(source)."\(side)"
          """
        }.joined(separator: "\n")
      }
      // The divisions fail if a neighbour is missing, and if there is no room.
      let room = #"(("after"."position" - "before"."position") / (new."count" + 1))"#
      let position = """
        CASE
          WHEN new."before" IS NULL AND new."after" IS NULL THEN \(Self.gap) * new."place"
          WHEN new."after" IS NULL THEN "before"."position" + \(Self.gap) * new."place"
          WHEN new."before" IS NULL THEN "after"."position" - \(Self.gap) * (new."count" - new."place" + 1)
          ELSE "before"."position" + \(room) * new."place" + 0 * (1 / greatest(\(room), 0))
        END + 0 * (1 / ((new."before" IS NULL) = ("before"."position" IS NULL) AND (new."after" IS NULL) = ("after"."position" IS NULL))::int)
        """
      insertion = step(keyNames + names + arrivals) { rows in
        """
        INSERT INTO \(table) AS old (journal, \(list(keyNames + names)), "position")
        SELECT $1, \(list(keyNames + names, of: "new.")), \(position)
        FROM \(rows("new"))
        \(neighbours("new"))
        ON CONFLICT (journal, \(list(keyNames))) DO UPDATE SET \(list((names + ["\"position\""]).map { "\($0) = excluded.\($0)" }))
        """
      }
      placement = checked(
        step(keyNames + arrivals) { rows in
          """
          UPDATE \(table) AS old SET "position" = moved."position"
          FROM (SELECT \(list(keyNames, of: "new.")), \(position) AS "position"
            FROM \(rows("new"))
            \(neighbours("new"))) AS moved
          WHERE old.journal = $1 AND \(same("old", "moved"))
          """
        })
      filling = """
        INSERT INTO \(table) (journal, \(list(keyNames + names)), "position")
        SELECT $1, new.* FROM unnest(\(arrays(keys.count + names.count + 1))) AS new
        """
      clearing = "DELETE FROM \(table) WHERE journal = $1"
      let window = parents.isEmpty ? "" : "PARTITION BY \(list(Array(parents))) "
      spreading = """
        UPDATE \(table) AS old SET "position" = spread."place" * \(Self.gap)
        FROM (SELECT \(list(keyNames)), row_number() OVER (\(window)ORDER BY "position") AS "place" FROM \(table) WHERE journal = $1) AS spread
        WHERE old.journal = $1 AND \(same("old", "spread"))
        """
      // Texts that are equal in Swift may have other bytes.
      func normal(_ name: String, _ type: String) -> String {
        type == "text" ? "normalize(\(name))" : type == "jsonb" ? "normalize(\(name)::text)" : name
      }
      let types = columns.map(\.type) + ["jsonb"]
      let equal = zip(names, types).map { "\(normal("old." + $0, $1)) IS NOT DISTINCT FROM \(normal("new." + $0, $1))" }
      let matching = (zip(keyNames, keys.map(\.type)).map { "\(normal("old." + $0, $1)) = \(normal("new." + $0, $1))" } + equal)
        .joined(separator: " AND ")
      comparison = """
        SELECT old."position" FROM unnest(\(arrays(keys.count + names.count))) WITH ORDINALITY AS new (\(list(keyNames + names)), "place")
        LEFT JOIN \(table) AS old ON old.journal = $1 AND \(matching) ORDER BY new."place"
        """
      count = "SELECT count(*) FROM \(table) WHERE journal = $1"
    }
  }
#endif
