import AlterCore
import AlterJournal

/// A transaction of a device's file, as a replica sees it: the additions to the mirror and the outbox, and the removals.
///
/// The news of a file form a sequence. Each is absorbed once, in order.
package struct MirrorNews<State: Alterable>: Sendable {
  /// A new start of the mirror, which replaces the confirmed side.
  package struct Ground: Sendable {
    /// The state at the revision. The entries up to there are not in the mirror.
    package let state: State
    package let revision: Revision
    /// The undo window of the journal.
    package let window: Int
    package let reason: Reason

    /// The reason for a new start.
    package enum Reason: Sendable {
      /// The first contact: the journal's initial state replaces the one that the app has passed.
      case contact
      /// The server has compacted the entries that would follow.
      case floor
      /// The server's journal was restored or recreated.
      case restart
      /// Nothing has happened to the mirror. The fold begins again to reach an entry that an undo reverts.
      case refold
    }

    package init(_ state: State, at revision: Revision, window: Int, because reason: Reason) {
      self.state = state
      self.revision = revision
      self.window = window
      self.reason = reason
    }
  }

  /// An entry of the mirror.
  package enum Step: Sendable {
    /// An accepted draft, or the journal's initial state. An undo or a redo names one entry.
    case accepted(Record<State>)
    /// A refused draft, which folds skip.
    case refused(EntryID, code: String, Revision)
    /// An accepted draft of this device, after an entry of a newer schema, where the fold has stopped.
    case acceptedBeyond(Record<State>)
    /// A refused draft after such an entry.
    case refusedBeyond(EntryID, code: String)
  }

  /// A draft that has entered the outbox: of this replica, of another process of the device, or of an earlier process.
  package struct Entering: Sendable {
    package let record: Record<State>
    package let requirement: EntryID?

    package init(_ record: Record<State>, requires requirement: EntryID? = nil) {
      self.record = record
      self.requirement = requirement
    }
  }

  /// The new start of the mirror; nil if it continues.
  package var ground: Ground?
  /// The entries after the start, or after the known head.
  package var steps: [Step] = []
  /// The head of the mirror; nil before the first contact.
  package var head: Head?
  /// The drafts that have left the outbox although the mirror has no entry for them, with their verdicts.
  package var decided: [EntryID: Result<Revision, RefusedDraft>] = [:]
  /// The drafts that have entered the outbox, in its order.
  package var entering: [Entering] = []

  package init() {}
}

/// A server's refusal of a draft.
package struct RefusedDraft: Error, Hashable {
  /// The stable code of the reason.
  package let code: String

  package init(code: String) { self.code = code }
}
