import AlterCore
import AlterJournal

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

/// The reason for which a server decides no further draft of a request. A hold decides nothing: the outbox waits and asks again.
public struct SyncHold: Sendable, Hashable {
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
