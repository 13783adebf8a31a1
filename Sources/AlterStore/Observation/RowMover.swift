package import AlterCore
package import AlterJournal

/// Appends a store's work, and moves rows in the same transaction.
package protocol RowMover<State>: AnyObject, Sendable {
  associatedtype State: Alterable

  /// Appends the drafts of several writers, as a journal does, and moves the rows if they belong to the older state. If they do not, or can't
  /// be moved, the append is made without them.
  ///
  /// - Parameters:
  ///   - parts: The drafts of each writer.
  ///   - head: The place of the older state.
  ///   - turn: The writer's turn, if it took one.
  ///   - leases: The leases of all writers.
  ///   - older: The state at the head.
  ///   - newer: The state after the drafts.
  /// - Throws: ``/AlterJournal/JournalError``: the errors of the journal's append.
  func append(
    _ parts: [[Entry.Draft]], after head: Head, in turn: Turn?, under leases: [Lease], from older: State, to newer: State
  ) async throws(JournalError) -> Appended
}

extension Store {
  /// Lets rows move in the transactions of this store's appends.
  ///
  /// - Returns: False if there are other rows.
  package func moveRows(by mover: any RowMover<State>) -> Bool {
    core.withLock { core in
      guard core.rowMover == nil else { return false }
      core.rowMover = mover
      return true
    }
  }

  /// Ends the moving of rows by a mover. That of later rows stays.
  package func stopMovingRows(by mover: any RowMover<State>) { core.withLock { if $0.rowMover === mover { $0.rowMover = nil } } }

  /// The journal; nil for a store of a synced journal or in memory.
  package var plainJournal: (any Journal)? { backend?.journal }
}
