#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB
  import GRDBSQLite

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Inserts a group of entries with one statement: the start of a statement, and finding the end of a table and of its index, take longer
  /// than a row does.
  ///
  /// The values are bound in a buffer of its own, so that SQLite copies none of them. Used on its connection's queue only.
  final class SeveralEntries {
    /// The number of entries in a group. Twice as many would save another 4 %.
    static let count = 16

    /// The bytes that the texts and blobs of a group may have. SQLite keeps the pages that a statement changes in memory, in case the statement
    /// fails.
    private static let capacity = 16 << 10

    private let tables: FileTables
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    /// Prepared at the first group, because a program that makes a few changes never needs it.
    private var statement: PreparedStatement?

    init(_ tables: FileTables) { self.tables = tables }

    deinit { buffer.deallocate() }

    /// Releases the statement. Call it before the connection is closed.
    func finalize() {
      statement?.finalize()
      statement = nil
    }

    /// Inserts the first drafts.
    ///
    /// - Returns: Their number, and the head after them; nil if there are too few, if they are too large, or if one of them is refused. Then
    ///   nothing was inserted.
    func insert(
      _ drafts: ArraySlice<Entry.Draft>, of journal: Int64, after head: Head, in database: Database
    ) throws -> (count: Int, end: Head)? {
      let group = drafts.prefix(Self.count)
      guard group.count == Self.count, group.reduce(0, { $0 + Self.size(of: $1) }) <= Self.capacity else { return nil }
      let statement = try prepared(in: database)
      var end = head
      var used = 0
      var place: Int32 = 1
      for draft in group {
        let entry = Entry(draft, after: end)
        bind(entry, of: journal, to: statement, at: place, used: &used)
        end = end.advanced(by: entry)
        place += EntryRow.insertedColumns
      }
      do {
        try statement.run()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        return nil
      }
      return (Self.count, end)
    }

    private func prepared(in database: Database) throws -> PreparedStatement {
      if let statement { return statement }
      let statement = try PreparedStatement(EntryRow.insertion(rows: Self.count, into: tables), in: database)
      self.statement = statement
      return statement
    }

    /// The number of bytes of a draft in the buffer: its texts, its origin and its checksum.
    private static func size(of draft: Entry.Draft) -> Int {
      draft.scope.rawValue.utf8.count + draft.kind.rawValue.utf8.count + draft.payload.count + (draft.cause?.count ?? 0) + 32
    }

    private func bind(_ entry: Entry, of journal: Int64, to statement: PreparedStatement, at place: Int32, used: inout Int) {
      let origin = entry.id.origin.uuid.halves
      statement.bind(journal, at: place)
      statement.bind(entry.revision.number, at: place + 1)
      statement.bind(entry.time, at: place + 2)
      statement.bind(blobInPlace: keep(origin.high, origin.low, &used), at: place + 3)
      statement.bind(entry.id.sequence, at: place + 4)
      statement.bind(textInPlace: keep(entry.scope.rawValue, &used), at: place + 5)
      statement.bind(Int64(entry.schema), at: place + 6)
      statement.bind(textInPlace: keep(entry.kind.rawValue, &used), at: place + 7)
      statement.bind(textInPlace: keep(entry.payload, &used), at: place + 8)
      if let cause = entry.draft.cause {
        statement.bind(textInPlace: keep(cause, &used), at: place + 9)
      } else {
        statement.bindNull(at: place + 9)
      }
      statement.bind(blobInPlace: keep(entry.checksum.high, entry.checksum.low, &used), at: place + 10)
    }

    private func keep(_ bytes: UnsafeRawBufferPointer, _ used: inout Int) -> UnsafeRawBufferPointer {
      // The place in the buffer is an address even for no bytes; SQLite would bind NULL for a missing one.
      let kept = buffer[used..<used + bytes.count]
      UnsafeMutableRawBufferPointer(rebasing: kept).copyMemory(from: bytes)
      used += bytes.count
      return UnsafeRawBufferPointer(start: buffer.baseAddress.map { $0 + kept.startIndex }, count: bytes.count)
    }

    private func keep(_ bytes: Data, _ used: inout Int) -> UnsafeRawBufferPointer { bytes.withUnsafeBytes { keep($0, &used) } }

    private func keep(_ high: UInt64, _ low: UInt64, _ used: inout Int) -> UnsafeRawBufferPointer {
      withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { keep($0, &used) }
    }

    private func keep(_ text: String, _ used: inout Int) -> UnsafeRawBufferPointer {
      var text = text
      return text.withUTF8 { keep(UnsafeRawBufferPointer($0), &used) }
    }
  }
#endif
