#if Postgres
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // Compaction. Each step is a transaction that holds the journal's row, as an append does.
  //
  // An append of a compacted journal locks the row in a statement of its own and then reads the removed ids, so it sees each removal that was
  // committed before. The lock of a compaction is an update: an append that has begun to wait before reads the row's condition again.
  extension PostgresJournal: CompactableJournal {
    /// The number of entries that one transaction removes at most, and the bytes after which it removes no further one.
    private static var removedAtOnce: (entries: Int64, bytes: Int64) { (128, 1 << 20) }

    package func moveFloor(to pinned: Snapshot, seen: Head) async throws(JournalError) {
      try checkWritable()
      guard pinned.payload.count <= limits.append else {
        throw JournalError(
          .unencodable, journal: name,
          message: "can't begin at a state of \(pinned.payload.count) bytes: it may have at most \(limits.append). Nothing was changed.")
      }
      try await compacting { row, borrowed throws(JournalError) in
        let new = pinned.head.revision
        let head = row.head
        guard row.floor.map({ $0.revision < new }) ?? true else { return [] }
        let number = Parameters.Value.number(self.place.number)
        let answers = try await self.ask(
          [
            Call(self.statements.checksum, Parameters(number, .number(new.number))),
            Call(self.statements.marks, Parameters(number, .number(max(seen.revision, new).number))),
            Call(self.statements.newestSchema, Parameters(number, .number(seen.revision.number))),
            Call(self.statements.newestForm, Parameters(number, .number(Int64(pinned.schema)))),
          ], on: borrowed)
        guard pinned.base == pinned.head, pinned.head.journal == head.journal, answers[0].rowCount == 1,
          answers[0].data(0, 0) == pinned.head.checksum.bytes
        else { throw .diverged(self.name, at: new, head: head.revision) }
        // A newer version of the app may be unable to read the state.
        if let newest = answers[2].number(0, 0), newest > Int64(pinned.schema) {
          throw .planHasOldSchema(self.name, pinned.schema, newest: Int(clamping: newest), at: head.revision)
        }
        guard pinned.hasAllNames(of: answers[3].number(0, 0) ?? 0) else { throw .planHasFewerNames(self.name, at: head.revision) }
        try await self.checkMarks(answers[1], floor: new, borrowed)
        return [
          Call(
            self.statements.keepingFloor, Parameters(number, .number(Int64(pinned.schema)), .number(pinned.form), .bytes(pinned.payload))),
          Call(
            self.statements.movingFloor,
            Parameters(number, .number(new.number), .bytes(pinned.head.checksum.bytes), .bytes(pinned.checksum.bytes))),
        ]
      }
      state.withLock { $0.isCompacted = true }
    }

    /// Checks that undos and redos name no entry at or below a future floor.
    private func checkMarks(_ marks: ServerAnswer, floor: Revision, _ borrowed: Pool.Borrowed) async throws(JournalError) {
      for row in 0..<marks.rowCount {
        guard let revision = marks.number(row, 0), let payload = marks.data(row, 1),
          let targets = try? JournalCoding.decode(Entry.Targets.self, from: payload).targets
        else { continue }
        let parameters = Parameters(.number(place.number), .uuids(targets.map(\.origin.uuid)), .numbers(targets.map(\.sequence)))
        let found = try await ask([Call(statements.found, parameters)], on: borrowed)[0]
        guard found.rowCount > 0, let first = found.number(0, 0), first <= floor.number else { continue }
        throw .planIsOutdated(name, "the undo at revision \(revision) names revision \(first)", at: Revision(revision))
      }
    }

    package func removeBelowFloor() async throws(JournalError) -> Bool {
      try checkWritable()
      let more = Lock(false)
      try await compacting { row, borrowed throws(JournalError) in
        guard let floor = row.floor else { return [] }
        let number = Parameters.Value.number(self.place.number)
        let (count, bytes) = Self.removedAtOnce
        let oldest = Parameters(number, .number(floor.revision.number), .number(count), .number(bytes))
        let answer = try await self.ask([Call(self.statements.oldest, oldest)], on: borrowed)[0]
        var entries: [Entry] = []
        for row in 0..<answer.rowCount {
          do throws(EntryRow.Complaint) { entries.append(try EntryRow.entry(answer, row)) } catch { throw .damaged(self.name, error) }
        }
        guard let last = entries.last?.revision.number else {
          let old = Parameters(number, .number(floor.revision.number))
          let removed = try await self.ask([Call(self.statements.removingOldSnapshot, old)], on: borrowed)[0]
          more.withLock { $0 = removed.affectedCount > 0 }
          return []
        }
        var rows = try VerdictRow.rows(of: entries, isServed: row.isServed, in: self.name)
        // Only the first run may continue one that is stored: the entry before it has the revision before.
        let before = Parameters(number, .uuid(rows[0].origin.uuid), .number(rows[0].first))
        let stored = try await self.ask([Call(self.statements.runBefore, before)], on: borrowed)[0]
        if var known = VerdictRow(before: stored, of: rows[0].origin), known.extend(by: rows[0]) { rows[0] = known }
        more.withLock { $0 = true }
        let removing = Parameters(number, .number(last))
        return [
          Call(
            self.statements.keepingRuns,
            Parameters(
              number, .uuids(rows.map(\.origin.uuid)), .numbers(rows.map(\.first)), .numbers(rows.map(\.last)), .texts(rows.map(\.verdict)),
              .numbers(rows.map(\.revision)), .byteArrays(rows.map(\.hashes)))),
          Call(self.statements.removingReasons, removing), Call(self.statements.removingEntries, removing),
        ]
      }
      return more.withLock { $0 }
    }

    /// PostgreSQL's own vacuum makes the space free for other rows.
    package func shrink() async throws(JournalError) -> Bool { false }

    /// Does nothing: `VACUUM FULL` rewrites the tables of all journals, so their owner decides about it.
    package func vacuum() async throws(JournalError) {}

    package func compacted(_ ids: [EntryID]) async throws(JournalError) -> [EntryID: Revision] {
      // A whole journal has removed nothing, and its readers need no right to the table.
      guard !ids.isEmpty, try await floor() != nil else { return [:] }
      let answer = try await read(
        statements.removed, Parameters(.number(place.number), .uuids(ids.map(\.origin.uuid)), .numbers(ids.map(\.sequence))),
        "look up compacted entries")
      var found: [EntryID: Revision] = [:]
      for row in 0..<answer.rowCount {
        guard let origin = answer.uuid(row, 0), let sequence = answer.number(row, 1), let revision = answer.number(row, 2) else { continue }
        found[EntryID(origin: Origin(origin), sequence: sequence)] = Revision(revision)
      }
      return found
    }

    // MARK: The state at the floor

    /// Reads the state at the floor, from the first copy that matches the checksum.
    func pinned() async throws(JournalError) -> Snapshot {
      var seen: Head?
      while true {
        let number = Parameters(.number(place.number))
        let answers = try await read(
          "read the state at its floor", [Call(statements.head, number), Call(statements.floorCopies, number)])
        let row = try HeadRow(answers[0], of: name)
        guard let floor = row.floor else { throw .damaged(name, "its floor has vanished. A backup was restored meanwhile") }
        if let sound = copies(answers[1], at: floor).first(where: { $0.checksum == row.floorState }) { return sound }
        // The two statements may have read two floors.
        guard seen != floor else {
          throw .damaged(name, at: floor.revision, "no copy of the state at its floor matches its checksum")
        }
        seen = floor
      }
    }

    private func copies(_ answer: ServerAnswer, at floor: Head) -> [Snapshot] {
      (0..<answer.rowCount).compactMap { row in
        guard let schema = answer.number(row, 1), let form = answer.number(row, 3) else { return nil }
        return Snapshot(
          head: floor, base: floor, schema: Int(clamping: schema), form: form, written: 0, payload: answer.data(row, 2) ?? Data())
      }
    }

    /// Checks both copies of the state at the floor. A role that may not read them checks nothing.
    func checkFloor() async throws(JournalError) {
      guard let floor = try await floor() else { return }
      let parameters = Parameters(.number(place.number))
      switch await reading([Call(statements.head, parameters), Call(statements.floorCopies, parameters)]) {
      case .success(let answers):
        let row = try HeadRow(answers[0], of: name)
        guard row.floor == floor else { return }
        let sound = copies(answers[1], at: floor).count { $0.checksum == row.floorState }
        guard sound == 2, answers[1].rowCount == 2 else {
          throw .damaged(name, at: floor.revision, "of two copies of the state at its floor, \(sound) match the checksum")
        }
      case .failure(.refused("42501", _)) where isReadOnly: return
      case .failure(let failure): throw translated(failure, doing: "check its floor")
      }
    }

    // MARK: Statements

    /// The ids that must not be below the floor: those of drafts, and those that their undos name.
    func removable(_ drafts: [Entry.Draft]) -> [EntryID] { drafts.map(\.id) + drafts.flatMap { $0.targets ?? [] } }

    /// The statements that lock the journal's row for the rest of the transaction.
    func locked(_ lockTimeout: Duration) -> [Call] {
      [
        Call(Statements.lockSetting, Parameters(.text(lockTimeout.setting))),
        Call(statements.turn, Parameters(.number(place.number))),
      ]
    }

    /// The statement that fails if one of the ids was removed.
    func removedGuard(_ ids: [EntryID]) -> Call {
      Call(
        statements.removedGuard,
        Parameters(.number(place.number), .uuids(ids.map(\.origin.uuid)), .numbers(ids.map(\.sequence))))
    }

    private func ask(_ calls: [Call], on borrowed: Pool.Borrowed) async throws(JournalError) -> [ServerAnswer] {
      switch await pool.run(calls, on: borrowed) {
      case .success(let answers): return answers
      case .failure(let failure): throw translated(failure, doing: "compact it")
      }
    }

    /// Runs a transaction that holds the journal's row.
    ///
    /// - Parameter body: Receives the journal's row. Returns the last statements of the transaction.
    private func compacting(_ body: (HeadRow, Pool.Borrowed) async throws(JournalError) -> [Call]) async throws(JournalError) {
      let line = try await standInLine()
      defer { line.end() }
      let borrowed = try await waiting("compact it") { wait in
        let borrowed = await pool.borrow(until: deadline, waiting: wait) {
          [statements, turnTimeout, durability, number = place.number] lockTimeout in
          [
            Call(once: "BEGIN ISOLATION LEVEL READ COMMITTED"),
            Call(Statements.turnSettings, Parameters(.text(lockTimeout.setting), .text(turnTimeout.setting))),
          ] + (durability == .full ? [Call(Statements.durably)] : []) + [Call(statements.compacting, Parameters(.number(number)))]
        }
        return await pool.explaining(borrowed, in: schema)
      }
      let calls: [Call]
      do {
        calls = try await body(HeadRow(borrowed.answers[borrowed.answers.count - 1], of: name), borrowed)
      } catch {
        pool.giveBack(borrowed, rollingBack: true)
        throw error
      }
      switch await pool.run(calls + [Call(once: "COMMIT")], on: borrowed) {
      case .success: pool.giveBack(borrowed, rollingBack: false)
      case .failure(let failure):
        pool.giveBack(borrowed, rollingBack: true)
        throw translated(failure, doing: "compact it", mayBeDone: true)
      }
    }
  }
#endif
