public import AlterCore

/// What went wrong with a journal: what happened, where, and what to do next.
///
/// Compare the ``code-swift.property``; show the ``description``. It never contains a stored payload.
public struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of trouble, stable across versions.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// Another writer appended first. Nothing was written.
    case conflict
    /// The history this replica knows is no ancestor of the journal's: a restored backup, a standby that lagged.
    case diverged
    /// The (origin, sequence) is there with other content: a copied process or file.
    case originCollision
    /// Stored bytes are not what was written.
    case damaged
    /// The file or database is something else.
    case notAJournal
    /// Written in a file format that this version doesn't know.
    case newerFormat
    /// Written by a newer version of the app.
    case newerSchema
    /// Another process holds the lock for longer than one is willing to wait.
    case locked
    /// No space left.
    case full
    /// It can be read but not written.
    case readOnly
    /// There is no such file or folder, or it may not be opened.
    case unreachable
    /// The disk or the connection failed, for good.
    case failed
    /// A passing failure; the same call may succeed later.
    case unavailable
    /// The connection was lost at a moment when the append may or may not have happened: look up, then retry.
    case unknownOutcome
    /// A payload can't be read as the state's type.
    case undecodable
    /// The state refuses an entry that was accepted when it was written, and no undo explains it.
    case refusedAtReplay
    /// A change or state can't be written as JSON.
    case unencodable
    /// Somebody else has the lease.
    case leased
    /// The lease that an append was made under has been taken over.
    case staleLease
    /// A revision that the journal doesn't have.
    case noSuchRevision
    /// The journal was closed.
    case closed
    /// The task was cancelled.
    case cancelled
  }

  /// The kind of trouble.
  public let code: Code
  /// The journal's name: a path, a key, a URL without its password.
  public let journal: String
  /// The entry that it is about, if it is about one.
  public let revision: Revision?
  /// The lease that it is about, if it is about one.
  public let lease: Lease?
  /// What happened, and what to do next.
  public let message: String

  /// An error with the given parts. Adapters make them; the wording of the common ones is in ``JournalError`` itself.
  public init(_ code: Code, journal: String, revision: Revision? = nil, lease: Lease? = nil, message: String) {
    self.lease = lease
    self.code = code
    self.journal = journal
    self.revision = revision
    self.message = message
  }

  /// Whether the same call may succeed if it is simply made again later: when the connection is back, the lock is free, the disk has room.
  public var isTransient: Bool { code == .unavailable || code == .locked || code == .full || code == .unknownOutcome }

  /// Whether an append that ended with this error may have been made all the same.
  package var leavesOutcomeUnknown: Bool { code == .unknownOutcome || code == .failed || code == .closed || code == .cancelled }

  /// As in `Journal 'todo' is at revision 43, but this append expected 41: …`.
  public var description: String { "Journal '\(journal)' \(message)" }
}

// The wording of what every journal can meet, in one place.
extension JournalError {
  package static func conflict(_ journal: String, at head: Revision, expected: Revision) -> JournalError {
    JournalError(
      .conflict, journal: journal, revision: head,
      message: """
        is at revision \(head), but this append expected \(expected): another writer committed first. Read from \(expected) and rebase.
        """)
  }

  package static func diverged(_ journal: String, at revision: Revision, head: Revision) -> JournalError {
    JournalError(
      .diverged, journal: journal, revision: revision,
      message: """
        has a different history than this store has seen (the store knows revision \(revision), the journal ends at \(head)): a backup was \
        restored, or the file was replaced. Nothing was written. Close this store and open it again to continue with the present content.
        """)
  }

  package static func originCollision(_ journal: String, _ id: EntryID, at revision: Revision) -> JournalError {
    JournalError(
      .originCollision, journal: journal, revision: revision,
      message: """
        already holds an entry \(id) with different content, at revision \(revision): this process or its memory was copied. Nothing was \
        written. The store takes a new origin and appends again.
        """)
  }

