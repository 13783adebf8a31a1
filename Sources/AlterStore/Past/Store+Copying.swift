import AlterCore
public import AlterJournal

extension Store where State: Journaled {
  /// Copies this store's journal into another, empty one.
  ///
  /// Squashing leaves the past behind: the copy begins with the present confirmed state, and nothing that was before can be undone, looked at or
  /// found in it. It is how data is erased for good. Then put the copy in the original's place while nobody has it open.
  ///
  /// - Parameters:
  ///   - target: An empty journal. It is not closed.
  ///   - squashing: Whether to leave the past behind. A store in memory has no entries to copy, and always does.
  /// - Returns: The head of the copy.
  /// - Throws: ``/AlterJournal/JournalError``: `conflict` when the target isn't empty, and what reading or appending throws.
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
      confirmed.state, called: "this state", origin: options.origin(), options: options, for: target)
    return try await target.append([draft], after: head).head
  }
}
