#if SQLite
  /// A table of rows in SQLite: its name, its columns, and the statements for it.
  struct TableLayout: Sendable {
    let name: String
    let key: [String]
    let columns: [String]
    let search: [String]
    /// The statements that create the table and its search index.
    let creation: [Definition]
    /// The statements that create its indexes.
    let indexes: [Definition]
    let statements: Statements

    struct Definition: Sendable {
      let name: String
      let sql: String
    }

    init<State>(_ table: RowTable<State>) {
      (name, key, columns, search) = (table.name, table.key, table.columns, table.search)
      statements = Statements(name, key: key, columns: columns, search: search)
      let (named, searchName) = (table.name.quoted, (table.name + "_search").quoted)
      let keys = key.map { "\($0.quoted) ANY NOT NULL" } + ["\("position".quoted) INTEGER NOT NULL"]
      let unique = key.count == 1 ? "" : ", UNIQUE (\(key.map(\.quoted).joined(separator: ", ")))"
      let all = ["\"row\" INTEGER PRIMARY KEY"] + (key.count == 1 ? [keys[0] + " UNIQUE"] + keys.dropFirst() : keys)
      let parts = all + table.columns.map { "\($0.quoted) ANY" }
      var creation = [Definition(name: name, sql: "CREATE TABLE \(named) (\(parts.joined(separator: ", "))\(unique)) STRICT")]
      if !search.isEmpty {
        let parts = search.map(\.quoted) + ["content=\(name.literal)", "content_rowid='row'"]
        creation.append(
          Definition(
            name: name + "_search", sql: "CREATE VIRTUAL TABLE \(searchName) USING fts5(\(parts.joined(separator: ", ")))"))
      }
      self.creation = creation
      // A nested list is read in its order, too.
      let lists = [Array(key.dropLast()) + ["position"]] + table.index
      indexes = lists.map { columns in
        let name = ([table.name, "by"] + columns).joined(separator: "_")
        return Definition(
          name: name, sql: "CREATE INDEX \(name.quoted) ON \(named) (\(columns.map(\.quoted).joined(separator: ", ")))")
      }
    }

    /// The definitions of all objects.
    var definitions: [Definition] { creation + indexes }

    /// The columns of the search index, as positions among the key and the columns.
    var searchPlaces: [Int] { search.map { name in (key + columns).firstIndex(of: name) ?? 0 } }

    /// A command to the search index.
    func searchCommand(_ command: String) -> String { "INSERT INTO \(searchTable) (\(searchTable)) VALUES (\(command.literal))" }
    /// Compares the search index with the table.
    var searchCheck: String { "INSERT INTO \(searchTable) (\(searchTable), rank) VALUES ('integrity-check', 1)" }
    /// Reads all rows: the key, the columns and the position.
    var selection: String { Statements.selection(name, key + columns) }
    /// Counts the rows.
    var size: String { "SELECT count(*) FROM \(name.quoted)" }

    private var searchTable: String { (name + "_search").quoted }

    /// The statements for one row. They are composed once: that would otherwise take longer than their execution.
    struct Statements: Sendable {
      /// Writes a row: its key, its position and its columns. A row that something else has written is replaced.
      let insertion: String
      /// Changes the key and the columns of the row with a key.
      let update: String
      /// Changes the position of the row with a key.
      let placement: String
      /// Reads the position of the row with a key.
      let position: String
      /// Deletes the row with a key.
      let deletion: String
      /// Adds the row with a key to the search index.
      let searchInsertion: String
      /// Removes the row with a key, and with the given texts, from the search index.
      let searchDeletion: String
      /// Reads the row with a key.
      let row: String

      init(_ name: String, key: [String], columns: [String], search: [String]) {
        func list(_ names: [String]) -> String { names.map(\.quoted).joined(separator: ", ") }
        func marks(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }
        let (table, searchTable) = (name.quoted, (name + "_search").quoted)
        let condition = key.map { "\($0.quoted) = ?" }.joined(separator: " AND ")
        let names = key + ["position"] + columns
        let replacements = (["position"] + columns).map { "\($0.quoted) = excluded.\($0.quoted)" }.joined(separator: ", ")
        insertion =
          "INSERT INTO \(table) (\(list(names))) VALUES (\(marks(names.count))) ON CONFLICT (\(list(key))) DO UPDATE SET \(replacements)"
        update = "UPDATE \(table) SET \((key + columns).map { "\($0.quoted) = ?" }.joined(separator: ", ")) WHERE \(condition)"
        placement = "UPDATE \(table) SET \"position\" = ? WHERE \(condition)"
        position = "SELECT \"position\" FROM \(table) WHERE \(condition)"
        deletion = "DELETE FROM \(table) WHERE \(condition)"
        searchInsertion =
          "INSERT INTO \(searchTable) (rowid, \(list(search))) SELECT \"row\", \(list(search)) FROM \(table) WHERE \(condition)"
        searchDeletion = """
          INSERT INTO \(searchTable) (\(searchTable), rowid, \(list(search))) SELECT 'delete', "row", \(marks(search.count)) FROM \(table) \
          WHERE \(condition)
          """
        row = "\(Self.selection(name, key + columns)) WHERE \(condition)"
      }

      static func selection(_ name: String, _ columns: [String]) -> String {
        "SELECT \(columns.map(\.quoted).joined(separator: ", ")), \"position\" FROM \(name.quoted)"
      }
    }
  }

  extension String {
    /// The name as an identifier of SQL.
    var quoted: String { "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" }
    /// The text as a literal of SQL.
    var literal: String { "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'" }
  }
#endif
