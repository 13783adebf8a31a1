#if Postgres
  import AlterCore
  import AlterJournal
  import AlterPostgres
  import AlterRows
  import AlterStore

  /// Moves the rows of a store: in the transactions of its appends, and in transactions of their own when they are late.
  final class PostgresAdvance<State: Alterable>: RowMover {
    /// A state and its place.
    private struct PlacedState: Sendable {
      let place: Head
      let state: State
    }

    private struct Progress {
      /// The state whose rows the server had when this process last moved them, or found them; nil if it does not know.
      var base: PlacedState?
      /// Whether an append of this process has found the rows elsewhere, or has left them behind. Otherwise they are at the journal's head, as far
      /// as this process knows, because all writers move them with their entries.
      var isLate = false
      var problem: (any Error)?
      var isClosed = false
    }

    let store: Store<State>
    private let journal: PostgresJournal
    private let tables: PostgresTables<State>
    private let gate = TurnQueue(journal: "rows")
    private let progress = Lock(Progress())

    /// The largest move in the transaction of an append, in bytes: other writers wait meanwhile.
    private static var mostBytes: Int { 16 << 20 }

    init(_ store: Store<State>, _ journal: PostgresJournal, _ tables: PostgresTables<State>) {
      (self.store, self.journal, self.tables) = (store, journal, tables)
    }

    var status: RowsStatus {
      let present = present.place
      let progress = progress.withLock { $0 }
      if progress.isClosed { return .closed }
      if case .outdated? = progress.problem as? RowsError { return .outdated }
      if let problem = progress.problem { return .waiting(problem) }
      return progress.isLate ? .behind(by: max(1, present.revision - (progress.base?.place.revision ?? present.revision))) : .current
    }

    private var present: PlacedState {
      // The store is not gone: this object keeps it.
      let present = store.watch.presentRows()!
      return PlacedState(place: present.head, state: present.state)
    }

    // MARK: - With an append

    func append(
      _ parts: [[Entry.Draft]], after head: Head, in turn: Turn?, under leases: [Lease], from older: State, to newer: State
    ) async throws(JournalError) -> Appended {
      let move = await move(after: PlacedState(place: head, state: older), to: newer)
      let appended = try await journal.append(parts: parts, after: head, in: turn, under: leases, moving: move)
      let isMoved = move?.isDone.withLock { $0 } ?? false
      progress.withLock { progress in
        progress.isLate = !isMoved
        if isMoved { progress.base = PlacedState(place: appended.head, state: newer) }
      }
      return appended
    }

    /// The statements that move the rows with an append; nil if they can't be moved now, or too many differ.
    private func move(after head: PlacedState, to newer: State) async -> RowMove? {
      let (isLate, isPossible) = progress.withLock { ($0.isLate, $0.problem == nil && !$0.isClosed) }
      guard isPossible, let from = isLate ? try? await lateState(before: head) : head else { return nil }
      guard let steps = try? tables.steps(from: from.state, to: newer), steps.reduce(0, { $0 + $1.bytes }) <= Self.mostBytes else {
        return nil
      }
      let calls = steps.flatMap { $0.calls(journal.number) }
      let (tables, number) = (tables, journal.number)
      let stored = tables.own(at: from.place)
      return RowMove(fence: { tables.fence(number, from: stored, to: $0) }, calls)
    }

    /// The state of late rows. In a turn nothing is appended meanwhile, so that this append moves them to the head.
    private func lateState(before head: PlacedState) async throws -> PlacedState? {
      guard let stored = try await tables.stored(in: journal), tables.isOwn(stored), let place = stored.place(in: journal.id) else {
        return nil
      }
      if place == head.place { return head }
      if let base = progress.withLock({ $0.base }), base.place == place { return base }
      // Other writers wait meanwhile.
      guard 1...1_000 ~= head.place.revision - place.revision, try await isPast(place) else { return nil }
      return PlacedState(place: place, state: try await store.state(at: place.revision))
    }

    // MARK: - Late rows

    /// Moves the rows to the confirmed state, if they are not there.
    ///
    /// - Parameter isOpening: Whether rows of another build with the same version may be replaced.
    /// - Throws: The reason why they can't be moved. The store is unharmed.
    func run(isOpening: Bool = false) async throws {
      let turn = try await gate.take()
      defer { turn.end() }
      guard !progress.withLock({ $0.isClosed }) else { throw RowsError.closed }
      do {
        try await move(isOpening: isOpening)
        progress.withLock { ($0.problem, $0.isLate) = (nil, false) }
      } catch {
        if !Task.isCancelled { progress.withLock { ($0.problem, $0.base) = (error, nil) } }
        throw error
      }
    }

    private func move(isOpening: Bool) async throws {
      var attempts = 0
      var backoff = Backoff()
      let wanted = present.place.revision
      let deadline = ContinuousClock.now + .seconds(10)
      while true {
        let target = present
        let base = progress.withLock { $0.base }
        let stored = try await tables.stored(in: journal)
        if let stored, !tables.isOwn(stored), !tables.mayReplace(stored, atOpening: isOpening) { throw RowsError.otherBuild }
        let place = stored.flatMap { tables.isOwn($0) ? $0.place(in: journal.id) : nil }
        if let place, place == target.place {
          progress.withLock { $0.base = target }
          return
        }
        var from: PlacedState?
        if let place {
          if place == base?.place {
            from = base
          } else if try await isPast(place) {
            if place.revision > target.place.revision {
              // Another process has moved the rows further than this store has read.
              guard place.revision < wanted || attempts < 3 else { return }
              attempts += 1
              try await store.readOthers()
              continue
            }
            do throws(JournalError) { from = PlacedState(place: place, state: try await store.state(at: place.revision)) } catch {
              guard error.code == .noSuchRevision else { throw error }
            }
          }
        }
        // The append of this process may have moved the rows beyond the confirmed state meanwhile.
        if let base, base.place.revision > target.place.revision, place == base.place { return }
        if try await move(stored, from: from, to: target, until: deadline) {
          progress.withLock { $0.base = target }
          return
        }
        try await Task.sleep(for: backoff.next())
      }
    }

    /// Whether the history of the store's journal contains a place.
    private func isPast(_ place: Head) async throws -> Bool {
      try await store.place(at: place.revision, of: place.journal) == place
    }

    /// Moves the rows in a transaction of its own.
    ///
    /// - Parameters:
    ///   - stored: The row with the place, as it was read.
    ///   - from: The state at that place; nil to make all rows.
    ///   - deadline: The time after which a locked table is an error.
    /// - Returns: False if another process was first.
    private func move(
      _ stored: PostgresTables<State>.Stored?, from: PlacedState?, to target: PlacedState, until deadline: ContinuousClock.Instant
    ) async throws -> Bool {
      let number = journal.number
      let tables = tables
      do {
        var isMoved = false
        try await journal.withRows { run in
          if stored == nil { _ = try await run([tables.beginning(number)]) }
          do throws(RowFailure) {
            _ = try await run([tables.fence(number, from: stored ?? tables.unmade, to: target.place)])
          } catch {
            guard error.state == "22012" else { throw error }
            return false
          }
          if let from, let steps = try? tables.steps(from: from.state, to: target.state) {
            _ = try await run([Call("SAVEPOINT steps")])
            isMoved = try await self.write(steps, run)
          }
          if !isMoved { try await tables.make(target.state, number, run) }
          isMoved = true
          return true
        }
        return isMoved
      } catch let error as RowFailure {
        // A deadlock, or a transaction at the same moment.
        if error.state == "40P01" || error.state == "40001" || error.state == "55P03" && .now < deadline { return false }
        throw tables.explained(error)
      }
    }

    /// Writes a difference after a savepoint. If there is no room for a row, which is why an append can't move rows, the positions are spread.
    ///
    /// - Returns: False if something else has changed the rows. Nothing was written then.
    private func write(
      _ steps: [PostgresSteps], _ run: ([Call]) async throws(RowFailure) -> [ServerAnswer]
    ) async throws(RowFailure) -> Bool {
      let calls = steps.flatMap { $0.calls(journal.number) }
      let spreading = zip(tables.tables, steps).filter { $1.hasArrivals }.map {
        Call($0.0.table.sql.spreading, Parameters(.number(journal.number)))
      }
      for before in [[], spreading] {
        do throws(RowFailure) {
          _ = try await run(before + calls)
          return true
        } catch {
          guard error.state == "22012" || error.state == "22003" else { throw error }
        }
        _ = try await run([Call(once: "ROLLBACK TO steps")])
      }
      return false
    }

    func verify() async throws {
      while true {
        try await run()
        let target = present
        let isDone = Lock(false)
        do {
          try await journal.withRows(isolation: "REPEATABLE READ, READ ONLY") { [tables, journal] run in
            // The first statement takes the transaction's snapshot.
            guard try await tables.isAt(target.place, journal, run) else { return false }
            try await tables.verify(target.state, journal.number, run)
            isDone.withLock { $0 = true }
            return true
          }
        } catch let error as RowFailure { throw tables.explained(error) }
        if isDone.withLock({ $0 }) { return }
      }
    }

    // MARK: - Following

    /// Looks after late rows until the store is closed, or the task is cancelled.
    func follow() async {
      var backoff = Backoff()
      while !Task.isCancelled {
        let version = store.watch.presentRows()!.version
        do {
          if try await isLate() { try await run() }
          backoff = Backoff()
        } catch RowsError.outdated {
          return
        } catch {
          try? await Task.sleep(for: backoff.next())
          continue
        }
        do { try await store.watch.wait(past: version) } catch { return }
      }
    }

    /// Waits for a moment, and returns whether the rows must be looked up: an append has left them behind, or others have appended.
    ///
    /// Several processes look at different moments, so that one of them moves the rows for all.
    private func isLate() async throws -> Bool {
      func isLate() -> Bool {
        let revision = present.place.revision
        return progress.withLock { $0.isLate || $0.problem != nil || ($0.base?.place.revision ?? .zero) < revision }
      }
      guard isLate() else { return false }
      try await Task.sleep(for: .milliseconds(Int.random(in: 1...500)))
      return isLate()
    }

    func close() { progress.withLock { ($0.isClosed, $0.base) = (true, nil) } }
  }
#endif
