#if Postgres
  public import AlterCore
  public import AlterJournal

  extension PostgresJournal: Journal {
    /// The largest number of entries in a page.
    private static let pageLength = 10_000
    /// The time for which a handle that follows relies on the follower alone, without reading the head itself.
    private static let trust = Duration.seconds(1)

    // MARK: Reading

    /// Returns the present end of the journal.
    public func head() async throws(JournalError) -> Head {
      let row = try await row("read its head")
      let head = row.head
      if let last = row.last, last > head.revision.number {
        throw .damaged(name, at: head.revision.next, "there are entries up to revision \(last), but the journal's head says it ends before")
      }
      return head
    }

    /// Returns the last entry that a compaction has removed; nil for a whole journal.
    public func floor() async throws(JournalError) -> Head? {
      try await row("read its floor").floor
    }

    /// Reads consecutive entries. A page has at most 10,000 entries, and its payloads, causes and scopes have at most 8 MiB in total, or it
    /// has one larger entry.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: the errors of every journal; `unknownOutcome` if the page contains an entry of this
    ///   handle's own append of unknown outcome that cannot be confirmed now.
    public func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
      try checkOpen()
      guard limit > 0, revision.number < .max else { return [] }
      let start = Revision(max(0, revision.number))
      let entries = try await page(after: start, limit: min(limit, Self.pageLength))
      try await confirm(entries, "read entries")
      return entries
    }

    private func page(after start: Revision, limit: Int) async throws(JournalError) -> [Entry] {
      let answer = try await read(statements.page, pageParameters(after: start, limit: limit), "read entries")
      guard answer.rowCount > 0 else { throw .damaged(name, "the row with its head is missing") }
      return try entries(answer, after: start, above: Revision(answer.number(0, EntryColumn.allCases.count) ?? 0))
    }

    /// The parameters of ``Statements/page``.
    func pageParameters(after start: Revision, limit: Int) -> Parameters {
      Parameters(.number(place.number), .number(start.number), .number(Int64(limit)), .number(Int64(limits.page)))
    }

    /// Reads the rows of ``Statements/page`` or ``Statements/turnPage``, above a floor.
    func entries(_ answer: ServerAnswer, after start: Revision, above floor: Revision) throws(JournalError) -> [Entry] {
      guard start >= floor else { throw .belowFloor(name, at: start.next, floor: floor) }
      var entries: [Entry] = []
      entries.reserveCapacity(answer.rowCount)
      // A page without an entry has one row, with only the floor.
      for row in 0..<answer.rowCount where answer.bytes(row, 0) != nil {
        let expected = start + row + 1
        let complaint: String
        do throws(EntryRow.Complaint) {
          let entry = try EntryRow.entry(answer, row)
          guard entry.revision != expected else {
            entries.append(entry)
            continue
          }
          complaint = "the entry is missing: the next one is revision \(entry.revision)"
        } catch {
          complaint = error.text
        }
        // The entries before the damage can be read. Reading what follows them reports the damage.
        guard !entries.isEmpty else { throw .damaged(name, at: expected, complaint) }
        break
      }
      return entries
    }

    /// Looks up an entry by its id.
    public func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
      let answer = try await read(
        statements.foundAboveFloor, Parameters(.number(place.number), .uuids([id.origin.uuid]), .numbers([id.sequence])), "look up an entry"
      )
      guard answer.rowCount > 0 else { return nil }
      let entry: Entry
      do throws(EntryRow.Complaint) { entry = try EntryRow.entry(answer, 0) } catch { throw .damaged(name, error) }
      try await confirm([entry], "look up an entry")
      return entry
    }

    /// Returns as soon as the journal holds an entry after a revision, appended by any process on any machine.
    ///
    /// The server's notification arrives within milliseconds. Without it, as behind some connection poolers or if the appending process
    /// dies before it can notify, it takes up to two seconds.
    public func waitForEntry(after revision: Revision) async throws(JournalError) {
      try checkOpen()
      // The follower advances the count from then on. It may miss a hint, so the head is read again after a while.
      let now = ContinuousClock.now
      if state.withLock({ $0.headRead.map { now - $0 > Self.trust } ?? true }) {
        pool.follow(place, waiters)
        // Entries from before the journal was followed.
        waiters.advance(to: try await head().revision)
        state.withLock { $0.headRead = now }
      }
      try await waiters.wait(past: revision)
    }

    // MARK: Snapshots

    /// Stores a snapshot. It replaces a snapshot of the same revision, and no append waits for it.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: the errors of an append; `unencodable` for more than 256 MiB.
    public func keep(_ snapshot: Snapshot) async throws(JournalError) {
      try checkWritable()
      guard snapshot.payload.count <= limits.append else {
        throw JournalError(
          .unencodable, journal: name,
          message: """
            can't keep a snapshot of \(snapshot.payload.count) bytes: it may have at most \(limits.append). Nothing was written. \
            Only opening takes longer without it.
            """)
      }
      _ = try await write(statements.keeping, SnapshotRow.parameters(snapshot, number: place.number), "keep a snapshot")
    }

    /// Lists the stored snapshots, newest first.
    public func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
      try checkOpen()
      guard limit > 0 else { return [] }
      let number = Parameters.Value.number(place.number)
      let answers = try await read(
        "list the snapshots",
        [
          Call(statements.head, Parameters(number)),
          Call(statements.snapshots, Parameters(number, .number(revision.number), .number(Int64(limit)))),
        ])
      var places = (0..<answers[1].rowCount).compactMap { SnapshotRow.place(answers[1], $0) }
      // The state at the floor is the oldest one.
      if places.count < limit, let floor = try HeadRow(answers[0], of: name).floor, floor.revision <= revision {
        places.append(try await pinned().place)
      }
      return places
    }

    /// Reads a snapshot, as stored.
    public func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? {
      let number = Parameters.Value.number(place.number)
      let answers = try await read(
        "read a snapshot",
        [Call(statements.head, Parameters(number)), Call(statements.snapshot, Parameters(number, .number(revision.number)))])
      if try HeadRow(answers[0], of: name).floor?.revision == revision { return try await pinned() }
      let answer = answers[1]
      guard answer.rowCount > 0 else { return nil }
      guard let snapshot = SnapshotRow.snapshot(answer, at: revision) else {
        throw .damaged(name, "the row of the snapshot at revision \(revision) is invalid")
      }
      return snapshot
    }

    /// Removes the snapshot of a revision, if there is one.
    public func removeSnapshot(at revision: Revision) async throws(JournalError) {
      try checkWritable()
      _ = try await write(statements.removing, Parameters(.number(place.number), .number(revision.number)), "remove a snapshot")
    }

    // MARK: Checking, closing

    /// Checks that the number of the journal's rows equals the revision of its head, that no id occurs twice, and that the rows by which a
    /// server decides match the entries, or, in a compacted journal that stores write, the ids of the removed entries. `pg_amcheck` checks PostgreSQL's own pages and indexes.
    ///
    /// - Throws: ``/AlterJournal/JournalError`` `damaged`.
    /// - Complexity: O(entries).
    public func verifyStorage() async throws(JournalError) {
      let answer = try await read(statements.census, Parameters(.number(place.number)), "check its rows")
      guard let count = answer.number(0, 0), let last = answer.number(0, 1), let ids = answer.number(0, 2),
        let head = answer.number(0, 3), let floor = answer.number(0, 4)
      else { throw .damaged(name, "the row with its head is missing") }
      guard last <= head else {
        throw .damaged(
          name, at: Revision(head).next, "there are entries up to revision \(last), but the journal's head says it ends before")
      }
      let expected = head.saturatingSubtracting(floor)
      guard count == expected else { throw .damaged(name, "it has \(count) entries, but its head says \(expected)") }
      guard ids == count else { throw .damaged(name, "of \(count) entries, only \(ids) have a unique id") }
      try await checkFloor()
      try await checkRows()
    }

    /// Closes the journal: waiting and later calls throw `closed`. The process's connections stay open for its other journals. A connection
    /// without work is closed after 30 to 60 seconds.
    public func close() async {
      let (waits, turn) = state.withLock { state in
        state.isClosed = true
        defer { (state.waits, state.turn) = ([:], nil) }
        return (state.waits, state.turn)
      }
      line.dismiss(ObjectIdentifier(waiters))
      for wait in waits.values { wait.giveUp(.closed(name)) }
      turn?.end {}
      waiters.finish(.closed(name))
      pool.unfollow(place, ObjectIdentifier(waiters))
    }

    // MARK: Sending statements

    func checkOpen() throws(JournalError) {
      if state.withLock({ $0.isClosed }) { throw .closed(name) }
    }

    func checkWritable() throws(JournalError) {
      try checkOpen()
      guard isReadOnly else { return }
      throw JournalError(.readOnly, journal: name, message: "was opened for reading only. Open it without isReadOnly to write.")
    }

    /// Sends statements that only read, in one round trip.
    ///
    /// - Parameters:
    ///   - activity: The activity as a verb, for errors.
    ///   - calls: The statements.
    func read(_ activity: String, _ calls: [Call]) async throws(JournalError) -> [ServerAnswer] {
      try checkOpen()
      switch await reading(calls) {
      case .success(let answers): return answers
      case .failure(let failure): throw translated(failure, doing: activity)
      }
    }

    func read(_ statement: String, _ parameters: Parameters, _ activity: String) async throws(JournalError) -> ServerAnswer {
      try await read(activity, [Call(statement, parameters)])[0]
    }

    /// Sends statements that only read, and returns the failure as it is.
    func reading(_ calls: [Call]) async -> Result<[ServerAnswer], ServerFailure> {
      await pool.explaining(pool.retrying(calls), in: schema)
    }

    /// Reads the journal's row.
    func row(_ activity: String) async throws(JournalError) -> HeadRow {
      try HeadRow(try await read(statements.head, Parameters(.number(place.number)), activity), of: name)
    }

    private func write(_ statement: String, _ parameters: Parameters, _ activity: String) async throws(JournalError) -> ServerAnswer {
      try result(await pool.explaining(pool.run([Call(statement, parameters)], in: .writing), in: schema), activity)
    }

    /// Sends statements that write and may have to wait for another process's lock.
    func write(
      _ activity: String, _ calls: @escaping @Sendable (Duration) -> [Call]
    ) async throws(JournalError) -> ServerAnswer {
      try result(await locking(calls), activity)
    }

    /// Translates a failure for this journal.
    func translated(_ failure: ServerFailure, doing activity: String, mayBeDone: Bool = false) -> JournalError {
      .translated(failure, in: name, doing: activity, mayBeDone: mayBeDone, couldWrite: !onlyReadAtOpening)
    }

    private func result(_ result: Result<[ServerAnswer], ServerFailure>, _ activity: String) throws(JournalError) -> ServerAnswer {
      switch result {
      case .success(let answers): return answers[answers.count - 1]
      case .failure(let failure): throw translated(failure, doing: activity, mayBeDone: true)
      }
    }
  }
#endif
