public import AlterCore
public import AlterJournal

extension Store {
  /// Returns the confirmed state at a revision, under the undos up to that revision.
  ///
  /// - Parameter revision: A revision from 1, whose entry holds the initial state, to ``revision``. There is no state at 0, the empty journal.
  /// - Throws: ``/AlterJournal/JournalError`` `noSuchRevision` beyond the head; `refusedAtReplay`, unless ``StoreOptions/refusedAtReplay``
  ///   is `skip`. A store in memory has only the states of its undo window, and throws `noSuchRevision` for older ones.
  /// - Complexity: O(the nearest snapshot before the revision + entries from there); within the kept history, O(kept entries).
  public func state(at revision: Revision) async throws(JournalError) -> State {
    let (head, base, kept) = core.withLock { core in
      let history = core.replica.history
      return (history.revision, history.base, revision <= history.revision ? history.state(at: revision) : nil)
    }
    if let kept {
      if revision < head { try await checkFloor(at: revision) }
      return kept
    }
    guard let upstream, !upstream.isSynced || revision <= head else { throw .notKept(journalName, revision, "the states", base, head) }
    return try await upstream.state(at: revision, refused: options.refusedAtReplay)
  }

  /// Throws if a state that the store has in memory lies below the floor of its journal, where states are gone. Only the journal knows its floor:
  /// another program may have compacted it.
  func checkFloor(at revision: Revision) async throws(JournalError) {
    if let floor = try await upstream?.floor(), revision < floor { throw .belowFloor(journalName, at: revision, floor: floor) }
  }
}

extension JournalError {
  /// A store without a journal that it could read has released a revision, or never had it.
  static func notKept(_ name: String, _ revision: Revision, _ what: String, _ first: Revision, _ last: Revision) -> JournalError {
    guard revision > .zero, revision < first, first <= last else { return .noSuchRevision(name, revision, head: last) }
    return JournalError(
      .noSuchRevision, journal: name, revision: revision,
      message: "can't show revision \(revision): this store keeps \(what) from revision \(first) to \(last).")
  }
}

// MARK: - Reading without opening

extension Store where State: Journaled {
  /// Returns the state of a journal at a revision, without opening a store on it. Nothing is written, and entries after the revision may be
  /// damaged or newer.
  ///
  /// - Parameters:
  ///   - revision: A revision from 1 to the journal's head.
  ///   - journal: The journal to read.
  ///   - refused: The treatment of an entry that this version of the app refuses.
  /// - Throws: ``/AlterJournal/JournalError``: `noSuchRevision` beyond the head, `damaged` if an entry up to the revision is damaged,
  ///   `refusedAtReplay`.
  /// - Complexity: O(the nearest snapshot before the revision + entries from there).
  @inlinable
  public static func state(
    at revision: Revision, in journal: any Journal, refusedAtReplay refused: RefusedAtReplay = .fail
  ) async throws(JournalError) -> State {
    try await state(at: revision, in: journal, refusedAtReplay: refused, folding: FoldLoop())
  }

  @usableFromInline
  static func state(
    at revision: Revision, in journal: any Journal, refusedAtReplay refused: RefusedAtReplay, folding loop: FoldLoop<State>
  ) async throws(JournalError) -> State {
    try await Backend<State>(journal: journal, coding: .json(by: loop)).state(at: revision, refused: refused)
  }

  /// Passes each entry of a journal to a closure, in order, up to the present head, without opening a store on it. Nothing is written.
  ///
  /// - Parameters:
  ///   - journal: The journal to read.
  ///   - body: Receives one record. If an entry cannot be read, the closure has received all records before it when the error is thrown.
  /// - Throws: ``/AlterJournal/JournalError``: `damaged`, `newerSchema` and `undecodable` name the entry.
  /// - Complexity: O(entries), with one page of them in memory.
  public static func entries(in journal: any Journal, _ body: (Record<State>) -> Void) async throws(JournalError) {
    let coding = RecordCoding<State>.json
    try await journal.readVerified { entry throws(JournalError) in
      if let record = try coding.record(entry, journal.name) { body(record) }
    }
  }
}
