import AlterCore

/// A journal that can give up its oldest entries. ``Journal/compact(_:)`` combines these steps; see `Design/0022-compaction.md`.
package protocol CompactableJournal: CompactedJournal {
  /// Moves the floor to the head of a snapshot, whose base is its head, in one transaction. The state is data from then on.
  ///
  /// A floor that is not below it stays, and nothing is changed.
  ///
  /// - Parameters:
  ///   - pinned: The state at the new floor.
  ///   - seen: The head up to which the caller has checked that no undo names an entry below the floor. Later entries are checked here.
  /// - Throws: ``JournalError``: `conflict` if a later undo names an entry below the floor, or if a later entry or any snapshot has a newer
  ///   schema than the state, `newerSchema` if a snapshot of its schema has a stored form of more names, `diverged` if the floor is not in the history, `readOnly` if the journal is a device's copy of a server's.
  func moveFloor(to pinned: Snapshot, seen: Head) async throws(JournalError)

  /// Removes some of the rows that lie below the floor, in a bounded transaction.
  ///
  /// - Returns: Whether there may be more.
  func removeBelowFloor() async throws(JournalError) -> Bool

  /// Returns some free space of the file to the system, in a bounded transaction. A file that can only be rewritten as a whole stays as it is.
  ///
  /// - Returns: Whether there may be more.
  func shrink() async throws(JournalError) -> Bool

  /// Rewrites the whole file without its free space. Writers wait meanwhile.
  func vacuum() async throws(JournalError)
}

/// A journal that knows the ids of its entries below the floor.
package protocol CompactedJournal: Journal {
  /// Returns the revisions of those ids whose entries were below the floor. Ids that the journal never had are left out.
  func compacted(_ ids: [EntryID]) async throws(JournalError) -> [EntryID: Revision]
}

extension Journal {
  /// Returns the revisions of those ids whose entries were below the floor; none for a journal without compaction.
  ///
  /// - Throws: ``JournalError``: `failed` if the journal has a floor and doesn't know these ids, as another type that wraps a journal: a
  ///   change could be written twice.
  package func compactedRevisions(of ids: [EntryID]) async throws(JournalError) -> [EntryID: Revision] {
    guard let journal = self as? any CompactedJournal else {
      guard let floor = try await floor() else { return [:] }
      throw JournalError(
        .failed, journal: name, revision: floor.revision,
        message: """
          was compacted up to revision \(floor.revision), and \(Self.self) can't tell which changes were written before. Nothing was written. Open a \
          store on the journal itself, not on a type that wraps it.
          """)
    }
    return try await journal.compacted(ids)
  }

  /// Rewrites the whole file of the journal without its free space. Writers wait meanwhile. A journal without a file stays as it is.
  package func vacuumed() async throws(JournalError) { try await (self as? any CompactableJournal)?.vacuum() }
}

extension JournalError {
  /// An undo was appended whose entry a compaction has removed.
  package static func undoBelowFloor(_ name: String, _ id: EntryID, floor: Revision) -> JournalError {
    JournalError(
      .noSuchRevision, journal: name, revision: floor,
      message: """
        can't undo the entry \(id): it is not above revision \(floor), where this compacted journal begins. Nothing was written. Make a \
        change that has the opposite effect instead.
        """)
  }

  /// A newer version of the app has written to the journal since the plan.
  package static func planHasOldSchema(_ name: String, _ schema: Int, newest: Int, at head: Revision) -> JournalError {
    planIsOutdated(name, "the state has schema \(schema), and a newer version of the app has written schema \(newest)", at: head)
  }

  /// Another build of the app, whose stored form has more names, has made a snapshot or the state at the floor.
  package static func planHasFewerNames(_ name: String, at head: Revision) -> JournalError {
    JournalError(
      .newerSchema, journal: name, revision: head,
      message: """
        was not compacted: another build of the app, of the same schema version, uses the journal, and its state has values that this build does not \
        know. Nothing was changed. Let the newest build compact the journal.
        """)
  }

  /// An entry to give up, or the state at the floor, has a name that the state's build does not know: the new floor would lack its value.
  package static func planHasUnknownName(_ name: String, at revision: Revision) -> JournalError {
    JournalError(
      .newerSchema, journal: name, revision: revision,
      message: """
        was not compacted: another build of the app, of the same schema version, has written revision \(revision) with a name that this build does \
        not know, and its value would be lost. Nothing was changed. Let the newest build compact the journal. If this is the newest one, because a \
        property was removed, raise the schema version.
        """)
  }

  /// A plan does not fit the journal any more.
  package static func planIsOutdated(_ name: String, _ why: String, at revision: Revision) -> JournalError {
    JournalError(
      .conflict, journal: name, revision: revision, message: "was not compacted: \(why). Nothing was changed. Plan the compaction again.")
  }
}
