public import AlterCollections
public import AlterCore

/// The declaration of a table: the part of a state that its rows show.
///
/// ```swift
/// RowTable("card", each: \.cards, index: [["isDone", "due"]], search: ["title", "notes"])
/// RowTable("label", each: \.cards, \.labels)
/// RowTable("total", columns: ["name", "count"]) { [["open", .int($0.open)]] }
/// ```
///
/// ## Columns
///
/// A row is an element's stored form, divided at its top level: each field is a column of its name.
///
/// | stored | column |
/// |---|---|
/// | a text | TEXT |
/// | a number | INTEGER; REAL if it is the same number there; otherwise TEXT |
/// | `true`, `false` | 1, 0 |
/// | `null`, or absent | NULL |
/// | an object, an array | TEXT: its JSON |
/// | a `Date` | TEXT: `2026-12-01 09:30:00.250`, in UTC, truncated to milliseconds |
/// | `Data` | BLOB |
///
/// Beside them each table has `id`, the element's id, and `position`: `ORDER BY position` is the order of the collection. A nested table has
/// `parent`, too, the id of the element that contains the rows.
///
/// A row is written when its element differs by `==`. A property that `==` ignores may therefore be older in its row.
public struct RowTable<State: Alterable>: Sendable {
  package let name: String
  /// The columns that address a row: `id`, or `parent` and `id`.
  package let keyFields: [StoredField]
  /// The other columns, but for `position`.
  package let fields: [StoredField]
  package let index: [[String]]
  package let search: [String]
  package let source: any RowSource<State>
  /// Whether the columns were named, or the element's type describes fields.
  let isDescribed: Bool

  /// Declares a table with a row for each element of a collection.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - path: The collection in the state.
  ///   - columns: The fields that become columns; by default all of the element's stored fields. A type without the
  ///     macros must name them.
  ///   - index: The indexes: the names of the columns of each.
  ///   - search: The columns of the search index `NAME_search`, a table of FTS5; empty for none.
  public init<Element: Identifiable & Equatable & Encodable & Sendable>(
    _ name: String, each path: KeyPath<State, IdentityArray<Element>> & Sendable, columns: [StoredField]? = nil, index: [[String]] = [],
    search: [String] = []
  ) where Element.ID: Encodable & Sendable {
    let coder = (columns ?? RowTable.fields(of: Element.self)).map { RowCoder($0) }
    let id = StoredField("id", StoredField.Kind(ofKey: Element.ID.self))
    self.init(name, [id], coder?.fields, index, search, ListSource(path: path, coder: coder ?? RowCoder([])))
  }

  /// Declares a table with a row for each element of the collections that the elements of another collection contain.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - path: The collection of the outer elements in the state.
  ///   - inner: The collection in an outer element.
  ///   - columns: The fields that become columns; by default all of the inner element's stored fields.
  ///   - index: The indexes: the names of the columns of each.
  ///   - search: The columns of the search index `NAME_search`, a table of FTS5; empty for none.
  public init<Parent: Identifiable & Equatable & Sendable, Element: Identifiable & Equatable & Encodable & Sendable>(
    _ name: String, each path: KeyPath<State, IdentityArray<Parent>> & Sendable,
    _ inner: KeyPath<Parent, IdentityArray<Element>> & Sendable, columns: [StoredField]? = nil, index: [[String]] = [],
    search: [String] = []
  ) where Parent.ID: Encodable & Sendable, Element.ID: Encodable & Sendable {
    let coder = (columns ?? RowTable.fields(of: Element.self)).map { RowCoder($0) }
    let source = NestedSource(path: path, inner: inner, coder: coder ?? RowCoder([]))
    let key = [StoredField("parent", StoredField.Kind(ofKey: Parent.ID.self)), StoredField("id", StoredField.Kind(ofKey: Element.ID.self))]
    self.init(name, key, coder?.fields, index, search, source)
  }

  /// Declares a small table that a function makes: it is called, and its rows are compared, at each change of the state.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - columns: The columns, each written as its name or as a ``/AlterCore/StoredField`` with a kind, which is the type of the column in
  ///     PostgreSQL. The first one is the key: of rows with equal keys the last one counts.
  ///   - index: The indexes: the names of the columns of each.
  ///   - search: The columns of the search index `NAME_search`, a table of FTS5; empty for none.
  ///   - rows: A pure function that returns the rows, each with a value for each column.
  public init(
    _ name: String, columns: [StoredField], index: [[String]] = [], search: [String] = [],
    rows: @escaping @Sendable (State) -> [[RowValue]]
  ) {
    let source = HandSource(name: name, columns: columns, rows: rows)
    self.init(name, Array(columns.prefix(1)), Array(columns.dropFirst()), index, search, source)
  }

  private init(
    _ name: String, _ key: [StoredField], _ fields: [StoredField]?, _ index: [[String]], _ search: [String],
    _ source: any RowSource<State>
  ) {
    (self.name, keyFields, self.index, self.search, self.source) = (name, key, index, search, source)
    (self.fields, isDescribed) = (fields ?? [], fields != nil)
  }

  /// The names of the columns that address a row.
  package var key: [String] { keyFields.map(\.column) }
  /// The names of the other columns, but for `position`.
  package var columns: [String] { fields.map(\.column) }

  /// The fields of a type; nil if it describes none.
  private static func fields(of type: Any.Type) -> [StoredField]? {
    guard let fields = (type as? any StoredForm.Type)?.storedFields, !fields.isEmpty else { return nil }
    return fields
  }

  /// Checks that the database can have the table.
  ///
  /// - Throws: ``RowsError`` `declaration`.
  package func check() throws {
    let all = ["row", "position"] + key + columns
    func refuse(_ reason: String) -> RowsError { .declaration("table '\(name)': \(reason)") }
    guard !name.isEmpty, !name.lowercased().hasPrefix("sqlite_"), name.lowercased() != "alter_rows" else {
      throw refuse("the name is empty or reserved")
    }
    guard isDescribed else {
      throw refuse("the type of its elements describes no fields. Name them: columns: [\"title\", …]")
    }
    guard !key.isEmpty else { throw refuse("it has no columns") }
    var known: Set<String> = []
    for column in all where column.isEmpty || !known.insert(column.lowercased()).inserted {
      throw refuse("two columns are named '\(column)'. Name the columns: columns: [StoredField(\"\(column)\", column: \"…\"), …]")
    }
    for column in index.joined() where !all.contains(column) { throw refuse("it has no column '\(column)'") }
    for column in search where !(key + columns).contains(column) { throw refuse("it has no column '\(column)'") }
    for column in search where ["rank", "rowid"].contains(column.lowercased()) { throw refuse("FTS5 reserves the name '\(column)'") }
    guard all.count <= 1_000 else { throw refuse("it has more than 1,000 columns") }
    guard !(all + [name]).contains(where: { $0.utf8.contains(0) }) else { throw refuse("a name contains U+0000") }
  }
}

/// Collects the tables of a declaration.
@resultBuilder
public enum RowTableBuilder<State: Alterable> {
  /// Takes a table.
  public static func buildExpression(_ table: RowTable<State>) -> [RowTable<State>] { [table] }
  /// Joins tables.
  public static func buildBlock(_ tables: [RowTable<State>]...) -> [RowTable<State>] { tables.flatMap { $0 } }
}
