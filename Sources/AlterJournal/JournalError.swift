public import AlterCore

/// An error of a journal. Its message describes the problem, its location and the next step.
///
/// Compare the ``code-swift.property``, and show the ``description``. The text never contains a stored payload.
public struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors. Their raw values are stable across versions.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// Another writer appended first. Nothing was written.
    case conflict
    /// The history that this replica knows is not part of the journal's: a backup was restored, or a standby lagged.
    case diverged
    /// The journal holds an entry of the same origin and sequence with other content: a process or a file was copied.
    case originCollision
    /// Stored bytes differ from the bytes that were written.
    case damaged
    /// The file or database is not a journal.
    case notAJournal
    /// The journal was written in a file format that this version does not support.
    case newerFormat
    /// The journal was written by a newer version of the app.
    case newerSchema
    /// Another process holds the lock for longer than the timeout.
    case locked
    /// No space is left on the disk.
    case full
    /// The journal can be read but not written.
    case readOnly
    /// The file or folder does not exist, or may not be opened.
    case unreachable
    /// The disk or the connection failed permanently.
    case failed
    /// A transient failure. The same call may succeed later.
    case unavailable
    /// The connection was lost during an append, so the drafts may or may not have been written. Retrying is safe: appends are idempotent.
    case unknownOutcome
    /// A payload cannot be decoded as the state's type.
    case undecodable
    /// The state refuses an entry that was accepted when it was written, and no undo explains the refusal.
    case refusedAtReplay
    /// A change or a state cannot be encoded as JSON.
    case unencodable
    /// Another replica holds the lease.
    case leased
    /// The lease of an append was taken over.
    case staleLease
    /// The journal does not have the revision.
    case noSuchRevision
    /// The journal was closed.
    case closed
    /// The task was cancelled.
    case cancelled
  }

  /// The kind of the error.
  public let code: Code
  /// The name of the journal: a path, a key, or a URL without its password.
  public let journal: String
  /// The entry that the error concerns, if any.
  public let revision: Revision?
  /// The lease that the error concerns, if any.
  public let lease: Lease?
  /// The problem and the next step, without the name of the journal.
  public let message: String

  /// Creates an error with the given parts. Implementations of ``Journal`` create errors.
  public init(_ code: Code, journal: String, revision: Revision? = nil, lease: Lease? = nil, message: String) {
    self.lease = lease
    self.code = code
    self.journal = journal
    self.revision = revision
    self.message = message
  }

  /// Whether the same call may succeed later, for example when the connection is restored, the lock is free or the disk has space.
  public var isTransient: Bool { code == .unavailable || code == .locked || code == .full || code == .unknownOutcome }

  /// Whether an append that ended with this error may have written its drafts.
  package var leavesOutcomeUnknown: Bool { code == .unknownOutcome || code == .failed || code == .closed || code == .cancelled }

  /// As in `Journal 'todo' is at revision 43, but this append expected 41: …`.
  public var description: String { "Journal '\(journal)' \(message)" }
}

