#if Postgres
  import AlterCore
  public import AlterJournal

  // A journal that a server decides.
  extension PostgresJournal: ServerJournal {
    /// Returns who decides the entries: the journal's writers, or a server of sync.
    public func role() async throws(JournalError) -> JournalRole {
      try await row("read its part in sync").isServed ? .server : .plain
    }

    /// Makes a server the only writer of the journal, or begins another generation.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: the errors of an append.
    package func serve(_ lineage: Lineage, schema: Int, replacing present: Generation?) async throws(JournalError) {
      try checkWritable()
      let answer = try await write("serve") { [place, statements] lockTimeout in
        [
          Call(
            statements.serving,
            Parameters(
              .number(place.number), .number(lineage.generation.bits), .numbers(lineage.formerBits), .number(Int64(schema)), .text("on"),
              .text(lockTimeout.setting), .numbers(present.map { [$0.bits] } ?? [])))
        ]
      }
      guard answer.affectedCount == 1 else { throw .otherGeneration(name) }
    }

    package func position() async throws(JournalError) -> ServerPosition {
      let answer = try await read(statements.position, Parameters(.number(place.number)), "read its position")
      return try ServedRow.facts(answer, name: name).facts.position
    }

    /// Returns the answers with one statement, so all are true at one moment.
    ///
    /// - Throws: ``/AlterJournal/JournalError``; `unknownOutcome` if a found draft is of this handle's own append of unknown outcome, and
    ///   cannot be confirmed now.
    package func facts(about questions: ServerQuestions) async throws(JournalError) -> ServerFacts {
      let (ids, families) = (Array(questions.ids), Array(questions.families))
      let answer = try await read(
        statements.facts,
        Parameters(
          .number(place.number), .uuids(ids.map(\.origin.uuid)), .numbers(ids.map(\.sequence)), .uuids(questions.origins.map(\.uuid)),
          .uuids(families.map(\.origin.uuid)), .numbers(families.map(\.sequence))), "read what it knows of drafts")
      let found = try ServedRow.facts(answer, name: name)
      try await confirm(found.entries, "read what it knows of drafts")
      return found.facts
    }

    /// Appends decided drafts at a position: all of them or none, in one round trip and one transaction.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `conflict`, `originCollision` and `unknownOutcome`, as for every served journal; the errors of
    ///   an append by a store.
    package func append(_ decided: [DecidedDraft], at position: ServerPosition, under leases: [Lease]) async throws(JournalError)
      -> Appended
    {
      precondition(!decided.isEmpty, "An append needs at least one draft.")
      try checkWritable()
      let rows = ServedRow.Appending(decided, at: position)
      try checkSize(rows.size, of: decided.count)
      let place = try await standInLine()
      defer { place.end() }
      do {
        for _ in 0..<4 {
          if position.head.journal == id, try await send(rows, at: position, under: leases) {
            waiters.advance(to: rows.end.revision)
            state.withLock { state in
              guard !state.doubts.isEmpty else { return }
              for draft in decided { state.doubts.remove(draft.draft.id) }
            }
            return Appended(first: position.head.revision.next, head: rows.end)
          }
          try await explain(decided, at: position, under: leases)
        }
      } catch {
        if error.code == .unknownOutcome { for draft in decided { doubt([draft.draft]) } }
        throw error
      }
      throw JournalError(
        .unavailable, journal: name,
        message: "could not append: concurrent statements kept conflicting with this one. Nothing was written. Try again.")
    }

    /// Returns the explanations of refusals.
    ///
    /// - Returns: The reasons by id. None for a journal that was opened for reading only by a role that may not read them, as a reader may not.
    package func reasons(of ids: [EntryID]) async throws(JournalError) -> [EntryID: String] {
      guard !ids.isEmpty else { return [:] }
      try checkOpen()
      let parameters = Parameters(.number(place.number), .uuids(ids.map(\.origin.uuid)), .numbers(ids.map(\.sequence)))
      let answer: ServerAnswer
      switch await reading([Call(statements.reasons, parameters)]) {
      case .success(let answers): answer = answers[0]
      case .failure(.refused("42501", _)) where isReadOnly: return [:]
      case .failure(let failure): throw translated(failure, doing: "read the reasons of refusals")
      }
      var reasons: [EntryID: String] = [:]
      for row in 0..<answer.rowCount {
        guard let origin = answer.uuid(row, 0), let sequence = answer.number(row, 1) else { continue }
        reasons[EntryID(origin: Origin(origin), sequence: sequence)] = answer.text(row, 2)
      }
      return reasons
    }

    /// Checks the rows by which a server decides against the entries, or the removed ids of a journal that stores write. A role that may not
    /// read them checks nothing.
    ///
    /// - Throws: ``/AlterJournal/JournalError`` `damaged`.
    /// - Complexity: O(entries + runs of removed ids).
    func checkRows() async throws(JournalError) {
      let row = try await row("check its rows")
      guard row.isServed || row.floor != nil else { return }
      let isServed = row.isServed
      let parameters = Parameters(.number(place.number))
      switch await reading([Call(isServed ? statements.servedCheck : statements.plainCheck, parameters)]) {
      case .success(let answers):
        guard answers[0].rowCount > 0 else { return }
        let place = answers[0].uuid(0, 1).map { "\(Origin($0))#" } ?? "revision "
        throw .damaged(
          name,
          """
          \(answers[0].text(0, 0) ?? "a row is invalid") (\(place)\(answers[0].number(0, 2) ?? 0)); the entries \
          \(isServed ? "" : "above the floor ")are unharmed
          """)
      case .failure(.refused("42501", _)) where isReadOnly: return
      case .failure(let failure): throw translated(failure, doing: "check its rows")
      }
    }

    /// Sends the drafts in one round trip.
    ///
    /// - Returns: Whether they were inserted and committed. If not, nothing was written.
    private func send(_ rows: ServedRow.Appending, at position: ServerPosition, under leases: [Lease]) async throws(JournalError) -> Bool {
      let (count, revision) = (rows.entries.count, rows.end.revision)
      // The removed ids of a compacted journal are read by a statement of their own, after its row was locked.
      let ids = position.floor.revision == .zero ? nil : removable(rows.entries.map(\.draft))
      let index = ids == nil ? 0 : 3
      let isAppended: @Sendable ([ServerAnswer]) -> Bool = { $0.count > index && $0[index].affectedCount == count }
      let afterwards: @Sendable ([ServerAnswer]) -> Void = { [pool, place] in if isAppended($0) { pool.announceNow(place, at: revision) } }
      let result = await locking(then: afterwards) { [place, statements, durability] lockTimeout in
        let parameters = rows.parameters(
          number: place.number, position, durability == .full ? "on" : "off", lockTimeout: lockTimeout.setting)
        let checks = ids.map { self.locked(lockTimeout) + [self.removedGuard($0)] } ?? []
        return checks + [Call(statements.appendingDecided, parameters).announced] + self.fences(leases)
      }
      switch result {
      case .success(let answers): return isAppended(answers)
      case .failure(.refused(let state, _)) where ["23505", "22012", "40001", "40P01"].contains(state): return false
      case .failure(let failure):
        if case .unconfirmed = failure { pool.announce(place, at: revision) }
        throw translated(failure, doing: "append", mayBeDone: true)
      }
    }

    /// Throws the reason for which nothing was appended, unless it has vanished.
    private func explain(_ decided: [DecidedDraft], at position: ServerPosition, under leases: [Lease]) async throws(JournalError) {
      var questions = ServerQuestions()
      questions.ids = Set(decided.map(\.draft.id))
      let facts = try await facts(about: questions)
      if !leases.isEmpty {
        let epochs = try await epochs(of: leases)
        for lease in leases where epochs[lease.name] ?? 0 != lease.epoch {
          throw .staleLease(name, lease, epoch: epochs[lease.name] ?? 0)
        }
      }
      guard facts.position == position else {
        throw .conflict(name, at: facts.position.head.revision, expected: position.head.revision)
      }
      for draft in decided {
        if let known = facts.standings[draft.draft.id] { throw .originCollision(name, draft.draft.id, at: known.revision) }
      }
      guard position.floor.revision > .zero else { return }
      let targets = decided.flatMap { $0.draft.targets ?? [] }
      if let target = try await compacted(targets).keys.first { throw .undoBelowFloor(name, target, floor: position.floor.revision) }
    }
  }
#endif
