#if Inspector && SQLite
  import AlterInspector
  import AlterJournal
  import AlterRows
  import ArgumentParser
  import GRDB

  /// `rows`: the places of the rows in a database, compared with their journal.
  struct RowsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rows", abstract: "Show how far the rows (AlterRows) in a SQLite database are behind their journal.",
      discussion: """
        Rows follow a journal while a store with Rows is open. Rows that stay behind, or belong to another journal, are brought up to date when \
        one is opened. The command reads the place of the rows, and not the rows.

        Example:
          alter rows todo.db todo-rows.db
        """)

    @OptionGroup var source: JournalSource
    @Argument(help: ArgumentHelp("The SQLite database with the rows.", valueName: "database"), completion: .file()) var database: String
    @OptionGroup var printing: PrintingOptions

    /// A line of `--json`.
    private struct Output: Encodable {
      let name: String
      let version: Int
      let tables: [String]
      let revision: Int64?
      let head: Int64
      /// Nil if the rows are of another journal or history. Negative if they are ahead of the journal.
      let behind: Int?
    }

    func run() async throws {
      CommandOutput.begin()
      do {
        let journal = try await JournalSource.journal(at: source.location, key: source.key)
        do { try await compare(with: journal) } catch {
          await journal.close()
          throw error
        }
        await journal.close()
      } catch {
        guard let (message, status) = Self.told(error) else { throw error }
        CommandOutput.complain(message)
        throw ExitCode(status)
      }
    }

    private func compare(with journal: any Journal) async throws {
      var configuration = Configuration()
      configuration.readonly = true
      let records = try await DatabaseQueue(path: database, configuration: configuration).read { try RowsRecord.all(in: $0) }
      let head = try await journal.head().revision.number
      if records.isEmpty, !printing.json { try CommandOutput.print("The database has no rows.") }
      for record in records {
        let relation = try await record.relation(to: journal)
        if printing.json {
          let behind: Int? =
            switch relation {
            case .behind(let count): count
            case .ahead(let count): -count
            case .foreign: nil
            }
          try CommandOutput.printJSON(
            Output(
              name: record.name, version: record.version, tables: record.tables, revision: record.head?.revision.number, head: head,
              behind: behind))
          continue
        }
        let place =
          switch relation {
          case .behind(0): "current, at revision \(head)"
          case .behind(let count): "\(count) of \(head) entries behind"
          case .ahead(let count): "\(count) entries ahead of the journal, which was restored from an older copy"
          case .foreign: "of another journal, or of another history of this one: the next store with these rows makes them again"
          }
        try CommandOutput.print(
          "\(record.name): \(place); version \(record.version), tables \(record.tables.joined(separator: ", "))"
            + (record.hasDrafts ? "; with changes that the server has not decided" : ""))
      }
    }

    private static func told(_ error: any Error) -> (message: String, status: Int32)? {
      switch error {
      case let error as RowsError: (error.description, CommandStatus.badData)
      case let error as DatabaseError:
        switch error.resultCode {
        case .SQLITE_CANTOPEN: ("can't open the database of the rows: it does not exist, or may not be read", CommandStatus.noSuchThing)
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
          ("the database of the rows is damaged, or another kind of file. Delete it: the rows are made again.", CommandStatus.badData)
        case .SQLITE_BUSY, .SQLITE_LOCKED: ("the database of the rows is being written: try again", CommandStatus.tryAgain)
        default: ("can't read the database of the rows: \(error.message ?? "\(error.resultCode)")", CommandStatus.ioError)
        }
      default: CommandOutput.told(error)
      }
    }
  }
#endif
