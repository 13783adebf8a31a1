#if Postgres
  import AlterCore
  import AlterJournal

  // Entries of unknown outcome. When a wait for a standby is interrupted, the server makes its entries visible all the same, and a failover may
  // undo them: before this handle answers that they are there, something is committed behind them as durably.
  extension PostgresJournal {
    /// Appends of this handle of which it isn't known whether they were made, or made durably.
    struct Doubts: Sendable {
      private var ids: [Origin: [ClosedRange<Int64>]] = [:]

      var isEmpty: Bool { ids.isEmpty }

      func contains(_ id: EntryID) -> Bool { ids[id.origin]?.contains { $0.contains(id.sequence) } ?? false }

      /// The drafts of one append have consecutive sequences of one origin.
      mutating func insert(_ drafts: [Entry.Draft]) {
        let range = drafts[0].id.sequence...max(drafts[0].id.sequence, drafts[drafts.count - 1].id.sequence)
        if !(ids[drafts[0].id.origin]?.contains(range) ?? false) { ids[drafts[0].id.origin, default: []].append(range) }
      }

      /// The append that an entry belongs to is certain.
      mutating func remove(_ id: EntryID) {
        ids[id.origin]?.removeAll { $0.contains(id.sequence) }
        if ids[id.origin]?.isEmpty ?? false { ids[id.origin] = nil }
      }
    }

    /// Remembers an append of unknown outcome, so that reading doesn't acknowledge it.
    func doubt(_ drafts: [Entry.Draft]) {
      if durability == .full { state.withLock { $0.doubts.insert(drafts) } }
    }

    /// Makes sure that what is visible up to a head is as durable as an append; nothing to do when the journal is relaxed.
    ///
    /// - Parameters:
    ///   - head: Ends with an entry that was read.
    ///   - id: An entry of the append that is in doubt.
    ///   - activity: What is being done.
    /// - Throws: ``/AlterJournal/JournalError`` `unknownOutcome` when it can't be confirmed now.
    func confirm(_ head: Head, _ id: EntryID, _ activity: String) async throws(JournalError) {
      guard durability == .full else { return }
      let call = Call(
        statements.confirming,
        Parameters(.number(place.number), .number(head.revision.number), .text("on"), .text(lockTimeout.setting)))
      let reason: String
      switch await pool.run([call], in: .writing) {
      case .success(let answers):
        // The server that confirms must have the entry: after a failover it need not be the one that was read.
        if let answer = answers.first, answer.rowCount == 1, answer.data(0, 0) == head.checksum.bytes {
          return state.withLock { $0.doubts.remove(id) }
        }
        reason = "the primary does not have it"
      case .failure(.refused(let state, let message)), .failure(.unconnected(let state?, let message)): reason = "\(message) (\(state))"
      case .failure(.unconnected(nil, let message)), .failure(.lost(_, let message)), .failure(.unconfirmed(let message)): reason = message
      case .failure(.givenUp): throw .cancelled(name)
      }
      throw JournalError(
        .unknownOutcome, journal: name, revision: head.revision,
        message: """
          could not \(activity) for sure: revision \(head.revision) is there, but the server could not confirm that it is durable (\(reason)). Retry \
          the same call: it confirms the outcome, and applies nothing twice.
          """)
    }

    /// Confirms those of the entries that this handle has appended with an unknown outcome, before they are shown.
    func confirm(_ entries: [Entry], _ activity: String) async throws(JournalError) {
      let doubts = state.withLock { $0.doubts }
      guard !doubts.isEmpty, let last = entries.last(where: { doubts.contains($0.id) }) else { return }
      try await confirm(Head(journal: id, revision: last.revision, checksum: last.checksum), last.id, activity)
      // Entries are committed in their order, so those before it are as durable.
      for entry in entries where doubts.contains(entry.id) { state.withLock { $0.doubts.remove(entry.id) } }
    }
  }
#endif
