import AlterCore

extension Journal {
  /// Forgets the verdicts of a compacted journal on the drafts of origins that have sent nothing since: they are all that grows without end in
  /// a journal that is compacted regularly, with 16 bytes for each draft.
  ///
  /// It never happens by itself, because it is a horizon for devices. A device that has sent drafts of such an origin, and has had no contact
  /// with the server since, finds this when it returns:
  ///
  /// - **Nothing is applied twice.** Each origin keeps its principal and its last sequence. A draft whose verdict was forgotten is refused as
  ///   `late`, although it may have been accepted. Its user sees the refusal, and can retry it or dismiss it.
  /// - A draft that requires a forgotten one is refused as `requirement`.
  /// - A device whose copy of the journal ends below the floor, and has own entries with forgotten verdicts, stops with the status of a
  ///   restored journal: it cannot distinguish the two. Erase its file and begin a new one; its undecided drafts can be read before.
  ///
  /// Choose a revision that is older than the longest absence of a device.
  ///
  /// - Parameter revision: The last revision that such an origin may have used. One above the floor counts as the floor.
  /// - Returns: The number of origins whose verdicts were forgotten.
  /// - Throws: ``JournalError``: `failed` if no server decides the journal or it cannot be compacted, `cancelled` if the task was cancelled
  ///   between two transactions; the next call continues.
  /// - Complexity: O(verdicts) for each 256 origins.
  @discardableResult
  package func forgetVerdicts(through revision: Revision) async throws(JournalError) -> Int {
    guard let journal = self as? any CompactableJournal, try await role() == .server else { throw .notServed(name) }
    let limit = 256
    var count = 0
    while true {
      let forgotten = try await journal.forgetVerdicts(through: revision, limit: limit)
      count += forgotten
      guard forgotten == limit else { return count }
      guard !Task.isCancelled else {
        throw JournalError(.cancelled, journal: name, message: "has forgotten the verdicts of \(count) origins. Call it again to finish.")
      }
    }
  }
}
