import AlterCore
import AlterJournal

/// The reason for which a server has refused a draft. The codes are stable.
package enum RefusalCode: String, Sendable, Hashable, CaseIterable {
  /// The id belongs to another draft already. The verdict is no entry.
  case clone
  /// The origin is bound to another principal. The verdict is no entry, because the id is not the sender's.
  case foreign
  /// The origin has used a later sequence already, and this one was never decided.
  case late
  /// The kind of the entry is not `changes`, `undo` or `redo`.
  case kind
  /// The policy does not grant the undo scope, or an undo names an entry of another scope.
  case scope
  /// The draft requires one that was refused, or that the journal does not have.
  case requirement
  /// Another attempt of the same change was accepted.
  case retried
  /// The attempt that the draft names belongs to another principal.
  case retries
  /// The entry is undone already.
  case superseded
  /// The undo or redo is about a refused draft. It is not listed to the user.
  case moot
  /// The undo or redo would make the state refuse other entries.
  case suppresses
  /// The undo or redo is about an entry outside the undo window.
  case outsideWindow
  /// The policy denies the change.
  case denied
  /// The state refuses the change.
  case refused
  /// The draft exceeds the limit in bytes.
  case tooLarge
  /// The draft cannot be decoded.
  case malformed
  /// The change was accepted in an earlier generation, and the operator has discarded it. Devices make this refusal themselves.
  case lost

  /// Whether the verdict is an entry of the journal.
  package var isEntry: Bool { self != .clone && self != .foreign && self != .lost }

  /// Whether the refusal is listed to the user.
  package var isListed: Bool { self != .moot }
}

/// The server's final answer to a draft within a generation.
package enum Verdict: Sendable, Hashable {
  /// The draft is the entry of this revision.
  case accepted(Revision)
  /// The draft is refused. The revision is that of the `refused` entry, or of the other entry with a clone's id; nil for `foreign`.
  case refused(RefusalCode, at: Revision?)

  /// The revision that the mirror must have before the draft may leave the outbox; nil if there is none.
  package var revision: Revision? {
    switch self {
    case .accepted(let revision): revision
    case .refused(_, let revision): revision
    }
  }
}

/// One line of an answer: a draft and its verdict.
package struct VerdictLine: Sendable, Hashable {
  package let id: EntryID
  package let hash: Checksum
  package let verdict: Verdict

  package init(id: EntryID, hash: Checksum, verdict: Verdict) {
    self.id = id
    self.hash = hash
    self.verdict = verdict
  }
}

/// The reason for which a server decides no further draft of a request. It is no verdict: the outbox waits.
public struct Hold: Sendable, Hashable {
  /// The codes are stable.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The draft before this one is undecided.
    case order
    /// The draft has a newer schema than the operator has enabled.
    case schema
    /// The policy failed, for example because its database is down.
    case policy
    /// The principal has exhausted its budget of refusals.
    case budget
  }

  package let code: Code
  /// The first draft that the server has not decided.
  package let id: EntryID
  /// The number of seconds after which another attempt makes sense.
  package let seconds: Int

  package init(_ code: Code, at id: EntryID, seconds: Int) {
    self.code = code
    self.id = id
    self.seconds = seconds
  }
}
