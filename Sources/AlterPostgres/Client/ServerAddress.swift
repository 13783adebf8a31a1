#if Postgres
  import AlterJournal
  import CLibPQ

  extension PostgresServer: CustomStringConvertible {
    /// The name of the database in errors: its URL without user and password. A host or a port that can't be one is omitted: a special
    /// character in a password makes a part of it look like that.
    public var description: String {
      guard let fields = parse() else { return "postgres" }
      if let service = fields["service"], fields["host"] == nil { return "postgres service '\(service)'" }
      let host = Connector.isInvalid(fields) ? "" : fields["host"] ?? fields["hostaddr"] ?? ""
      var name = "postgres://"
      // A path instead of a host is the folder of a Unix socket.
      if !host.hasPrefix("/") { name += host }
      if let port = fields["port"], !Connector.isInvalid(fields) { name += ":\(port)" }
      name += "/\(fields["dbname"] ?? "")"
      if host.hasPrefix("/") { name += "?host=\(host)" }
      return name
    }

    /// Throws `unreachable` if libpq can't be loaded.
    func check() throws(JournalError) {
      #if os(Linux)
        if let reason = alter_libpq_load() {
          throw JournalError(
            .unreachable, journal: description,
            message: """
              can't be opened: PostgreSQL's client library can't be loaded (\(String(cString: reason))). Install version 14 or newer \
              (Debian's package is 'libpq5'), and start the program again.
              """)
        }
      #endif
    }

    /// Parses the address: values by libpq's keywords, or nil if it is invalid.
    private func parse() -> [String: String]? {
      // Without '=' and a scheme the address is the name of a database.
      guard address.contains("=") || address.contains("://") else { return address.isEmpty ? [:] : ["dbname": address] }
      var complaint: UnsafeMutablePointer<CChar>?
      let options = PQconninfoParse(address, &complaint)
      defer {
        PQconninfoFree(options)
        PQfreemem(complaint)
      }
      return options.map(Connector.values)
    }
  }
#endif
