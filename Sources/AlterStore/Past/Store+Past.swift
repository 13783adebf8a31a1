public import AlterCore
public import AlterJournal

extension Store {
  /// The state as it was at a revision: confirmed history, by the undos of that time.
  ///
  /// - Parameter revision: 1 (the initial state) to ``revision``.
  /// - Throws: ``/AlterJournal/JournalError`` `noSuchRevision` beyond the head, `refusedAtReplay` unless the options say to leave such entries out. A store in memory knows only what its undo window covers.
  /// - Complexity: O(the nearest snapshot before it + entries from there).
  public func state(at revision: Revision) async throws(JournalError) -> State {
    let (head, kept) = core.withLock { core in
      (core.replica.history.revision, revision <= core.replica.history.revision ? core.replica.history.state(at: revision) : nil)
    }
    if let kept { return kept }
    guard let backend else { throw .noSuchRevision("memory", revision, head: head) }
    return try await backend.state(at: revision, refused: options.refusedAtReplay)
  }
}

// MARK: - Reading without opening

extension Store where State: Journaled {
  /// The state that a journal held at a revision, without opening a store on it: nothing is written, and what lies beyond the revision
  /// may be damaged or newer.
  ///
  /// - Parameters:
  ///   - revision: 1 to the journal's head.
  ///   - journal: Where to read.
  ///   - refused: What to do with an entry that this version of the app refuses.
  /// - Throws: ``/AlterJournal/JournalError``: `noSuchRevision` beyond the head, `damaged` when an entry up to there is, `refusedAtReplay`.
  /// - Complexity: O(the nearest snapshot before it + entries from there).
  public static func state(
    at revision: Revision, in journal: any Journal, refusedAtReplay refused: RefusedAtReplay = .fail
  ) async throws(JournalError) -> State {
    try await Backend<State>(journal: journal, coding: .json).state(at: revision, refused: refused)
  }

  /// Hands each entry of a journal to a closure, in order, up to the present head, without opening a store on it: nothing is written.
  ///
  /// - Parameters:
  ///   - journal: Where to read.
  ///   - body: Takes one record. What came before an entry that can't be read has been handed over when the error is thrown.
  /// - Throws: ``/AlterJournal/JournalError``: `damaged`, `newerSchema` and `undecodable` name the entry.
  /// - Complexity: O(entries), one page of them in memory.
  public static func entries(in journal: any Journal, _ body: (Record<State>) -> Void) async throws(JournalError) {
    let coding = RecordCoding<State>.json
    try await journal.readVerified { entry throws(JournalError) in
      body(try coding.record(entry, journal.name))
    }
  }
}
