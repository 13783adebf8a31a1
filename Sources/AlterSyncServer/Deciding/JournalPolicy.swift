import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore

/// The rules of an app about its principals, for one journal.
///
/// A method that throws has no answer, for example because its database is down. Then the server decides nothing, and the devices ask again:
/// an error is never a refusal.
package protocol JournalPolicy<State>: Sendable {
  associatedtype State: Journaled

  /// Whether the principal may read the journal: all of it.
  func mayRead(_ principal: Principal) async throws -> Bool

  /// Whether the principal may send changes.
  func mayWrite(_ principal: Principal) async throws -> Bool

  /// Whether the principal may use an undo scope.
  func grants(_ scope: UndoScope, to principal: Principal) async throws -> Bool

  /// Whether the principal may make a change, an undo or a redo.
  ///
  /// - Parameters:
  ///   - changes: The changes that the record makes, reverts, or makes again.
  ///   - record: The change, the undo or the redo. Its time and its metadata are the device's claims.
  ///   - state: The state that it would change.
  ///   - arrival: Microseconds since 1970 UTC, by the server's clock.
  /// - Returns: `permitted`, or `denied` with a reason for the principal.
  func permit(
    _ principal: Principal, _ changes: [State.Change], of record: Record<State>, in state: State, arrival: Int64
  ) async throws -> Permission
}
