#if SQLite
  import AlterCore
  public import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterSyncCore
  import Foundation

  // The beginning and the end of a device's file.
  extension SyncedJournal {
    /// Makes a local journal a synced one: it creates the journal of a key on the server, with the present state of the local one, and then the
    /// device's file.
    ///
    /// ```swift
    /// let local = try await SQLiteJournal(at: old)
    /// let journal = try await SyncedJournal.adopt(local, of: TodoList.self, at: new, key: "lists/42", on: server)
    /// await local.close()
    /// let store = try await Store.open(TodoList(), in: journal)
    /// ```
    ///
    /// So an app can work before its user has an account. The state is taken as it is: neither the policy nor `apply` judges it. The history
    /// stays in the local journal, which is not changed; delete it when it is no longer needed.
    ///
    /// If the connection breaks, call this again with the same arguments: the server recognises what it has taken already, as long as the local
    /// journal has not changed.
    ///
    /// - Parameters:
    ///   - local: The local journal. No store may change it meanwhile.
    ///   - type: The type of its state.
    ///   - path: The path of the device's new file.
    ///   - key: The key of the new journal on the server. The policy must permit to read and to create it.
    ///   - server: The server.
    ///   - durability: The failures that a durable change survives.
    /// - Throws: ``AdoptionError``; ``/AlterJournal/JournalError`` if the local journal cannot be read or the file cannot be opened; the error of
    ///   the connection. Nothing was lost.
    public static func adopt<State: Journaled>(
      _ local: any Journal, of type: State.Type, at path: String, key: String, on server: SyncServer, durability: Durability = .full
    ) async throws -> SyncedJournal {
      var options = StoreOptions()
      options.undoWindow = 0
      let folded = try await FoldedJournal<State>(local, options: options)
      // The same for each attempt, and different from that of any other journal or state, also of a copy that has changed since.
      let id = EntryID(
        origin: Origin(UUID(high: folded.head.checksum.high, low: folded.head.checksum.low)), sequence: folded.head.revision.number)
      guard let last = try await local.entries(after: Revision(folded.head.revision.number - 1), limit: 1).last else {
        throw JournalError.damaged(local.name, at: folded.head.revision, "it is missing")
      }
      let state = StateBytes(try JournalCoding.encodeKept(folded.history.state, isAlwaysRead: true), schema: State.schema.version)
      try await HTTPTransport(server, key: key).adopt(SyncMessage.Adoption(id, time: last.draft.time, state: state))
      return try await SyncedJournal(at: path, key: key, on: server, durability: durability)
    }

    /// Closes the journal, and deletes the device's file: the user has signed out, or leaves the journal.
    ///
    /// The journal on the server stays as it is. No other process may have the file open, and no other journal may be in it.
    ///
    /// - Parameter discarding: Whether changes that the server has not decided are given up. If false, the file is deleted only if there are
    ///   none; refused changes are given up in any case.
    /// - Throws: ``/AlterJournal/JournalError``: `failed` if there are such changes, and then the journal is still open; an error of the system if
    ///   the file cannot be deleted.
    public func erase(discarding: Bool = false) async throws(JournalError) {
      let report = try await storage.standing().report
      guard discarding || report.count == 0 else {
        throw JournalError(
          .failed, journal: name,
          message:
            "has \(report.count) change\(report.count == 1 ? "" : "s") that the server has not decided, so it was not erased. Connect to the server first, or give them up with 'discarding'."
        )
      }
      guard try await storage.isAlone() else {
        throw JournalError(
          .failed, journal: name, message: "has the journals of other keys in the same file, so it was not erased. Use a file for each key."
        )
      }
      await close()
      try storage.journal.deleteFiles()
    }
  }

  /// The reason why a server has not taken a local journal.
  public enum AdoptionError: Error, Hashable, CustomStringConvertible {
    /// The server has a journal of this key already.
    case exists
    /// The policy does not permit to read or to create the journal.
    case forbidden
    /// The token was rejected.
    case unauthorised
    /// The server has refused the state, or was not understood: the status and the server's explanation.
    case refused(status: Int, String)

    /// The reason and a remedy.
    public var description: String {
      switch self {
      case .exists: "The server has a journal of this key already. Open it, or choose another key."
      case .forbidden: "The server does not permit this user to create the journal."
      case .unauthorised: "The server has rejected the token. Let the user sign in again."
      case .refused(let status, let message): "The server has not taken the journal (status \(status)): \(message)"
      }
    }
  }

  extension HTTPTransport {
    /// Creates the journal on the server.
    func adopt(_ adoption: SyncMessage.Adoption) async throws {
      let call = SyncHTTP.call(adoption, of: key)
      for attempt in 0... {
        guard let response = try await send(call) else { throw AdoptionError.unauthorised }
        let (body, _) = try await Self.collect(response.body) { _ in }
        // The page of a proxy or of a captive portal says nothing about the journal.
        let message = try? SyncMessage.decodeAnswer(body)
        switch (response.status, message) {
        case (200, .page(let page)?) where page.head != nil: return
        case (201, .page(let page)?) where page.head != nil: return
        case (401, _):
          guard attempt == 0, (try? await server.tokens.after(used.withLock { $0 })) ?? nil != nil else { throw AdoptionError.unauthorised }
        case (403, .forbidden?): throw AdoptionError.forbidden
        case (409, .badEnvelope?): throw AdoptionError.exists
        default: throw AdoptionError.refused(status: response.status, SyncMessage.explanation(body) ?? "It gave no explanation.")
        }
      }
    }
  }
#endif
