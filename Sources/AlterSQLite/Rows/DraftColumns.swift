#if SQLite
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The columns of a draft: of an entry, and of each list of a device's outbox. They are declared, bound and read here alone.
  ///
  /// Texts are read and written as bytes. A damaged text may not be UTF-8, and the checksum must cover the bytes as they are.
  enum DraftColumns {
    /// The lines of a table's declaration.
    static let declaration = """
      time     INTEGER NOT NULL,  -- microseconds since 1970 UTC, by the maker's clock
        origin   BLOB NOT NULL,     -- who made it: 16 bytes
        sequence INTEGER NOT NULL,  -- its number there
        scope    TEXT NOT NULL,     -- whose undo takes it back
        schema   INTEGER NOT NULL,  -- which generation of payload
        kind     TEXT NOT NULL,     -- initial, changes, reset, undo, redo, refused
        payload  TEXT NOT NULL,     -- JSON
        cause    TEXT,              -- JSON
      """

    /// The number of columns.
    static let count: Int32 = 8

    /// Binds a draft to consecutive places.
    static func bind(_ draft: Entry.Draft, to statement: PreparedStatement, at place: Int32) {
      let origin = draft.id.origin.uuid.halves
      statement.bind(draft.time, at: place)
      statement.bind(blob: origin.high, origin.low, at: place + 1)
      statement.bind(draft.id.sequence, at: place + 2)
      statement.bind(text: draft.scope.rawValue, at: place + 3)
      statement.bind(Int64(draft.schema), at: place + 4)
      statement.bind(text: draft.kind.rawValue, at: place + 5)
      statement.bind(text: draft.payload, at: place + 6)
      if let cause = draft.cause { statement.bind(text: cause, at: place + 7) }
    }

    /// Reads a draft from consecutive columns, or describes the problem with them.
    static func draft(_ row: PreparedStatement, from column: Int32) -> Result<Entry.Draft, Complaint> {
      guard let time = row.number(column), let sequence = row.number(column + 2), let schema = row.number(column + 4) else {
        return .failure(Complaint("one of its numbers is invalid"))
      }
      guard let origin = row.origin(column + 1) else { return .failure(Complaint("its origin is invalid")) }
      guard let kind = row.text(column + 5).flatMap(Entry.Kind.init) else { return .failure(Complaint("its kind is unknown")) }
      return .success(
        Entry.Draft(
          kind: kind, id: EntryID(origin: origin, sequence: sequence), time: time, scope: UndoScope(rawValue: row.text(column + 3) ?? ""),
          schema: Int(clamping: schema), payload: row.data(column + 6) ?? Data(), cause: row.data(column + 7)))
    }

    /// The problem with a row.
    struct Complaint: Error {
      let text: String
      init(_ text: String) { self.text = text }
    }
  }
#endif
