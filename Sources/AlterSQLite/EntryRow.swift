#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// How entries lie in their table.
  ///
  /// Texts are read and written as their bytes (`CAST`): what is damaged may be no UTF-8 any more, and the checksum must see the bytes as they are.
  /// Nothing is taken for granted about a stored value's type: a damaged file may hold anything.
  enum EntryRow {
    static let columns = """
      revision, time, origin, sequence, CAST(scope AS BLOB), schema, CAST(kind AS BLOB), CAST(payload AS BLOB), CAST(cause AS BLOB), checksum
      """

    static let insertion = """
      INSERT INTO entry (journal, revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum)
      VALUES (?, ?, ?, ?, ?, CAST(? AS TEXT), ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?)
      """

    /// What ``insertion`` is filled with.
    static func arguments(_ entry: Entry, journal: Int64) -> StatementArguments {
      [
        journal, entry.revision.number, entry.time, bytes(of: entry.id.origin.uuid), entry.id.sequence,
        text(Data(entry.scope.rawValue.utf8)), Int64(entry.schema), entry.kind.rawValue, text(entry.payload),
        entry.draft.cause.map(text), entry.checksum.bytes,
      ]
    }

    /// Reads one row of ``columns``.
    ///
    /// - Returns: The entry, or in words what is wrong with the row.
    static func entry(_ row: Row) -> Result<Entry, Complaint> {
      func value<Value: DatabaseValueConvertible>(_ index: Int, as type: Value.Type = Value.self) -> Value? {
        Value.fromDatabaseValue(row[index] as DatabaseValue)
      }
      guard let revision = value(0, as: Int64.self), let time = value(1, as: Int64.self), let sequence = value(3, as: Int64.self),
        let schema = value(5, as: Int.self)
      else { return .failure(Complaint("one of its numbers is none")) }
      guard let origin = value(2, as: Data.self).flatMap(uuid(of:)) else { return .failure(Complaint("its origin is none")) }
      guard let kindText = value(6, as: Data.self), let kind = Entry.Kind(rawValue: String(decoding: kindText, as: UTF8.self)) else {
        return .failure(Complaint("its kind is none that exists"))
      }
      guard let checksum = value(9, as: Data.self).flatMap(Checksum.init(bytes:)) else {
        return .failure(Complaint("its checksum is none"))
      }
      let draft = Entry.Draft(
        kind: kind, id: EntryID(origin: Origin(origin), sequence: sequence), time: time,
        scope: UndoScope(rawValue: String(decoding: value(4, as: Data.self) ?? Data(), as: UTF8.self)), schema: schema,
        payload: value(7, as: Data.self) ?? Data(), cause: value(8, as: Data.self))
      return .success(Entry(revision: Revision(revision), draft: draft, checksum: checksum))
    }

    /// What is wrong with a row.
    struct Complaint: Error {
      let text: String
      init(_ text: String) { self.text = text }
    }

    static func bytes(of uuid: UUID) -> Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }

    static func uuid(of bytes: Data) -> UUID? {
      guard bytes.count == 16 else { return nil }
      return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Bytes to be stored as text. (An empty `Data` would be bound as NULL.)
    private static func text(_ bytes: Data) -> DatabaseValue { bytes.isEmpty ? "".databaseValue : bytes.databaseValue }
  }
#endif
