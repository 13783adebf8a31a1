#if SQLite
  import AlterCore
  import AlterJournal
  import AlterStore
  import GRDB
  import GRDBSQLite

  /// Moves the rows of a store to its present state: one task at a time.
  final class RowAdvance<State: Alterable>: Sendable {
    typealias PlacedState = RowDatabase<State>.PlacedState

    private struct Progress {
      /// The state whose rows the database has, as far as this process knows.
      var base: PlacedState?
      var schema: Int64?
      var problem: (any Error)?
      var isClosed = false
      /// The last number of missing entries that the monitor has received.
      var lag = 0
    }

    let store: Store<State>
    let pool: any DatabaseWriter
    private let database: RowDatabase<State>
    private let gate = TurnQueue(journal: "rows")
    private let progress = Lock(Progress())

    init(_ store: Store<State>, _ pool: any DatabaseWriter, _ database: RowDatabase<State>) {
      (self.store, self.pool, self.database) = (store, pool, database)
    }

    deinit { if case let lag = progress.withLock({ $0.lag }), lag != 0 { store.record(.rowsLag(-lag)) } }

    var status: RowsStatus {
      let (problem, isClosed) = progress.withLock { ($0.problem, $0.isClosed) }
      if isClosed { return .closed }
      if case .outdated? = problem as? RowsError { return .outdated }
      if let problem { return .waiting(problem) }
      return lag == 0 ? .current : .behind(by: lag)
    }

    /// The number of entries that the rows lack; at least 1 unless they are those of the state.
    private var lag: Int {
      let (base, place) = (progress.withLock { $0.base?.place }, present.place)
      return base == place ? 0 : max(1, place.head.revision - (base?.head.revision ?? .zero))
    }

    /// Moves the rows to the state that they show now, or to a later one.
    ///
    /// - Throws: The reason why they can't be moved. The store is unharmed.
    func run() async throws {
      if try await isCurrent() { return }
      let turn = try await gate.take()
      defer { turn.end() }
      if try await isCurrent() { return }
      let start = ContinuousClock.now
      do {
        try await move()
        store.record(.rowsMoved(ContinuousClock.now - start))
        tellMonitor(nil)
      } catch {
        if !Task.isCancelled { tellMonitor(error) }
        throw error
      }
    }

    /// Notes the outcome of an attempt, and tells the store's monitor what has changed.
    private func tellMonitor(_ problem: (any Error)?) {
      let lag = lag
      let (growth, before) = progress.withLock { progress in
        defer { (progress.lag, progress.problem) = (lag, problem) }
        return (lag - progress.lag, progress.problem)
      }
      if growth != 0 { store.record(.rowsLag(growth)) }
      if before == nil, let problem { store.record(.rowsFailed(problem)) }
      if before != nil, problem == nil { store.record(.rowsRecovered) }
    }

    private func isCurrent() async throws -> Bool {
      let place = present.place
      let isCurrent = try progress.withLock { progress in
        if progress.isClosed { throw RowsError.closed }
        return progress.base?.place == place && progress.problem == nil
      }
      guard isCurrent, place.drafts != nil else { return isCurrent }
      // Another process of the device may have written rows without changes that this one has not put into the file yet. An error comes again.
      return (try? await pool.read { [database] in try database.isAt(place, in: $0) }) == true
    }

    /// Moves the rows, and reads them.
    func read<Value: Sendable>(_ value: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
      while true {
        try await run()
        guard store.isSynced else { return try await pool.read(value) }
        // Another process of the device, which does not know this one's newest changes, may have written rows since. Each arrival of a change in
        // the file ends one such case.
        let found: Value? = try await pool.read { [self] connection in
          guard let place = progress.withLock({ $0.base?.place }), try database.isAt(place, in: connection) else { return nil }
          return try value(connection)
        }
        if let found { return found }
      }
    }

    private var present: PlacedState {
      // The store is not gone: this object keeps it.
      let present = store.watch.presentRows()!
      return PlacedState(place: RowPlace(present.head, drafts: present.drafts), state: present.state)
    }

    private func move() async throws {
      var base = progress.withLock { $0.base }
      var replaced: RowPlace?
      var hasRead = false
      while true {
        let target = present
        switch try await move(from: base, to: target, replacing: replaced) {
        case .moved:
          progress.withLock { $0.base = target }
          return
        case .outdated(let version): throw RowsError.outdated(found: version, own: database.version)
        case .elsewhere(let place):
          (base, replaced) = (nil, nil)
          if target.place.isBehind(place), !hasRead {
            // Another process of the device has read more of its file.
            try await store.readOthers()
            hasRead = true
          } else if try await !isPast(place.head) || place.drafts?.hash != nil {
            // The changes that another process has shown, or an earlier one, are not known one by one.
            replaced = place
          } else if place.head.revision > target.place.head.revision {
            // Another process has read more of the journal.
            try await store.readOthers()
            guard store.revision >= place.head.revision else { throw RowsError.ahead }
          } else {
            do throws(JournalError) { base = PlacedState(place: place, state: try await store.state(at: place.head.revision)) } catch {
              guard error.code == .noSuchRevision else { throw error }
              replaced = place
            }
          }
        }
      }
    }

    /// Whether the history of the store's journal contains a place.
    private func isPast(_ place: Head) async throws -> Bool {
      guard place.journal == present.place.head.journal else { return false }
      return try await store.place(at: place.revision, of: place.journal) == place
    }

    private func move(from base: PlacedState?, to target: PlacedState, replacing replaced: RowPlace?) async throws
      -> RowDatabase<State>.Advanced
    {
      let schema = progress.withLock { $0.schema }
      // An app that has not chosen otherwise waits for other processes that write rows, which takes milliseconds.
      let isPatient = if case .immediateError = pool.configuration.busyMode { true } else { false }
      let (outcome, known) = try await pool.writeWithoutTransaction { [database] connection in
        try connection.advancing(isPatient: isPatient) {
          var known = schema
          var outcome: RowDatabase<State>.Advanced?
          try connection.inTransaction(.immediate) {
            let moved = try database.move(from: base, to: target, replacing: replaced, known: &known, in: connection)
            outcome = moved
            if case .moved = moved { return .commit }
            return .rollback
          }
          return (outcome!, known)
        }
      }
      progress.withLock { $0.schema = known }
      return outcome
    }

    func verify() async throws {
      while true {
        try await run()
        guard let base = progress.withLock({ $0.base }) else { continue }
        if try await pool.write({ [database] in try database.verify(base, in: $0) }) { return }
        // Another process has moved the rows.
        progress.withLock { $0.base = nil }
      }
    }

    func vacuum() async throws {
      try await run()
      try await pool.writeWithoutTransaction { [database] in try database.vacuum($0) }
    }

    /// The shortest time between two moves while no caller reads. Changes in quick succession share a transaction, so that their appends do not
    /// wait for the disk and the processor beside a move for each of them.
    private static var pause: Duration { .milliseconds(2) }

    /// Follows the store until it is closed, or the task is cancelled.
    func follow() async {
      var backoff = Backoff()
      var version: Int64 = -1
      var next = ContinuousClock.now
      while !Task.isCancelled {
        do {
          version = store.watch.presentRows()!.version
          try await run()
          (backoff, next) = (Backoff(), .now + Self.pause)
        } catch RowsError.outdated {
          return
        } catch {
          try? await Task.sleep(for: backoff.next())
          continue
        }
        do { try await store.watch.wait(past: version) } catch {
          // The store was closed, and has written everything.
          if !Task.isCancelled { try? await run() }
          return
        }
        if next > .now { try? await Task.sleep(until: next, tolerance: .zero) }
      }
    }

    func close() {
      let lag = progress.withLock { progress in
        defer { (progress.isClosed, progress.base, progress.lag) = (true, nil, 0) }
        return progress.lag
      }
      if lag != 0 { store.record(.rowsLag(-lag)) }
    }
  }

  extension Database {
    /// Runs the transaction of an advance without waiting for the disk at the commit. In a write-ahead log the database stays sound at a power
    /// loss: its last commits may be missing, and their rows are written again from the journal.
    ///
    /// - Parameter isPatient: Whether to wait half a second for another connection's transaction.
    fileprivate func advancing<Result>(isPatient: Bool, _ body: () throws -> Result) throws -> Result {
      // GRDB throws here if the connection was closed; SQLite's C interface would trap.
      let level = try Int.fetchOne(self, sql: "PRAGMA synchronous") ?? 0
      if isPatient { sqlite3_busy_timeout(sqliteConnection, 500) }
      defer { if isPatient { sqlite3_busy_timeout(sqliteConnection, 0) } }
      guard level > 1, try String.fetchOne(self, sql: "PRAGMA journal_mode") == "wal" else { return try body() }
      // GRDB would not set it back in a task that was cancelled.
      sqlite3_exec(sqliteConnection, "PRAGMA synchronous = 1", nil, nil, nil)
      defer { sqlite3_exec(sqliteConnection, "PRAGMA synchronous = \(level)", nil, nil, nil) }
      return try body()
    }
  }
#endif
