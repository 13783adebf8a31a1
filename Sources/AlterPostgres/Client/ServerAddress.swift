#if Postgres
  import AlterJournal
  import CLibPQ

  extension PostgresServer: CustomStringConvertible {
    /// The name of the database in errors: its URL without user and password.
    public var description: String {
      guard let fields = parse() else { return "postgres" }
      if let service = fields["service"], fields["host"] == nil { return "postgres service '\(service)'" }
      let host = fields["host"] ?? fields["hostaddr"] ?? ""
      var name = "postgres://"
      // A path instead of a host is the folder of a Unix socket.
      if !host.hasPrefix("/") { name += host }
      if let port = fields["port"] { name += ":\(port)" }
      name += "/\(fields["dbname"] ?? "")"
      if host.hasPrefix("/") { name += "?host=\(host)" }
      return name
    }

    /// Throws `unreachable` if the address is invalid, or if libpq can't be loaded. libpq's own message about an address is omitted, because
    /// it may quote a part of a password.
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
      guard parse() == nil else { return }
      throw JournalError(
        .unreachable, journal: description,
        message: """
          can't be opened: the address of its database is invalid. Write it as postgres://user@host:port/database or as \
          'host=… dbname=…'; in a URL, percent-encode special characters in the password.
          """)
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
      guard var option = options else { return nil }
      var fields: [String: String] = [:]
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val { fields[String(cString: keyword)] = String(cString: value) }
        option += 1
      }
      return fields
    }
  }
#endif
