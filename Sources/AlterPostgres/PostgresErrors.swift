#if Postgres
  import AlterJournal

  // Translates the server's errors.
  extension JournalError {
    /// Translates a failure.
    ///
    /// - Parameters:
    ///   - failure: The failure of the server, or of the connection to it.
    ///   - name: The name of the journal.
    ///   - activity: The failed activity as a verb, as in 'append'.
    ///   - mayBeDone: Whether the outcome is unknown after a lost connection. It is not for reading.
    ///   - couldWrite: Whether the server could write when the journal was opened.
    static func translated(
      _ failure: ServerFailure, in name: String, doing activity: String, mayBeDone: Bool = false, couldWrite: Bool = false
    ) -> JournalError {
      switch failure {
      case .givenUp: return .cancelled(name)
      case .otherTables(let version): return .newerTables(name, version)
      case .lost(let isSent, let message):
        if isSent, mayBeDone {
          return JournalError(
            .unknownOutcome, journal: name,
            message: """
              lost the connection to its server while it tried to \(activity) (\(message)): the outcome is unknown. Retry the same call: it \
              applies nothing twice.
              """)
        }
        return JournalError(
          .unavailable, journal: name,
          message: "could not \(activity): the connection to the server was lost (\(message)). Nothing was written. Try again.")
      case .unconfirmed(let message):
        return JournalError(
          .unknownOutcome, journal: name,
          message: """
            can't be sure of an attempt to \(activity): the server committed it, but gave up waiting for its standby (\(message)), so that a failover \
            may undo it. Retry the same call: it waits for the standby, and applies nothing twice.
            """)
      case .unsuitable(let reason): return JournalError(.unreachable, journal: name, message: "could not \(activity): \(reason)")
      case .unconnected(let state, let message):
        return server(state ?? "08001", "the server can't be reached: \(message)", in: name, doing: activity)
      case .refused("25006", let message) where couldWrite:
        return JournalError(
          .unavailable, journal: name,
          message: """
            could not \(activity): the server accepted writes when the journal was opened, and is read-only now, as after a failover ('\(message)', 25006). \
            Nothing was written. Try again; with several hosts in the address, set target_session_attrs=read-write.
            """)
      case .refused(let state, let message):
        return server(state, "PostgreSQL says '\(message)' (\(state))", in: name, doing: activity)
      }
    }

    /// The error of tables that a newer version of Alter has made or changed.
    static func newerTables(_ name: String, _ version: Int64) -> JournalError {
      JournalError(
        .newerFormat, journal: name,
        message: """
          has tables of version \(version); this version of Alter supports tables up to version \(Tables.version). Nothing was changed. \
          Update the app.
          """)
    }

    /// The server has committed an append, perhaps without its standby.
    static func committedAlone(_ name: String, _ what: String) -> JournalError {
      JournalError(
        .unknownOutcome, journal: name,
        message: """
          can't be sure of an append: the server committed its entries, perhaps without the standby, and then \(what). Retry the same call: it \
          confirms the outcome, and applies nothing twice.
          """)
    }

    /// Translates PostgreSQL's error codes (appendix A of its documentation). After each of these errors nothing was written.
    private static func server(_ state: String, _ why: String, in name: String, doing activity: String) -> JournalError {
      func error(_ code: Code, _ advice: String) -> JournalError {
        JournalError(code, journal: name, message: "could not \(activity): \(why). \(advice)")
      }
      switch state {
      case "53100": return error(.full, "The server's disk is full. Nothing was written. Free some space there, then try again.")
      case "25006":
        return error(
          .readOnly,
          "This server is read-only: it is a standby, or its default is read-only. Connect to the primary (with several hosts, set target_session_attrs=read-write), or open with isReadOnly."
        )
      case "55P03": return error(.locked, "Another writer held the write lock for too long. Nothing was written. Try again.")
      case "57014":
        return error(
          .unavailable,
          "The statement was cancelled, by statement_timeout or by another session. Nothing was written. Try again, or raise the timeout.")
      case "53300": return error(.unavailable, "Try again, raise the server's max_connections, or use fewer connections per process.")
      case "54000":
        return error(
          .unencodable, "The data exceeds a limit of PostgreSQL. Nothing was written. Make it smaller, or keep large data elsewhere.")
      case "42501":
        return error(
          .unreachable, "This role lacks a privilege. The owner of the tables must grant it; docs/postgres.md has the statements.")
      case "3D000": return error(.unreachable, "Create the database, or check its name.")
      case "28000", "28P01": return error(.unreachable, "Check the user and the password in the address, and the server's pg_hba.conf.")
      case "3F000", "42P01":
        return error(.notAJournal, "Alter's tables do not exist, or were removed. Open the journal for writing once to create them.")
      case "42703", "42804", "42883", "42P07":
        return error(
          .notAJournal,
          "Tables in this schema are not Alter's, or were changed. Nothing was written. Choose another schema for the journals.")
      case "XX001", "XX002": return .damaged(name, "could not \(activity): \(why)")
      // Connections, resources, operator intervention, conflicting transactions, and forgotten plans.
      case _ where ["08", "53", "57", "40"].contains(state.prefix(2)) || ["25P03", "25P04", "26000", "0A000"].contains(state):
        return error(.unavailable, "Nothing was written. Try again.")
      default: return error(.failed, "Check the server's log, then close the journal and open it again.")
      }
    }
  }
#endif
