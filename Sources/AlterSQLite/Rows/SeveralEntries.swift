#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  /// Inserts a group of entries with one statement: the start of a statement, and finding the end of a table and of its index, take longer
  /// than a row does. Used on its connection's queue only.
  final class SeveralEntries {
    /// The number of entries in a group. Twice as many would save another 4 %.
    static let count = 16

    private let buffer = BindBuffer()
    /// Prepared at the first group, because a program that makes a few changes never needs it.
    private var statement: PreparedStatement?

    /// Inserts the first drafts.
    ///
    /// SQLite keeps the pages that a statement changes in memory, in case the statement fails: so the group has at most the bytes of a buffer.
    ///
    /// - Returns: Their number, and the head after them; nil if there are too few, if they are too large, or if one of them is refused. Then
    ///   nothing was inserted.
    func insert(
      _ drafts: ArraySlice<Entry.Draft>, of journal: Int64, after head: Head, in database: Database
    ) throws -> (count: Int, end: Head)? {
      let group = drafts.prefix(Self.count)
      guard group.count == Self.count, group.reduce(0, { $0 + Self.size(of: $1) }) <= BindBuffer.capacity else { return nil }
      let statement = try self.statement ?? database.prepared(EntryRow.insertion(rows: Self.count), keeping: buffer)
      self.statement = statement
      var end = head
      var place: Int32 = 1
      for draft in group {
        let entry = Entry(draft, after: end)
        EntryRow.bind(entry, journal: journal, to: statement, at: place)
        end = end.advanced(by: entry)
        place += EntryRow.count
      }
      do {
        try statement.run()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        return nil
      }
      return (Self.count, end)
    }

    /// The number of bytes of a draft in the buffer: its texts, its origin and its checksum.
    private static func size(of draft: Entry.Draft) -> Int {
      draft.scope.rawValue.utf8.count + draft.kind.rawValue.utf8.count + draft.payload.count + (draft.cause?.count ?? 0) + 32
    }
  }
#endif
