#if Postgres
  import AlterCore
  import AlterJournal

  // Entries of unknown outcome. If a wait for a standby is interrupted, the server makes the entries visible although a failover may undo
  // them. Before this handle reports such an entry, it commits something after it with the same durability.
  extension PostgresJournal {
    /// The appends of this handle that may not have been made, or not durably.
    struct Doubts: Sendable {
      private var ids: [Origin: [ClosedRange<Int64>]] = [:]

      var isEmpty: Bool { ids.isEmpty }

      func contains(_ id: EntryID) -> Bool { ids[id.origin]?.contains { $0.contains(id.sequence) } ?? false }

      /// Adds an append. Its drafts have consecutive sequences of one origin.
      mutating func insert(_ drafts: [Entry.Draft]) {
        let range = drafts[0].id.sequence...max(drafts[0].id.sequence, drafts[drafts.count - 1].id.sequence)
        if !(ids[drafts[0].id.origin]?.contains(range) ?? false) { ids[drafts[0].id.origin, default: []].append(range) }
      }

      /// Removes the append that an entry belongs to, once it is confirmed.
      mutating func remove(_ id: EntryID) {
        ids[id.origin]?.removeAll { $0.contains(id.sequence) }
        if ids[id.origin]?.isEmpty ?? false { ids[id.origin] = nil }
      }
    }

    /// Records an append of unknown outcome, so that reading does not acknowledge it. Only under `.full` durability.
    package func doubt(_ drafts: [Entry.Draft]) {
      if durability == .full { state.withLock { $0.doubts.insert(drafts) } }
    }

    /// Ensures that the entries up to a head are as durable as an append. Does nothing if the journal is relaxed.
    ///
    /// - Parameters:
    ///   - head: The head after an entry that was read.
    ///   - id: An entry of the append in doubt.
    ///   - activity: The activity as a verb, for errors.
    /// - Throws: ``/AlterJournal/JournalError`` `unknownOutcome` if the entries cannot be confirmed now.
    func confirm(_ head: Head, _ id: EntryID, _ activity: String) async throws(JournalError) {
      guard durability == .full else { return }
      let parameters = Parameters(.number(place.number), .number(head.revision.number), .text("on"), .text(lockTimeout.setting))
      let reason: String
      switch await pool.explaining(pool.run([Call(statements.confirming, parameters)], in: .writing), in: schema) {
      case .success(let answers):
        // The server that confirms must have the entry. After a failover it may be another server than the one that was read.
        if let answer = answers.first, answer.rowCount == 1, answer.data(0, 0) == head.checksum.bytes {
          return state.withLock { $0.doubts.remove(id) }
        }
        reason = "the primary does not have it"
      case .failure(.refused(let state, let message)), .failure(.unconnected(let state?, let message)): reason = "\(message) (\(state))"
      case .failure(.unconnected(nil, let message)), .failure(.lost(_, let message)), .failure(.unconfirmed(let message)): reason = message
      case .failure(.unsuitable(let message)): reason = message
      case .failure(.otherTables(let version)): throw .newerTables(name, version)
      case .failure(.givenUp): throw .cancelled(name)
      }
      throw JournalError(
        .unknownOutcome, journal: name, revision: head.revision,
        message: """
          can't be sure of an attempt to \(activity): revision \(head.revision) is there, but the server could not confirm that it is durable (\(reason)). Retry \
          the same call: it confirms the outcome, and applies nothing twice.
          """)
    }

    /// Confirms the given entries of this handle's own appends of unknown outcome, before they are returned.
    func confirm(_ entries: [Entry], _ activity: String) async throws(JournalError) {
      let doubts = state.withLock { $0.doubts }
      guard !doubts.isEmpty, let last = entries.last(where: { doubts.contains($0.id) }) else { return }
      try await confirm(Head(journal: id, revision: last.revision, checksum: last.checksum), last.id, activity)
      // Entries are committed in order, so the entries before it are as durable.
      for entry in entries where doubts.contains(entry.id) { state.withLock { $0.doubts.remove(entry.id) } }
    }
  }
#endif
