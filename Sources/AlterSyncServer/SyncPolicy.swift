public import AlterCore
public import AlterJournal
public import AlterStore
import AlterSyncCore

/// The rules of an app about its principals: which of them may read and write which journal.
///
/// ```swift
/// struct ListPolicy: SyncPolicy {
///   func mayRead(_ key: String, _ principal: String) async throws -> Bool { try await members(of: key).contains(principal) }
///
///   func permit(
///     _ changes: [TodoList.Change], of record: Record<TodoList>, in list: TodoList, key: String, by author: SyncAuthor
///   ) async throws -> SyncPermission {
///     author.principal != "ann" && changes.contains(.clear) ? .denied("Only Ann clears this list.") : .permitted
///   }
/// }
/// ```
///
/// A method that throws has no answer, for example because its database is down. Then the server decides nothing, and the devices ask again:
/// an error is never a refusal. The same happens if it does not answer within five seconds. It must not block its
/// thread: the time up to its first suspension is not limited.
public protocol SyncPolicy<State>: Sendable {
  associatedtype State: Journaled

  /// Whether a principal may read a journal: all of it. It is asked about each request, about open streams
  /// every minute, and before a stream sends entries.
  func mayRead(_ key: String, _ principal: String) async throws -> Bool

  /// Whether a principal may send changes; by default, whether it may read.
  func mayWrite(_ key: String, _ principal: String) async throws -> Bool

  /// Whether a principal may create the journal of a key that has none; by default false. ``mayRead(_:_:)`` is asked first.
  func mayCreate(_ key: String, _ principal: String) async throws -> Bool

  /// Whether a principal may use an undo scope, for changes as for undos; by default only the scope that has the principal's name. A device's
  /// store has this scope by default. It is not asked about ``/AlterJournal/UndoScope/never``, which every principal may use.
  ///
  /// A principal can undo the entries of a scope that it is granted, also those of others.
  func grants(_ scope: UndoScope, in key: String, to principal: String) async throws -> Bool

  /// Whether a principal may make a change, an undo or a redo; by default yes. The state's `apply` is asked afterwards.
  ///
  /// A rule about `changes` alone holds for undos and redos, too: a principal that may not make a change can neither undo nor redo such a change.
  ///
  /// - Parameters:
  ///   - changes: The changes that the record makes; for an undo those that it reverts, for a redo those that it makes again, in the journal's
  ///     order.
  ///   - record: The change, the undo or the redo. Its time and its metadata are the device's claims.
  ///   - state: The state that it would change.
  ///   - key: The key of the journal.
  ///   - author: The principal, and the time of arrival.
  /// - Returns: `permitted`, or `denied` with a reason that the principal reads.
  func permit(
    _ changes: [State.Change], of record: Record<State>, in state: State, key: String, by author: SyncAuthor
  ) async throws -> SyncPermission
}

/// The answer of a policy about one change.
public enum SyncPermission: Sendable, Hashable {
  /// The change is made, if the state takes it.
  case permitted
  /// The change is refused, with a reason for the principal.
  case denied(String)
}

/// The author of a change, as the server knows it.
public struct SyncAuthor: Sendable, Hashable {
  /// The principal of the request's token.
  public let principal: String
  /// The time of arrival, by the server's clock, in microseconds since 1970 UTC.
  public let arrival: Int64
}

extension SyncPolicy {
  /// Permits principals that may read.
  public func mayWrite(_ key: String, _ principal: String) async throws -> Bool { try await mayRead(key, principal) }

  /// Returns false: the default. A policy names the principals that may create journals.
  public func mayCreate(_ key: String, _ principal: String) async throws -> Bool { false }

  /// Permits the scope that has the principal's name.
  public func grants(_ scope: UndoScope, in key: String, to principal: String) async throws -> Bool {
    // A principal without a name has no scope of its own.
    scope != .journal && scope.rawValue == principal
  }

  /// Returns `permitted` for every change: the default.
  public func permit(
    _ changes: [State.Change], of record: Record<State>, in state: State, key: String, by author: SyncAuthor
  ) async throws -> SyncPermission { .permitted }
}

/// The rules of an app for one of its journals.
struct KeyedPolicy<Policy: SyncPolicy>: JournalPolicy {
  let key: String
  let policy: Policy

  func mayRead(_ principal: Principal) async throws -> Bool { try await policy.mayRead(key, principal.name) }

  func mayWrite(_ principal: Principal) async throws -> Bool { try await policy.mayWrite(key, principal.name) }

  func grants(_ scope: UndoScope, to principal: Principal) async throws -> Bool {
    try await policy.grants(scope, in: key, to: principal.name)
  }

  func permit(
    _ principal: Principal, _ changes: [Policy.State.Change], of record: Record<Policy.State>, in state: Policy.State, arrival: Int64
  ) async throws -> Permission {
    switch try await policy.permit(
      changes, of: record, in: state, key: key, by: SyncAuthor(principal: principal.name, arrival: arrival))
    {
    case .permitted: .permitted
    case .denied(let reason): .denied(reason)
    }
  }
}
