#if Postgres
  import AlterCore
  public import AlterJournal

  extension PostgresJournal {
    /// Appends drafts at a head: all of them or none, in one round trip and one transaction.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: the errors of every journal; `locked` if another writer keeps its turn for longer than the
    ///   timeout; `unknownOutcome` if the connection was lost meanwhile, or the wait for a standby was interrupted; `unencodable` for more
    ///   than 256 MiB in one append; `unavailable`, `full`, `readOnly` or `unreachable` for errors of the server.
    public func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError)
      -> Appended
    {
      try await append(parts: [drafts], after: head, in: turn, under: leases, moving: nil)
    }

    /// Appends the drafts of several writers of this process in the turn of one of them.
    package func append(
      _ parts: [[Entry.Draft]], after head: Head, in turn: Turn, under leases: [Lease]
    ) async throws(JournalError) -> Appended {
      try await append(parts: parts, after: head, in: turn, under: leases, moving: nil)
    }

    /// Appends the drafts of several writers, and moves rows in the same transaction. If the server refuses that, it appends without them.
    package func append(
      parts: [[Entry.Draft]], after head: Head, in turn: Turn?, under leases: [Lease], moving rows: RowMove?
    ) async throws(JournalError) -> Appended {
      let drafts = parts.count == 1 ? parts[0] : Array(parts.joined())
      precondition(!drafts.isEmpty, "An append needs at least one draft.")
      try Entry.Draft.checkAppendable(drafts, in: name)
      try checkWritable()
      try checkSize(EntryRow.size(of: drafts), of: drafts.count)
      let held = turn.flatMap { turn in state.withLock { $0.turn.flatMap { $0.turn == ObjectIdentifier(turn) ? $0 : nil } } }
      // Within this process a writer with a turn goes first. A turn that has ended, or belongs to another journal, has no effect.
      let place = held == nil ? try await standInLine() : nil
      defer { place?.end() }
      let appended: Appended
      do {
        appended = try await insert(drafts, after: head, under: leases, in: held, moving: rows)
      } catch {
        if error.code == .unknownOutcome { parts.forEach(doubt) }
        throw error
      }
      // An earlier attempt may have been in doubt.
      state.withLock { state in if !state.doubts.isEmpty { for part in parts { state.doubts.remove(part[0].id) } } }
      waiters.advance(to: appended.head.revision)
      return appended
    }

    /// Tries to append. If nothing was inserted, determines the reason.
    private func insert(
      _ drafts: [Entry.Draft], after head: Head, under leases: [Lease], in held: HeldTurn?, moving rows: RowMove?
    ) async throws(JournalError) -> Appended {
      var rows = rows
      var entries: [Entry] = []
      var end = head
      if head.journal == id, head.revision >= .zero, head.revision < Revision(.max - Int64(drafts.count)) {
        entries.reserveCapacity(drafts.count)
        for draft in drafts {
          let entry = Entry(draft, after: end)
          entries.append(entry)
          end = end.advanced(by: entry)
        }
      }
      // Whether the entries were committed, but perhaps not by the standby.
      var isUnconfirmed = false
      for _ in 0..<4 {
        // A head that cannot belong to this journal is not sent.
        let sent: Sent = entries.isEmpty ? .nothing : try await send(entries, after: head, under: leases, in: held, moving: rows)
        rows = nil
        if sent == .appended { return Appended(first: head.revision.next, head: end) }
        if sent == .unconfirmed { isUnconfirmed = true }
        let verdict: AppendEvidence.Finding
        do throws(JournalError) {
          verdict = try await evidence(drafts, after: head, under: leases).verdict(drafts, after: head, under: leases, in: name)
        } catch {
          throw isUnconfirmed ? .committedAlone(name, "it could not be asked whether they are there (\(error.code))") : error
        }
        switch verdict {
        case .there(let appended):
          do throws(JournalError) { try await confirm(appended.head, drafts[0].id, "append") } catch {
            throw error.code == .unknownOutcome ? error : .committedAlone(name, "it could not confirm them (\(error.code))")
          }
          pool.announce(place, at: appended.head.revision)
          return appended
        case .refused(let error): throw error
        case .tryAgain: continue
        }
      }
      if isUnconfirmed { throw .committedAlone(name, "it does not have them any more") }
      throw JournalError(
        .unavailable, journal: name,
        message: "could not append: concurrent appends kept conflicting with this one. Nothing was written. Try again.")
    }

    private enum Sent {
      case appended
      /// They were not inserted. The database shows the reason.
      case nothing
      /// They were inserted and committed, but perhaps not by the standby.
      case unconfirmed
    }

    /// Sends the entries in one round trip.
    private func send(
      _ entries: [Entry], after head: Head, under leases: [Lease], in held: HeldTurn?, moving rows: RowMove?
    ) async throws(JournalError) -> Sent {
      // The leases come after the row of the journal: the order in which every writer takes these locks.
      let count = entries.count
      let revision = head.revision + count
      // The row of a compacted journal is locked first, because the removed ids are read by a statement of their own.
      let isCompacted = state.withLock { $0.isCompacted }
      let ids = isCompacted ? removable(entries.map(\.draft)) : []
      let place = (held: isCompacted ? 1 : 0, alone: isCompacted ? 3 : 0)
      let isAppended: @Sendable ([ServerAnswer], Int) -> Bool = { $0.count > $1 && $0[$1].affectedCount == count }
      var isHeld = false
      let result: Result<[ServerAnswer], ServerFailure>
      let checks = isCompacted ? [removedGuard(ids)] : []
      let end = entries[count - 1]
      let moves = rows.map { [$0.fence(Head(journal: head.journal, revision: end.revision, checksum: end.checksum))] + $0.calls } ?? []
      // In a turn the leases are locked after their own settings, and tables of rows after one that waits for a moment at most.
      let isSet = held?.endsWithRefusal == true && leases.isEmpty && moves.isEmpty
      let (isBrief, isBriefLater) = (!moves.isEmpty && leases.isEmpty, !moves.isEmpty && !leases.isEmpty)
      let append = appending(entries, after: head, lockTimeout: isBrief ? Pool.moment : nil, isCompacted: isCompacted, inTurn: isSet)
      if let held, let own = await held.run(checks + [append] + fences(leases) + (isBriefLater ? [lockSetting(Pool.moment)] : []) + moves) {
        result = own
        isHeld = true
        if case .success(let answers) = result, isAppended(answers, place.held) { pool.announce(self.place, at: revision) }
      } else {
        // Announced on the thread that takes the answer, so that no thread is woken for it.
        let afterwards: @Sendable ([ServerAnswer]) -> Void = { [pool, journal = self.place] in
          if isAppended($0, place.alone) { pool.announceNow(journal, at: revision) }
        }
        // With rows, the append waits for a moment at most: another session may have locked their table.
        result = await locking(onlyForMoment: rows != nil, then: afterwards) {
          (isCompacted ? self.locked($0) + checks : [])
            + [self.appending(entries, after: head, lockTimeout: $0, isCompacted: isCompacted).announced] + self.fences(leases)
            + moves
        }
      }
      switch result {
      case .success(let answers):
        let isAppended = isAppended(answers, isHeld ? place.held : place.alone)
        if isAppended { rows?.isDone.withLock { $0 = true } }
        return isAppended ? .appended : .nothing
      // The next step finds the entries and confirms them.
      case .failure(.unconfirmed): return .unconfirmed
      // A duplicate id or revision, a removed id, a stale lease, a serialization failure, a deadlock.
      case .failure(.refused(let state, _)) where ["23505", "22012", "40001", "40P01"].contains(state): return .nothing
      // The rows may be the cause.
      case .failure(.refused) where rows != nil: return .nothing
      case .failure(let failure): throw translated(failure, doing: "append", mayBeDone: true)
      }
    }

    func appending(
      _ entries: [Entry], after head: Head, lockTimeout: Duration? = nil, isCompacted: Bool = false, inTurn: Bool = false
    ) -> Call {
      let isMany = entries.count > 1
      let last = entries[entries.count - 1]
      let end = Head(journal: head.journal, revision: last.revision, checksum: last.checksum)
      var parameters = Parameters(moving: place.number, from: head, to: end)
      EntryColumn.add(entries, asArrays: isMany, to: &parameters)
      if !inTurn {
        parameters.add(.text(commitSetting))
        parameters.add(.text((lockTimeout ?? self.lockTimeout).setting))
      }
      return Call(statements.appending(many: isMany, isCompacted: isCompacted, inTurn: inTurn), parameters)
    }

    /// The value of `synchronous_commit` for appends.
    var commitSetting: String { durability == .full ? "on" : "off" }

    /// Refuses an append that is too large for a statement, before anything is sent.
    func checkSize(_ size: Int, of count: Int) throws(JournalError) {
      guard size > limits.append else { return }
      throw JournalError(
        .unencodable, journal: name,
        message: """
          can't take an append of \(count == 1 ? "an entry" : "\(count) entries") with \(size) bytes: one append takes at most \
          \(limits.append). Nothing was written. Make fewer or smaller changes at once, or keep large data elsewhere and a reference here.
          """)
    }

    func fences(_ leases: [Lease]) -> [Call] {
      guard !leases.isEmpty else { return [] }
      return [Call(statements.fence, Parameters(.number(place.number), .texts(leases.map(\.name)), .numbers(leases.map(\.epoch))))]
    }

    private func evidence(_ drafts: [Entry.Draft], after head: Head, under leases: [Lease]) async throws(JournalError) -> AppendEvidence {
      let number = Parameters.Value.number(place.number)
      let answers = try await read(
        "append",
        [
          Call(statements.head, Parameters(number)),
          Call(statements.checksum, Parameters(number, .number(head.revision.number))),
          Call(statements.found, Parameters(number, .uuids(drafts.map(\.id.origin.uuid)), .numbers(drafts.map(\.id.sequence)))),
          epochsCall(leases),
        ])
      var found: [Entry] = []
      for row in 0..<answers[2].rowCount {
        do throws(EntryRow.Complaint) { found.append(try EntryRow.entry(answers[2], row)) } catch { throw .damaged(name, error) }
      }
      let epochs = epochs(in: answers[3])
      let checksum = answers[1].rowCount == 1 ? answers[1].data(0, 0).flatMap(Checksum.init(bytes:)) : nil
      // Read after the entries: an id that is in neither of them was never there.
      let row = try HeadRow(answers[0], of: name)
      if row.floor != nil { state.withLock { $0.isCompacted = true } }
      let removed = row.floor == nil ? [:] : try await compacted(removable(drafts))
      return AppendEvidence(
        head: row.head, checksum: checksum, found: found, epochs: epochs, isServed: row.isServed, floor: row.floor, removed: removed)
    }

    /// The epochs of leases, by name.
    func epochs(of leases: [Lease]) async throws(JournalError) -> [String: Int64] {
      epochs(in: try await read("append", [epochsCall(leases)])[0])
    }

    private func epochsCall(_ leases: [Lease]) -> Call {
      Call(statements.epochs, Parameters(.number(place.number), .texts(leases.map(\.name))))
    }

    private func epochs(in answer: ServerAnswer) -> [String: Int64] {
      var epochs: [String: Int64] = [:]
      for row in 0..<answer.rowCount {
        if let lease = answer.text(row, 0), let epoch = answer.number(row, 1) { epochs[lease] = epoch }
      }
      return epochs
    }
  }
#endif
