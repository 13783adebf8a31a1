#if SQLite
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The columns of the table of entries, and their conversion.
  ///
  /// Texts are read (by `CAST`) and written as bytes. A damaged text may not be UTF-8, and the checksum must cover the bytes as they are. A
  /// damaged file may hold a value of any type in any column, so each type is checked.
  enum EntryRow {
    static func columns(of tables: FileTables) -> String {
      """
      revision, time, origin, sequence, CAST(scope AS BLOB), schema, CAST(kind AS BLOB), CAST(payload AS BLOB), CAST(cause AS BLOB), checksum\
      \(tables.isSynced ? ", author, arrival" : "")
      """
    }

    /// The number of columns of ``insertion(rows:into:)`` in a row.
    static let insertedColumns: Int32 = 11

    /// The statement that inserts a number of entries without receipts.
    static func insertion(rows: Int, into tables: FileTables) -> String {
      """
      INSERT INTO \(tables.entry) (journal, revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum)
      VALUES \(Array(repeating: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", count: rows).joined(separator: ", "))
      """
    }

    /// The statement that inserts an entry with a receipt.
    static let insertionWithReceipt = """
      INSERT INTO \(FileTables.synced.entry)
        (journal, revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum, author, arrival)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """

    /// Runs ``insertion(rows:into:)`` of one row, or ``insertionWithReceipt``. Text is bound as bytes.
    static func insert(_ entry: Entry, journal: Int64, by statement: PreparedStatement) throws {
      let origin = entry.id.origin.uuid.halves
      statement.bind(journal, at: 1)
      statement.bind(entry.revision.number, at: 2)
      statement.bind(entry.time, at: 3)
      statement.bind(blob: origin.high, origin.low, at: 4)
      statement.bind(entry.id.sequence, at: 5)
      statement.bind(text: entry.scope.rawValue, at: 6)
      statement.bind(Int64(entry.schema), at: 7)
      statement.bind(text: entry.kind.rawValue, at: 8)
      statement.bind(text: entry.payload, at: 9)
      if let cause = entry.draft.cause { statement.bind(text: cause, at: 10) }
      statement.bind(blob: entry.checksum.high, entry.checksum.low, at: 11)
      if let receipt = entry.receipt {
        statement.bind(Int64(bitPattern: receipt.author.bits), at: 12)
        statement.bind(receipt.arrival, at: 13)
      }
      try statement.run()
    }

    /// Reads one row of ``columns(of:)``.
    ///
    /// - Returns: The entry, or a description of the problem with the row.
    static func entry(_ row: PreparedStatement, of tables: FileTables) -> Result<Entry, Complaint> {
      guard let revision = row.number(0), let time = row.number(1), let sequence = row.number(3), let schema = row.number(5) else {
        return .failure(Complaint("one of its numbers is invalid"))
      }
      guard let origin = row.words(2) else { return .failure(Complaint("its origin is invalid")) }
      guard let kind = row.text(6).flatMap(Entry.Kind.init) else { return .failure(Complaint("its kind is unknown")) }
      guard let checksum = row.words(9) else { return .failure(Complaint("its checksum is invalid")) }
      let draft = Entry.Draft(
        kind: kind, id: EntryID(origin: Origin(UUID(high: origin.high, low: origin.low)), sequence: sequence), time: time,
        scope: UndoScope(rawValue: row.text(4) ?? ""), schema: Int(schema), payload: row.data(7) ?? Data(), cause: row.data(8))
      var receipt: Receipt?
      if tables.isSynced {
        switch (row.number(10), row.number(11)) {
        case (let author?, let arrival?): receipt = Receipt(author: Pseudonym(bits: UInt64(bitPattern: author)), arrival: arrival)
        case (nil, nil): break
        default: return .failure(Complaint("its receipt is invalid"))
        }
      }
      return .success(
        Entry(
          revision: Revision(revision), draft: draft, receipt: receipt, checksum: Checksum(high: checksum.high, low: checksum.low)))
    }

    /// The problem with a row.
    struct Complaint: Error {
      let text: String
      init(_ text: String) { self.text = text }
    }

    static func bytes(of uuid: UUID) -> Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }

    static func uuid(of bytes: Data) -> UUID? {
      guard bytes.count == 16 else { return nil }
      return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
  }
#endif
