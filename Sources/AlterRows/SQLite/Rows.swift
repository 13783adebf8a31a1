#if SQLite
  public import AlterCore
  public import AlterJournal
  public import AlterStore
  public import GRDB

  /// The state of a store as tables of SQLite, in a database of the app.
  ///
  /// ```swift
  /// let pool = try DatabasePool(path: "board-rows.db")
  /// let rows = try await Rows(of: store, in: pool, version: 1) {
  ///   RowTable("card", each: \.cards, index: [["isDone", "due"]], search: ["title", "notes"])
  ///   RowTable("label", each: \.cards, \.labels)
  /// }
  /// let next = try await rows.read { try CardRow.order(Column("due")).limit(20).fetchAll($0) }
  /// ```
  ///
  /// Rows are a function of the confirmed state. Those of a synced journal show the visible state, with the changes that its server has not
  /// decided: an offline list must show them. They follow from the difference of two states, so undo, reset, imports, refusals, other processes
  /// and migrations need no code. They are for reading: the next change of an element replaces its row.
  ///
  /// ## Reading
  ///
  /// ``read(_:)`` waits for everything that was confirmed before the call, or is visible in a synced journal: after `durable()` it sees the change. The database itself can be
  /// read by any code of GRDB, observations included; its rows may be some milliseconds behind. They are never torn: at each
  /// moment they belong to one state that the store has had.
  ///
  /// ## The database
  ///
  /// The database must not be the journal's file; delete it at any time while no process has it open, and the rows are made again. It has one
  /// writer at a time: each process of an app makes its own `Rows` in it, with the same `name`. Rows of different journals have different names,
  /// or databases. A database that fails, is full, or is locked never fails the store: see ``status``.
  ///
  /// Rows keep their store alive until ``close()``.
  ///
  /// - Complexity: A change of k elements costs O(k log n), and one transaction for all changes that were confirmed meanwhile. If more than
  ///   1,000 rows and more than half of all differ, all rows are made again.
  public final class Rows<State: Alterable>: Sendable {
    private let advance: RowAdvance<State>
    private let follower: Task<Void, Never>

    /// Begins to keep rows of a store, and waits until they are current or the first attempt has failed: see ``status``.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - database: The database, open for writing.
    ///   - name: Tells the rows of several stores in one database apart.
    ///   - version: Counts the declarations: raise it with each change of `tables`. A build with a lower version than the stored one writes nothing.
    ///   - tables: The tables.
    /// - Throws: ``RowsError``: `declaration` or `nameTaken` if the database can't have the tables.
    public init(
      of store: Store<State>, in database: any DatabaseWriter, name: String = "rows", version: Int,
      @RowTableBuilder<State> tables: () -> [RowTable<State>]
    ) async throws {
      let advance = RowAdvance(store, database, try RowDatabase(name, version: version, tables()))
      self.advance = advance
      do { try await advance.run() } catch {
        if case .nameTaken? = error as? RowsError { throw error }
      }
      follower = Task.detached { await advance.follow() }
    }

    deinit { follower.cancel() }

    /// Whether the rows are those of the state, and the reason if they are not. Reading it waits for nothing.
    public var status: RowsStatus { advance.status }

    /// Reads the rows of everything that was confirmed before the call, and of a synced journal also of everything that is visible.
    ///
    /// - Parameter value: Reads the database.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure; the reason why the rows can't be brought up to date: an error of the database or of the journal, or
    ///   ``RowsError``.
    public func read<Value: Sendable>(_ value: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
      try await advance.read(value)
    }

    /// Reads the rows of a place of a journal without a store: for a program that starts, reads and ends.
    ///
    /// ```swift
    /// let found = try await Rows<Board>.read(at: journal.head(), in: queue, version: 1, tables: Board.tables) { try find($0) }
    /// ```
    ///
    /// A store reads the journal's newest snapshot and the entries after it. This reads no entry: rows are used if they are those of the place.
    /// Otherwise open the store, and let ``init(of:in:name:version:tables:)`` bring them up to date.
    ///
    /// - Parameters:
    ///   - head: The place: the head of a journal that is not synced.
    ///   - database: The database; reading is sufficient.
    ///   - name: The name of the rows.
    ///   - version: The version of the declaration.
    ///   - tables: The tables.
    ///   - value: Reads the database, in the transaction in which the place was compared.
    /// - Returns: The result of the closure; nil if the database does not have the rows of the place, in tables that this declaration has made.
    /// - Throws: The error of the closure or of the database; ``RowsError`` `declaration`.
    public static func read<Value: Sendable>(
      at head: Head, in database: any DatabaseReader, name: String = "rows", version: Int,
      @RowTableBuilder<State> tables: () -> [RowTable<State>], _ value: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value? {
      let rows = try RowDatabase(name, version: version, tables())
      let place = RowPlace(head, drafts: nil)
      return try await database.read { try rows.isWhole(at: place, in: $0) ? value($0) : nil }
    }

    /// Compares all rows with the state.
    ///
    /// - Throws: ``RowsError`` `differs` with the table and the key of a row that is not the state's; the errors of ``read(_:)``.
    /// - Complexity: O(rows · log rows). The database takes no other writes meanwhile.
    public func verify() async throws { try await advance.verify() }

    /// Removes the bytes of deleted rows from the database, its log and its search indexes.
    ///
    /// Call it after a person's data was erased from the journal.
    ///
    /// - Throws: The errors of ``read(_:)``; `SQLITE_BUSY` while another connection reads the database.
    /// - Complexity: O(bytes of the database).
    public func vacuum() async throws { try await advance.vacuum() }

    /// Ends the following, after one attempt to write the rows of everything that was confirmed. The database and the store stay open.
    public func close() async {
      follower.cancel()
      await follower.value
      try? await advance.run()
      advance.close()
    }
  }
#endif
