#if SQLite
  import AlterJournal
  import GRDB

  /// A connection for one long read, so that the other readers of the file do not wait for it.
  struct SeparateConnection {
    let path: String
    let name: String
    /// The use in errors, as in 'backed up'.
    let participle: String

    /// Opens the file for reading, and closes it afterwards.
    func use(_ body: (Database) throws -> Void) throws {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      configuration.journalMode = .default
      configuration.prepareDatabase { [name] in try FileFormat.distrust($0, name: name) }
      let location = try FileLocation(path, name: name)
      // A user who may not write the file must leave nothing beside it.
      let system: SQLiteFileSystem = location.isWritable ? .own : .guest
      let alone = location.isWritable ? nil : FileMoment(location)
      let database = try DatabaseQueue(path: system.uri(of: path, isImmutable: alone != nil, for: name), configuration: configuration)
      defer { try? database.close() }
      try database.inDatabase {
        try SQLiteFileSystem.check($0, name: name)
        try FileFormat.check($0, name: name)
        try body($0)
      }
      guard alone == nil || alone == FileMoment(location) else {
        throw JournalError(.locked, journal: name, message: "could not be \(participle): it was written to meanwhile. Try again.")
      }
    }
  }
#endif
