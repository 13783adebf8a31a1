import AlterCore
import AlterJournal

/// A decided draft, as later decisions find it.
package struct Standing: Sendable, Hashable {
  package let hash: Checksum
  package let verdict: Verdict

  package init(hash: Checksum, verdict: Verdict) {
    self.hash = hash
    self.verdict = verdict
  }

  /// Reads the standing of a journal. A newer server may have written a code that this one does not know: the refusal stands all the same.
  package init(_ known: DecidedStanding) {
    let code = known.code.map { RefusalCode(rawValue: $0) ?? .refused }
    self.init(hash: known.hash, verdict: code.map { .refused($0, at: known.revision) } ?? .accepted(known.revision))
  }
}

extension OriginStanding {
  /// Whether a principal may use the origin: it has used it first, or it is not known which one has.
  package func belongs(to principal: Principal) -> Bool { self.principal.isEmpty || self.principal == principal.name }
}

/// The reason for which the state, or the rules of undo, refuse a draft.
package struct Obstacle: Error, Sendable, Hashable {
  package let code: RefusalCode
  package let reason: String

  package init(_ code: RefusalCode, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}

/// The part of a journal on which a decision depends, at one head: a server's facts and fold, or the ledger of the simulation in `Tests/SyncModel`.
package protocol DecisionGround: Sendable {
  /// The newest schema that the operator has enabled.
  var schema: Int { get }

  /// Returns the verdict on a draft; nil if it is undecided.
  func standing(of id: EntryID) -> Standing?

  /// Returns the principal of an origin, and its last sequence; nil if no decided draft has used it.
  func standing(of origin: Origin) -> OriginStanding?

  /// Returns the noted accepted attempt of a change; nil if none is noted. An accepted first attempt need not be.
  ///
  /// - Parameter family: The first attempt.
  func notedAttempt(of family: EntryID) -> EntryID?

  /// Returns the reason for which the state, or the rules of undo, refuse a draft; nil if they accept it.
  func obstacle(to draft: SyncDraft) -> Obstacle?
}

extension DecisionGround {
  /// Returns the accepted attempt of a change; nil if none was accepted.
  package func acceptedAttempt(of family: EntryID) -> EntryID? {
    if let attempt = notedAttempt(of: family) { return attempt }
    if case .accepted = standing(of: family)?.verdict { return family }
    return nil
  }

  /// Whether a draft, or another attempt of it, is accepted.
  package func isAccepted(_ id: EntryID) -> Bool { acceptedAttempt(of: id) != nil }

  /// Whether a draft is refused.
  package func isRefused(_ id: EntryID) -> Bool { if case .refused = standing(of: id)?.verdict { true } else { false } }
}
