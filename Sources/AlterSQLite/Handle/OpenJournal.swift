#if SQLite
  import AlterCore
  import AlterJournal

  /// One journal as one handle has it open: its number in the file, and all that the handles of the file do not share.
  final class OpenJournal: Sendable {
    /// The number of the journal in the rows of its entries.
    let number: Int64
    /// The name in errors: the path, followed by the key unless it is 'main'.
    let name: String
    /// The longest time that a call waits for other processes.
    let lockTimeout: Duration
    /// The tasks that wait for entries.
    let waiters: RevisionCount
    /// The tasks that wait for transactions of a device's file.
    let transactions: EventCount<Int64>
    /// The files that show that the holders of this handle's leases are alive.
    let holders: HolderFiles

    private struct State {
      /// The calls that may be waiting for the lock.
      var calls: [ObjectIdentifier: LockWait] = [:]
      var turn: ObjectIdentifier?
      var isCounted = false
      /// The closing, once it has begun.
      var closing: Task<Void, Never>?
    }

    private let state = Lock(State())

    /// Creates a journal that is open in a file.
    init(_ row: JournalRow, name: String, lockTimeout: Duration, location: FileLocation) {
      number = row.number
      self.name = name
      self.lockTimeout = lockTimeout
      waiters = RevisionCount(journal: name)
      transactions = EventCount(journal: name)
      holders = HolderFiles(location)
    }

    /// Whether the entries have been counted.
    var isCounted: Bool {
      get { state.withLock { $0.isCounted } }
      set { state.withLock { $0.isCounted = newValue } }
    }

    /// The handle's turn, by its identity.
    var turn: ObjectIdentifier? {
      get { state.withLock { $0.turn } }
      set { state.withLock { $0.turn = newValue } }
    }

    /// Whether the handle was closed, or is being closed.
    var isClosed: Bool { state.withLock { $0.closing != nil } }

    /// Throws `closed` once the handle was closed.
    func checkOpen() throws(JournalError) { if isClosed { throw .closed(name) } }

    /// Registers a call that may have to wait.
    ///
    /// - Throws: `closed` once the handle was closed.
    func begin(_ wait: LockWait) throws(JournalError) {
      let isOpen = state.withLock { state in
        if state.closing == nil { state.calls[ObjectIdentifier(wait)] = wait }
        return state.closing == nil
      }
      if !isOpen { throw .closed(name) }
    }

    /// Unregisters a call.
    func finish(_ wait: LockWait) { state.withLock { $0.calls[ObjectIdentifier(wait)] = nil } }

    /// Begins the closing, unless it has begun, and ends every wait.
    ///
    /// - Parameter work: Closes the handle. It runs in a task of its own, which no caller can cancel.
    /// - Returns: The closing.
    func close(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      let (closing, calls): (Task<Void, Never>, [LockWait]) = state.withLock { state in
        if let closing = state.closing { return (closing, []) }
        let closing = Task.detached { await work() }
        state.closing = closing
        return (closing, Array(state.calls.values))
      }
      for call in calls { call.giveUp(.closed(name)) }
      waiters.finish(.closed(name))
      transactions.finish(.closed(name))
      return closing
    }
  }
#endif
