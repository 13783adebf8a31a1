#if SQLite
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows in a database, as it describes them itself: their place, without a store and without the state's type.
  package struct RowsRecord: Sendable, Hashable {
    /// The relation of a place to a journal.
    package enum Relation: Sendable, Hashable {
      /// The place is this number of entries behind the journal's head; 0 for the head itself.
      case behind(Int)
      /// The place is beyond the journal's head: the journal was restored from an older copy.
      case ahead(Int)
      /// The place is of another journal, or of another history of this one. The next store makes the rows again.
      case foreign
    }

    /// The name of the rows.
    package let name: String
    /// The version of their declaration.
    package let version: Int
    /// The names of their tables, without indexes. A search index is a table.
    package let tables: [String]
    /// The place of the rows; nil if it can't be read.
    package let head: Head?
    /// Whether the rows are of a synced journal: they also show changes that its server has not decided.
    package let hasDrafts: Bool

    /// Reads the rows that a database has.
    ///
    /// - Returns: The rows by their names, in order; none if no rows were ever kept in the database.
    /// - Throws: The error of the database; ``RowsError`` `nameTaken` if the database has a table `alter_rows` of another program.
    package static func all(in database: Database) throws -> [RowsRecord] {
      guard let sql = try String.fetchOne(database, sql: "SELECT sql FROM sqlite_master WHERE name = 'alter_rows'") else { return [] }
      guard sql == creation else { throw RowsError.nameTaken("alter_rows") }
      let statement = try RowStatement(
        "SELECT name, version, declaration, journal, revision, checksum, pending FROM alter_rows ORDER BY name", in: database)
      var records: [RowsRecord] = []
      _ = try statement.row { row in
        guard case .text(let name) = row[0], case .integer(let version) = row[1], case .text(let declaration) = row[2] else { return false }
        let place = RowPlace(columns: row[3...])
        records.append(
          RowsRecord(
            name: name, version: Int(clamping: version), tables: tables(of: declaration), head: place?.head, hasDrafts: place?.drafts != nil
          ))
        return false
      }
      return records
    }

    /// Compares the place with a journal.
    ///
    /// - Parameter journal: The journal. Reading is sufficient.
    /// - Returns: The relation. A place before the floor of a compacted journal counts as behind.
    /// - Throws: ``/AlterJournal/JournalError``.
    /// - Complexity: O(1): one entry is read.
    package func relation(to journal: any Journal) async throws(JournalError) -> Relation {
      let now = try await journal.head()
      guard let head, head.journal == now.journal else { return .foreign }
      let lag = Int(now.revision.number - head.revision.number)
      guard lag >= 0 else { return .ahead(-lag) }
      let found: Head?
      do throws(JournalError) { found = try await journal.head(at: head.revision, of: head.journal) } catch {
        guard error.code == .noSuchRevision else { throw error }
        return .behind(lag)
      }
      return found == head ? .behind(lag) : .foreign
    }

    /// The statement that creates the table of records.
    static let creation = """
      CREATE TABLE alter_rows (name TEXT PRIMARY KEY, version INTEGER, declaration TEXT, journal BLOB, revision INTEGER, checksum BLOB, \
      pending BLOB) STRICT
      """

    /// The names of the tables of a declaration; none if it can't be read.
    static func tables(of declaration: String) -> [String] {
      struct Declaration: Decodable { let tables: [String] }
      return (try? JournalCoding.decode(Declaration.self, from: Data(declaration.utf8)))?.tables ?? []
    }
  }
#endif
