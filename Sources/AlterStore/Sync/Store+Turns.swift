import AlterCore
import AlterJournal

// Appending to a contended journal: the turn comes first, and brings the missed entries.
extension Store {
  /// The result of a turn that was taken before an append.
  struct TurnOutcome {
    /// The turn, if the pending work is to be appended in it.
    var turn: Turn?
    /// The error of an append, after which the pending work is to be appended again.
    var failure: JournalError?
    /// Whether nothing is left to do of the work for which the turn was taken.
    var isComplete: Bool { turn == nil && failure == nil }
  }

  /// Takes a turn that reads.
  ///
  /// - Parameters:
  ///   - journal: The store's journal.
  ///   - attempt: The number of turns before this one that ended without an append.
  func takeTurn(in journal: any TurnReadingJournal, attempt: Int) async throws(JournalError) -> TurnReading {
    let reading = try await journal.takeTurn(limit: CatchUp<State>.pageSize, attempt: attempt) { hasWaited async throws(JournalError) in
      // The entries of those that were before this store are read before the others have to wait for it.
      if hasWaited { try await self.catchUp() }
      return self.core.withLock { $0.replica.head }
    }
    core.withLock { $0.contention.tookTurn(missed: reading.head != reading.start, now: .now) }
    return reading
  }

  /// Takes a turn, folds the missed entries into a copy of the replica, and appends the pending work on top of them. Only then are both
  /// reported, so that observers don't run while other writers wait.
  ///
  /// - Returns: The turn, if nothing was missed or the work is too large for that. Nothing was appended in it.
  func landInTurn() async throws(JournalError) -> TurnOutcome {
    guard let backend, let journal = backend.journal as? any TurnReadingJournal else { return TurnOutcome() }
    encodeFirst(by: backend)
    let reading = try await retrying { () async throws(JournalError) in try await self.takeTurn(in: journal, attempt: 0) }
    guard var catchUp = CatchUp(self, backend, hasSteps: false) else {
      reading.turn.end()
      return TurnOutcome()
    }
    var isEnd = false
    var ready: (flight: Replica<State>.Flight, drafts: [Entry.Draft])?
    do throws(JournalError) {
      isEnd = try await catchUp.read(pages: 1, from: reading, of: self)
      if isEnd, let flight = try await catchUp.takeFlight(of: self) {
        if let drafts = drafts(atOnce: flight) { ready = (flight, drafts) } else { catchUp.turnedBack(flight, mayBeThere: false) }
      }
    } catch {
      reading.turn.end()
      guard error.isTransient else { throw error }
      isEnd = false
    }
    if let (flight, drafts) = ready { return try await land(flight, drafts, on: catchUp, in: reading.turn, of: journal) }
    guard isEnd else {
      reading.turn.end()
      _ = try await catchUp.end(in: self)
      try await retrying { () async throws(JournalError) in _ = try await self.catchUp() }
      return TurnOutcome()
    }
    guard case .done = try await catchUp.end(in: self) else {
      reading.turn.end()
      return TurnOutcome()
    }
    return TurnOutcome(turn: reading.turn)
  }

  /// Appends a flight of a copy in a turn, and replaces the replica by the copy.
  private func land(
    _ flight: Replica<State>.Flight, _ drafts: [Entry.Draft], on copy: consuming CatchUp<State>, in turn: Turn,
    of journal: any TurnReadingJournal
  ) async throws(JournalError) -> TurnOutcome {
    core.withLock { $0.replica.isDoubtful(through: flight.records[flight.records.count - 1].id.sequence) }
    let start = ContinuousClock.now
    let appended: Appended
    do throws(JournalError) {
      appended = try await journal.append(drafts, after: flight.head, in: turn, under: flight.leases)
    } catch {
      turn.end()
      copy.turnedBack(flight, mayBeThere: error.leavesOutcomeUnknown)
      _ = try await copy.end(in: self)
      return TurnOutcome(failure: error)
    }
    turn.end()
    goesOn(.writer)
    let isConfirmed = copy.landed(flight, at: appended)
    if case .done = try await copy.end(in: self), isConfirmed {
      count(drafts, from: appended.first)
      startSnapshotIfDue()
      record(.flight(changes: flight.records.count, ContinuousClock.now - start))
    } else {
      // The journal has it, and reading confirms it.
      try await retrying { () async throws(JournalError) in _ = try await self.catchUp() }
    }
    return TurnOutcome()
  }

  /// Returns the drafts of a small flight; nil if it is large, or if one cannot be encoded.
  private func drafts(atOnce flight: Replica<State>.Flight) -> [Entry.Draft]? {
    guard let backend, flight.isLittle else { return nil }
    let encoded = ahead.take(through: flight.records[flight.records.count - 1].id.sequence)
    var drafts: [Entry.Draft] = []
    for record in flight.records {
      let known = encoded[record.id.sequence].flatMap { $0.id == record.id ? $0 : nil }
      guard let draft = known ?? (try? backend.coding.draft(record)), draft.size < RecordExtra.heavy else { return nil }
      drafts.append(draft)
    }
    return drafts
  }

  /// Encodes some pending work before the turn.
  private func encodeFirst(by backend: Backend<State>) {
    let records = core.withLock { $0.replica.upcoming(after: ahead.start(after: 0), limit: 64) }
    weigh(ahead.encode(records, by: backend.coding, isNeeded: false))
    ahead.stop()
  }
}
