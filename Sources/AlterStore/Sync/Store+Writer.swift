import AlterCore
import AlterJournal

/// The writer: carries a replica's work to the journal.
///
/// One writer task runs while something is pending. It takes whatever is pending as one flight, so that many changes share one
/// sync to disk, and hands over the gate between flights, so that the reader gets its turn.
extension Store {
  /// Starts the writer. Whoever calls has set `isWriting` under the lock, and it was not set before.
  @usableFromInline
  func startWriting() {
    // The task holds the store: dropping it without closing still writes what is pending.
    // It neither inherits the priority of whoever makes a change nor what is local to his task.
    Task.detached { await self.write() }
  }

  private func write() async {
    while true {
      guard let turn = try? await gate.take() else { return }
      defer { turn.end() }
      let flight: Replica<State>.Flight? = core.withLock { core in
        if core.status == .open, let flight = core.replica.takeFlight() { return flight }
        core.isWriting = false
        return nil
      }
      guard let flight else { return }
      do throws(JournalError) { try await land(flight) } catch { fail(error) }
    }
  }

  /// Brings one flight, and whatever becomes of it after conflicts, into the journal.
  private func land(_ first: Replica<State>.Flight) async throws(JournalError) {
    guard let journal = backend?.journal else { return }
    var (flight, drafts) = await prepare(first)
    var turn: Turn?
    defer { turn?.end() }
    var backoff = Backoff()
    // Whether the journal may have the flight although it has not said so.
    var mayBeThere = false
    while !drafts.isEmpty, isOpen {
      do throws(JournalError) {
        let appended = try await append(drafts, of: flight, to: journal, in: turn)
        goesOn(.writer)
        if await take(flight, at: appended) {
          count(drafts, from: appended.first)
          startSnapshotIfDue()
          return
        }
        // It is there, and others have written before it: reading shows both.
        let known = revision
        try await retrying { () async throws(JournalError) in _ = try await self.catchUp() }
        guard revision > known || !isOpen else { throw .contradicts(journal.name, appended: appended.first, head: known) }
      } catch {
        // A turn is for one append. The store never pauses in one, which would keep every other writer waiting.
        turn?.end()
        turn = nil
        switch error.code {
        case .conflict:
          goesOn(.writer)
          core.withLock { $0.replica.turnedBack(flight) }
          turn = try await takeTurn(behind: (error.revision ?? .zero) - revision)
        case .originCollision:
          goesOn(.writer)
          // A part of the flight may be there, from an append whose answer was lost: reading shows it, and whether an id of ours has other content.
          core.withLock { $0.replica.turnedBack(flight) }
          let known = revision
          try await retrying { () async throws(JournalError) in _ = try await self.catchUp() }
          if revision == known {
            let origin = options.origin()
            await rework { replica, _ in replica.renew(origin) }
          }
        case .unencodable where flight.records.count == 1:
          goesOn(.writer)
          let sequence = flight.records[0].id.sequence
          await rework { replica, _ in replica.discard(sequence, because: .failed(error)) }
        case .staleLease:
          guard let lease = error.lease else { throw error }
          goesOn(.writer)
          await rework { replica, _ in replica.discard(under: lease) }
        case _ where error.isTransient:
          // The outcome may be unknown: the same drafts again, and the journal finds them if they are there.
          if error.leavesOutcomeUnknown { mayBeThere = true }
          core.withLock { $0.replica.isDoubtful(flight, mayBeThere) }
          guard isOpen else { return }
          waits(.writer, for: error)
          let weighing = startEncodingAhead(of: flight)
          try? await options.sleep(backoff.next())
          await endEncodingAhead(weighing)
          core.withLock { $0.replica.isDoubtful(flight, true) }
          continue
        default:
          core.withLock { $0.replica.isDoubtful(flight, mayBeThere || error.leavesOutcomeUnknown) }
          throw error
        }
      }
      backoff = Backoff()
      mayBeThere = false
      guard let next = core.withLock({ $0.replica.takeFlight() }) else { return }
      (flight, drafts) = await prepare(next)
    }
  }

  /// Takes in that a flight has landed.
  ///
  /// - Returns: false when others have written before it; reading shows both.
  private func take(_ flight: Replica<State>.Flight, at appended: Appended) async -> Bool {
    // What was applied already, and isn't told step by step, is taken in at once; and so is what is little: a copy of the replica costs as much as its window.
    let isQuick = core.withLock { flight.isLittle || !flight.isLong && !$0.wantsSteps }
    if isQuick { return report(evenAtTheEnd: true) { $0.landed(flight, at: appended, wantsSteps: $1) } }
    if await rework(evenAtTheEnd: true, { $0.landed(flight, at: appended, wantsSteps: $1) }) { return true }
    core.withLock { $0.replica.isElsewhere(flight) }
    return false
  }

  /// Waits in line for the right to append after a conflict, and takes in what others have written: then none of them can be first again.
  ///
  /// The bulk is read before: the turn is held while no more than a page is read.
  ///
  /// - Parameter behind: How many entries are known to be missing.
  private func takeTurn(behind: Int) async throws(JournalError) -> Turn? {
    guard let journal = backend?.journal else { return nil }
    var isFarBehind = behind >= CatchUp<State>.pageSize
    var tries = 0
    while isOpen {
      if isFarBehind { try await retrying { () async throws(JournalError) in _ = try await self.catchUp() } }
      let turn = try await retrying { () async throws(JournalError) in try await journal.takeTurn() }
      tries += 1
      do throws(JournalError) {
        // Whoever has stood in line several times in vain reads to the end, however much that is.
        if try await catchUp(pages: tries < 4 ? 1 : .max) { return turn }
        turn.end()
        isFarBehind = true
      } catch {
        turn.end()
        guard error.isTransient else { throw error }
        isFarBehind = true
      }
    }
    return nil
  }

  /// Repeats what meets a passing failure, in growing pauses.
  private func retrying<Result: Sendable>(_ body: () async throws(JournalError) -> Result) async throws(JournalError) -> Result {
    var backoff = Backoff()
    while true {
      do throws(JournalError) {
        let result = try await body()
        goesOn(.writer)
        return result
      } catch {
        guard error.isTransient, isOpen else { throw error }
        waits(.writer, for: error)
        try? await options.sleep(backoff.next())
      }
    }
  }
}
