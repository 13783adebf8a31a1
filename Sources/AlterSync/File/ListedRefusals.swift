#if SQLite
  import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterSyncCore

  /// The refused changes that a store lists, as the file has them. Only the rows that are new since the last reading are decoded.
  package struct ListedRefusals<State: Journaled>: Sendable {
    private struct Row: Sendable {
      let place: Int64
      /// The change; nil if this version of the app cannot read it. It stays in the file.
      let change: RefusedChange<State>?
    }

    private var rows: [Row] = []
    /// The changes, in order.
    package private(set) var changes: [RefusedChange<State>] = []

    package init() {}

    /// Follows the file.
    ///
    /// - Complexity: O(new rows); O(rows) if rows have left the list.
    package mutating func follow(_ tables: MirrorTables, decode: (Entry.Draft) throws -> (Record<State>, Cause)) throws {
      let fresh = try tables.items(of: .refusals, after: rows.last?.place ?? -1).map { item in
        let decoded = try? decode(item.draft)
        return Row(
          place: item.place,
          change: decoded.map { RefusedChange($0.0, code: item.verdict ?? "", reason: item.reason, requires: $0.1.requires) })
      }
      if try tables.count(of: .refusals) != rows.count + fresh.count {
        let places = Set(try tables.places(of: .refusals))
        rows.removeAll { !places.contains($0.place) }
        changes = rows.compactMap(\.change)
      }
      rows += fresh
      changes += fresh.compactMap(\.change)
    }
  }
#endif
