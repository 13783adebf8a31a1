import AlterJournal

/// The answer of a policy about one draft.
package enum Permission: Sendable, Hashable {
  case permitted
  case denied(String)
  /// The policy threw an error of its own, for example because its database is down. It is no verdict.
  case failed
}

/// The rules of an app about its principals. The shell asks an app's policy and passes on its answers as values.
package protocol LedgerPolicy<State>: Sendable {
  associatedtype State: SyncState

  /// Whether the principal may read the journal.
  func mayRead(_ principal: Principal) -> Bool
  /// Whether the principal may send drafts.
  func mayWrite(_ principal: Principal) -> Bool
  /// Whether the principal may use an undo scope.
  func grants(_ scope: UndoScope, to principal: Principal) -> Bool
  /// Whether the principal may make a change, in the state that it would change.
  func permit(_ principal: Principal, _ draft: Draft, in state: State, arrival: Int64) -> Permission
}

/// The named limits of a server.
package struct SyncLimits: Sendable, Hashable {
  /// The number of drafts in one push.
  package var draftsPerPush = 1_000
  /// The number of entries in one page.
  package var entriesPerPage = 1_000
  /// The bytes of the entries in one page. The first entry is sent even if it is larger.
  package var bytesPerPage: Int64 = 4 << 20
  /// The bytes of a draft's payload.
  package var bytesPerDraft = 1 << 20
  /// The number of refusals of one principal until the budget is refilled.
  package var refusals = 1_000
  /// The pause after a hold, in seconds.
  package var holdSeconds = 10

  package init() {}
}