  package static func damaged(_ journal: String, at revision: Revision, _ why: String) -> JournalError {
    JournalError(
      .damaged, journal: journal, revision: revision,
      message: """
        is damaged at revision \(revision): \(why). Everything before it can still be read. Keep a copy of the file, then restore a \
        backup, or continue from revision \(revision.previous).
        """)
  }

  package static func damaged(_ journal: String, _ why: String) -> JournalError {
    JournalError(
      .damaged, journal: journal,
      message: "is damaged: \(why). Nothing was changed. Keep a copy of the file and restore a backup.")
  }

  package static func newerSchema(_ journal: String, at revision: Revision, found: Int, known: Int) -> JournalError {
    JournalError(
      .newerSchema, journal: journal, revision: revision,
      message: """
        was written by a newer version of this app: revision \(revision) has schema \(found), this version knows \(known). Nothing was \
        changed. Update the app; until then the journal can be read without its types.
        """)
  }

  package static func refusedAtReplay(_ journal: String, at revision: Revision, reason: String) -> JournalError {
    JournalError(
      .refusedAtReplay, journal: journal, revision: revision,
      message: """
        holds at revision \(revision) a change that this version of the app refuses, although it was accepted when it was written: \(reason) Nothing \
        was changed. If a check was made stricter, keep the old meaning for old entries: raise the schema's version, and let its migration turn them \
        into changes that are not checked. To leave such entries out of the state instead, open with `StoreOptions.refusedAtReplay = .skip`.
        """)
  }

  /// Work that was left over is resumed in another journal than it was made for.
  package static func otherJournal(_ journal: String) -> JournalError {
    JournalError(
      .diverged, journal: journal,
      message: """
        is not the journal that these changes were made for. Nothing was written. Resume the changes on their own journal, or make them again.
        """)
  }

  /// A journal has answered an append with a place that its own entries don't confirm.
  package static func contradicts(_ journal: String, appended: Revision, head: Revision) -> JournalError {
    JournalError(
      .failed, journal: journal, revision: appended,
      message: """
        reported an append at revision \(appended), but its entries end at \(head) without it. The store has stopped. Verify the journal, then open it \
        again.
        """)
  }

  package static func noSuchRevision(_ journal: String, _ revision: Revision, head: Revision) -> JournalError {
    JournalError(
      .noSuchRevision, journal: journal, revision: revision,
      message: head == .zero
        ? "has no revision \(revision): it is empty." : "has no revision \(revision): it has 1 to \(head).")
  }

  /// A reader has asked for a journal that isn't there.
  ///
  /// - Parameter others: The keys that there are; of more than ten the first are named.
  package static func noJournal(_ journal: String, key: String, others: [String]) -> JournalError {
    let named = others.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
    return JournalError(
      .unreachable, journal: journal,
      message: """
        can't be read: there is no journal with the key '\(key)'\(others.isEmpty ? "" : ", only with \(named)\(others.count > 10 ? " and others" : "")"). \
        Choose another key, or open it without isReadOnly to create it.
        """)
  }

  package static func leased(_ journal: String, _ lease: Lease) -> JournalError {
    JournalError(
      .leased, journal: journal, lease: lease,
      message:
        "has granted the lease '\(lease.name)' to replica \(lease.holder) (epoch \(lease.epoch)). The lease is free when that replica releases it or fails to renew it."
    )
  }

  package static func staleLease(_ journal: String, _ lease: Lease, epoch: Int64) -> JournalError {
    JournalError(
      .staleLease, journal: journal, lease: lease,
      message:
        "rejected the append: another replica has taken over the lease '\(lease.name)' of epoch \(lease.epoch) (epoch \(epoch)). Nothing was written."
    )
  }

  package static func closed(_ journal: String) -> JournalError {
    JournalError(.closed, journal: journal, message: "is closed. Open it again.")
  }

  package static func cancelled(_ journal: String) -> JournalError {
    JournalError(.cancelled, journal: journal, message: "has ended the wait: the task was cancelled.")
  }
}
