import AlterCore
public import AlterJournal

extension Store where State: Journaled {
  /// Copies this store's journal into another, empty one.
  ///
  /// Squashing omits the history: the copy begins with the present confirmed state, and earlier entries cannot be undone, inspected or
  /// found in it. Squash to erase data permanently; then replace the original by the copy while no process has it open.
  ///
  /// - Parameters:
  ///   - target: An empty journal. It is not closed.
  ///   - squashing: Whether to omit the history. A store in memory has no entries to copy, so it always squashes.
  /// - Returns: The head of the copy.
  /// - Throws: ``/AlterJournal/JournalError``: `conflict` if the target is not empty, and the errors of reading and appending.
  /// - Complexity: O(entries); with squashing, O(size of the state).
  @discardableResult
  public func copy(to target: any Journal, squashing: Bool) async throws(JournalError) -> Head {
    if let backend, !squashing { return try await backend.journal.copy(to: target) }
    let head = try await target.head()
    guard head.revision == .zero else {
      throw JournalError(
        .conflict, journal: target.name, revision: head.revision,
        message: "is not empty: it has \(head.revision) entries. Nothing was written. Choose a new journal.")
    }
    let draft = try RecordCoding<State>.json.initialDraft(
      confirmed.state, called: "this state", origin: options.environment.origin(), options: options, for: target)
    return try await target.append([draft], after: head).head
  }
}
