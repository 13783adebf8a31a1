import AlterCore

extension Journal {
  /// Forgets the verdicts of a compacted journal on the drafts of origins that have sent nothing since: they are all that grows without end in
  /// a journal that is compacted regularly, with 16 bytes for each draft.
  ///
  /// Internal, because its consequences for devices are not settled: `Design/0022-compaction.md`, 'Forgetting'.
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
