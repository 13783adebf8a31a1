import AlterJournal
import AlterSyncCore

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
  func permit(_ principal: Principal, _ draft: SyncDraft, in state: State, arrival: Int64) -> Permission
}
