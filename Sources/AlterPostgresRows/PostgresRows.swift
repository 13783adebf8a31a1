#if Postgres
  public import AlterCore
  import AlterJournal
  import AlterPostgres
  public import AlterRows
  public import AlterStore

  /// The state of a store as tables of PostgreSQL, in a schema of the app, in the database of its journal.
  ///
  /// ```swift
  /// let store = try await Store.open(Board(), in: PostgresJournal(at: address, key: "board 7"))
  /// let rows = try await PostgresRows(of: store, schema: "board", version: 1) {
  ///   RowTable("card", each: \.cards, index: [["isDone", "due"]])
  ///   RowTable("label", each: \.cards, \.labels)
  /// }
  /// ```
  ///
  /// Rows move in the transaction that appends the entry: both are visible at the same moment, or neither. Any client of the server reads them: `psql`,
  /// a report, another program. They are for reading; the next change of an element replaces its row.
  ///
  /// ## Tables
  ///
  /// The declarations are those of SQLite, without a search index. A table has the rows of all journals: its first column is `journal`, the number
  /// of the journal in `alter.journal`. Then it has `id` (and `parent`), `position`, the columns, and `beyond`.
  ///
  /// | kind of the field | column |
  /// |---|---|
  /// | `text` | `text`, with `␀0` for U+0000, which PostgreSQL can't hold, and `␀␀` for `␀` |
  /// | `integer` | `bigint` |
  /// | `real` | `double precision`: a `Decimal` is rounded to it |
  /// | `boolean` | `boolean` |
  /// | `date` | `timestamptz`, truncated to milliseconds |
  /// | `data` | `bytea` |
  /// | `uuid` | `uuid` |
  /// | `other` | `jsonb`, with texts as above |
  ///
  /// A field that the declaration names without a kind is of the kind `other`.
  ///
  /// A value that its column can't hold is NULL there, and `beyond` has its stored form: an object of texts by the names of the columns. Such values are
  /// whole numbers beyond 64 bits, years outside 0 to 9999, JSON with numbers of more than 1,000 digits, and texts of
  /// indexed columns that are longer than about 1,900 bytes. An `id` is a `bigint`, a `uuid` or a `text`; of a text of more than 400 bytes
  /// it has the first ones and a hash.
  ///
  /// The owner of the database creates the tables by the SQL that ``setup(schema:journals:name:version:tables:)`` returns: `docs/postgres.md` has the rights.
  ///
  /// ## Late rows
  ///
  /// Rows are late, and never wrong, when a program without them, or an older version of the app, has appended; after a change of
  /// more than 16 MiB of rows; and while the server refuses them. The store appends in any case. ``PostgresRows`` then moves the rows in a transaction
  /// of its own, and from the next append on they move with the entries again. The view `alter_rows_late` lists late ones. ``current()`` waits for them.
  ///
  /// - Complexity: A change of k elements costs O(k log n), in the round trip of its append. When 32 rows were inserted at one place, the list's positions
  ///   are spread again: O(rows of the table).
  public final class PostgresRows<State: Alterable>: Sendable {
    private let advance: PostgresAdvance<State>
    private let follower: Task<Void, Never>

    /// Begins to keep rows of a store, and brings them up to date.
    ///
    /// - Parameters:
    ///   - store: A store of a ``/AlterPostgres/PostgresJournal``. It can have one `PostgresRows`.
    ///   - schema: The schema of the tables.
    ///   - name: Tells the declarations of one schema apart.
    ///   - version: Counts the declarations: raise it with each change of `tables`. A build with a lower version than the tables' writes nothing.
    ///   - tables: The tables.
    /// - Throws: ``/AlterRows/RowsError``: `declaration` if the store or PostgreSQL can't have the rows; `notSetUp` if the tables or rights are
    ///   missing; `outdated` if a newer build has set up the tables; an error of the journal if the server can't be reached.
    public init(
      of store: Store<State>, schema: String, name: String = "rows", version: Int, @RowTableBuilder<State> tables: () -> [RowTable<State>]
    ) async throws {
      guard let journal = store.plainJournal?.capabilities.groups as? PostgresJournal else {
        throw RowsError.declaration("the store's journal is no PostgresJournal, or a type that wraps one and has no groups")
      }
      guard !journal.isReadOnly else { throw RowsError.declaration("the store's journal was opened for reading only") }
      guard try await journal.role() != .server else {
        throw RowsError.declaration("a server decides the journal: rows in PostgreSQL are for journals that stores write")
      }
      let tables = try PostgresTables(name, version: version, schema: schema, journals: journal.schema, tables())
      let advance = PostgresAdvance(store, journal, tables)
      try await advance.run(isOpening: true)
      guard store.moveRows(by: advance) else {
        throw RowsError.declaration("the store has other rows in PostgreSQL")
      }
      self.advance = advance
      follower = Task.detached { await advance.follow() }
    }

    deinit {
      follower.cancel()
      advance.store.stopMovingRows(by: advance)
    }

    /// Whether the rows are those of the state, as far as this process knows, and the reason if they are not. Reading it waits for nothing.
    public var status: RowsStatus { advance.status }

    /// Waits until the rows are those of everything that was confirmed before the call, or of a later state.
    ///
    /// - Throws: The reason why the rows can't be brought up to date: an error of the journal, or ``/AlterRows/RowsError``.
    public func current() async throws { try await advance.run() }

    /// Compares all rows with the state at their place.
    ///
    /// - Throws: ``/AlterRows/RowsError`` `differs` with the table and the key of a row that is not the state's; the errors of ``current()``.
    /// - Complexity: O(rows · log rows). Writers do not wait.
    public func verify() async throws { try await advance.verify() }

    /// Ends the moving of rows. The store stays open, and its next appends leave the rows late.
    public func close() async {
      follower.cancel()
      await follower.value
      advance.store.stopMovingRows(by: advance)
      try? await advance.run()
      advance.close()
    }

    /// Returns the SQL that creates the tables, for their owner: run it before the first store, and again with each new version. It changes nothing if
    /// the tables are those of the declaration. Otherwise it drops the tables of the earlier one, and stores make all rows again.
    ///
    /// - Parameters:
    ///   - schema: The schema of the tables. It is created if it is missing.
    ///   - journals: The schema of the journals, which must be there.
    ///   - name: The name of the declaration.
    ///   - version: The version of the declaration.
    ///   - tables: The tables.
    /// - Throws: ``/AlterRows/RowsError`` `declaration`.
    public static func setup(
      schema: String, journals: String = "alter", name: String = "rows", version: Int,
      @RowTableBuilder<State> tables: () -> [RowTable<State>]
    ) throws -> String {
      try PostgresTables(name, version: version, schema: schema, journals: journals, tables()).setup
    }
  }
#endif
