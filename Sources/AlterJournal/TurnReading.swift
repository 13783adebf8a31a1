/// A turn, and the entries that were read when it began.
package struct TurnReading: Sendable {
  /// The turn.
  package let turn: Turn
  /// The end of the journal. It stays the end until the turn's append, or until the turn is ended.
  package let head: Head
  /// The head that the writer knew before.
  package let start: Head?
  /// The first entries from that of ``start`` on; the first ones of the journal if there is no start. Not verified.
  package let entries: [Entry]

  /// Creates a turn with its entries. Journals create it.
  package init(_ turn: Turn, head: Head, start: Head?, entries: [Entry]) {
    self.turn = turn
    self.head = head
    self.start = start
    self.entries = entries
  }
}

/// A journal that reads the missed entries as it grants a turn, without a further round trip. Other writers wait for less time then.
package protocol TurnReadingJournal: Journal {
  /// Takes a turn, as ``Journal/takeTurn()`` does, and reads the entries that the writer has missed.
  ///
  /// The journal may end the turn of a writer that hesitates. It waits for longer the more attempts the caller has made, so that a slow writer
  /// gets its turn in the end, while the first attempt of a writer that stops delays the others only for a moment.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of entries to read. Fewer may be read.
  ///   - attempt: The number of attempts before this one that ended without an append.
  ///   - start: Returns the last head that the writer knows; nil for the beginning. It is called while other writers can still append, and
  ///     receives whether this writer has waited for other writers of its process.
  /// - Throws: ``JournalError``: the errors of ``Journal/takeTurn()``, of ``Journal/entries(after:limit:)`` and of the closure. The turn has
  ///   then ended.
  func takeTurn(
    limit: Int, attempt: Int, from start: @Sendable (_ hasWaited: Bool) async throws(JournalError) -> Head?
  ) async throws(JournalError) -> TurnReading

  /// The group of this process's writers of the journal whose appends survive the same failures.
  var group: AppendGroup { get }

  /// Appends the drafts of several writers at a head, in the turn of one of them: all or none, in order.
  ///
  /// - Parameters:
  ///   - parts: The drafts of each writer: at least one, with consecutive sequences of one origin.
  ///   - head: The end of the journal, as the turn has read it.
  ///   - turn: The turn.
  ///   - leases: The leases of all writers.
  /// - Throws: ``JournalError``: as ``Journal/append(_:after:in:under:)``, for all drafts.
  func append(_ parts: [[Entry.Draft]], after head: Head, in turn: Turn, under leases: [Lease]) async throws(JournalError) -> Appended

  /// Records that an append of another handle may have made these drafts. Reading confirms them before it returns them.
  func doubt(_ drafts: [Entry.Draft])
}
