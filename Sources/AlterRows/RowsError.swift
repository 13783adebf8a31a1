/// An error of rows. The store is unharmed by each of them.
public enum RowsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A database can't have the declared tables: the reason.
  case declaration(String)
  /// The database has an object of this name that rows did not make.
  case nameTaken(String)
  /// The rows were written by a newer version of the app, which is in use or was.
  case outdated(found: Int, own: Int)
  /// Another build of the app, whose state has another form, has written the rows under the same version.
  case otherBuild
  /// Elements of this type are not stored as an object, so they have no columns.
  case unusual(String)
  /// A row that was made by hand has another number of values than its table has columns.
  case width(table: String, Int, expected: Int)
  /// A row is not that of the state: its table, and its key as text.
  case differs(table: String, key: String, String)
  /// Another process has moved the rows further than this store can read the journal.
  case ahead
  /// A database server does not have the declared tables, or does not let this role write them: the reason.
  case notSetUp(String)
  /// The rows were closed.
  case closed

  /// The problem and the next step.
  public var description: String {
    switch self {
    case .declaration(let reason): reason
    case .nameTaken(let name):
      "the database has a table or view '\(name)' that rows did not make. Rename the table of the rows, or remove that one."
    case .outdated(let found, let own):
      """
      the rows have version \(found), and this build declares version \(own): a newer build has written them. Use the newer build, or delete the \
      database of the rows; they are made again.
      """
    case .otherBuild:
      """
      another build of the app has written the rows: its state has a newer schema, or another form under the same version. They stay its rows. Stop \
      the older build, or open the store again with the newer one.
      """
    case .unusual(let type): "\(type) is not stored as a JSON object, so its values have no columns. Make its table by hand."
    case .width(let table, let count, let expected): "table '\(table)': a row has \(count) values, and the table has \(expected) columns."
    case .differs(let table, let key, let reason):
      "table '\(table)', row \(key): \(reason). Something else has written to the table. Delete the database of the rows; they are made again."
    case .ahead: "the rows are ahead of this store, which does not read its journal any further."
    case .notSetUp(let reason):
      """
      \(reason). Let the owner of the tables run the SQL that PostgresRows.setup returns for this declaration, and grant this role its rights: \
      see 'Rows' in docs/postgres.md.
      """
    case .closed: "the rows were closed."
    }
  }
}