// The messages of errors that every journal can throw.
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
        has a different history from the one that this store has seen (the store knows revision \(revision), the journal ends at \(head)): \
        a backup was restored, or the file was replaced. Nothing was written. Close this store and open it again to continue with the \
        journal's present content.
        """)
  }

  package static func originCollision(_ journal: String, _ id: EntryID, at revision: Revision) -> JournalError {
    JournalError(
      .originCollision, journal: journal, revision: revision,
      message: """
        already holds an entry \(id) with different content, at revision \(revision): a copy of this process, or of its memory, \
        has written it. This append wrote nothing. The store takes a new origin and appends again.
        """)
  }

  package static func damaged(_ journal: String, at revision: Revision, _ why: String) -> JournalError {
    let advice =
      revision.previous == .zero
      ? "Keep a copy of the journal, then restore a backup."
      : "Everything before it can still be read. Keep a copy of the journal, then restore a backup, or continue from revision \(revision.previous)."
    return JournalError(
      .damaged, journal: journal, revision: revision,
      message: "is damaged at revision \(revision): \(why). \(advice)")
  }

  package static func damaged(_ journal: String, _ why: String) -> JournalError {
    JournalError(
      .damaged, journal: journal,
      message: "is damaged: \(why). Nothing was changed. Keep a copy of the journal and restore a backup.")
  }

  package static func newerSchema(_ journal: String, at revision: Revision, found: Int, known: Int) -> JournalError {
    JournalError(
      .newerSchema, journal: journal, revision: revision,
      message: """
        was written by a newer version of this app: revision \(revision) has schema \(found), and this version knows schemas up to \(known). \
        Nothing was changed. Update the app. Until then, the inspector can show the journal without the app's types.
        """)
  }

  package static func refusedAtReplay(_ journal: String, at revision: Revision, reason: String) -> JournalError {
    JournalError(
      .refusedAtReplay, journal: journal, revision: revision,
      message: """
        holds at revision \(revision) a change that this version of the app refuses, although it was accepted when it was written: \(reason) Nothing \
        was changed. If a check was made stricter, or a migration drops a change that this one depends on, keep the old meaning for old entries: raise \
        the schema's version, and let its migration turn them into changes that are not checked. To leave such entries out of the state instead, open with `StoreOptions.refusedAtReplay = .skip`.
        """)
  }

  /// Pending changes are resumed in another journal than the one that they were made for.
  package static func otherJournal(_ journal: String) -> JournalError {
    JournalError(
      .diverged, journal: journal,
      message: """
        is not the journal for which the pending changes were made. Nothing was written. Open a store on that journal to resume them, or make \
        them again here.
        """)
  }

  /// A journal reported a position for an append that its own entries contradict.
  package static func contradicts(_ journal: String, appended: Revision, head: Revision) -> JournalError {
    JournalError(
      .failed, journal: journal, revision: appended,
      message: """
        reported an append at revision \(appended), but its entries end at \(head) without it. The store has \
        stopped, because one of the two is wrong. Verify the journal, then open it again.
        """)
  }

  package static func noSuchRevision(_ journal: String, _ revision: Revision, head: Revision) -> JournalError {
    JournalError(
      .noSuchRevision, journal: journal, revision: revision,
      message: head == .zero
        ? "has no revision \(revision): it is empty." : "has no revision \(revision): it has 1 to \(head).")
  }

  /// A reader requested a journal that does not exist.
  ///
  /// - Parameter others: The existing keys. If there are more than ten, the message names the first ten.
  package static func noJournal(_ journal: String, key: String, others: [String]) -> JournalError {
    let named = others.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
    return JournalError(
      .unreachable, journal: journal,
      message: """
        can't be read: there is no journal with the key '\(key)'\(others.isEmpty ? "" : ". The keys that exist: \(named)\(others.count > 10 ? " and others" : "")"). \
        Choose an existing key, or open the journal without isReadOnly to create it.
        """)
  }

  package static func leased(_ journal: String, _ lease: Lease) -> JournalError {
    JournalError(
      .leased, journal: journal, lease: lease,
      message:
        "has granted the lease '\(lease.name)' to replica \(lease.holder) (epoch \(lease.epoch)). The lease becomes free when that replica releases it or fails to renew it."
    )
  }

  package static func staleLease(_ journal: String, _ lease: Lease, epoch: Int64) -> JournalError {
    JournalError(
      .staleLease, journal: journal, lease: lease,
      message:
        "rejected the append: another replica has taken over the lease '\(lease.name)': its epoch is now \(epoch), and this append used \(lease.epoch). Nothing was written."
    )
  }

  package static func closed(_ journal: String) -> JournalError {
    JournalError(.closed, journal: journal, message: "is closed. Open it again.")
  }

  /// A journal was closed while a store had it open.
  package static func closedBeneath(_ journal: String) -> JournalError {
    JournalError(
      .closed, journal: journal,
      message: """
        was closed while a store was open on it, so that the store receives nothing any more. Close the store first. If several stores share \
        one journal object, set `StoreOptions.keepsJournalOpen` in each.
        """)
  }

  package static func cancelled(_ journal: String) -> JournalError {
    JournalError(
      .cancelled, journal: journal,
      message:
        "has ended the wait, because the task was cancelled. If the call was an append, its outcome is unknown: it is safe to retry it.")
  }
}
