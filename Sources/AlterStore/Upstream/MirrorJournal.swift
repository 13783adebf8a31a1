public import AlterCore
public import AlterJournal

/// A synced journal as a store uses it: the mirror and the outbox of a device's file, in the types of the state.
///
/// Each transaction of the file has a number, 1, 2, 3 …, and makes news, possibly empty ones. Several stores, also of several processes, may
/// use one file.
package protocol MirrorJournal<State>: Upstream {
  /// Registers the origin of a store's handle.
  ///
  /// - Returns: All of the file, as the news of one transaction.
  func open(as origin: Origin) async throws(JournalError) -> MirrorTidings<State>

  /// Returns what has happened after a transaction; no news if nothing has.
  func tidings(after transaction: Int64) async throws(JournalError) -> MirrorTidings<State>

  /// Returns the whole mirror up to a transaction, with what this transaction has done to the outbox.
  func whole(at transaction: Int64) async throws(JournalError) -> MirrorNews<State>

  /// Puts drafts at the end of the outbox, in one transaction that is durable when this method returns. A draft that the file has already is
  /// skipped, so that the call can be repeated.
  ///
  /// - Parameters:
  ///   - drafts: The drafts, of one origin, in order.
  ///   - refused: The refused drafts that some of them repeat, by the id of the new draft. They leave the list of refusals.
  /// - Throws: `unencodable`, or `conflict` if one of the refused drafts is not in the list any more. Then nothing has changed.
  func enqueue(_ drafts: [MirrorNews<State>.Entering], retrying refused: [EntryID: EntryID]) async throws(JournalError)
}

/// News of a device's file.
package struct MirrorTidings<State: Alterable>: Sendable {
  /// The news of each transaction, in order.
  package var news: [MirrorNews<State>]
  /// The number of the last of them.
  package var transaction: Int64
  /// The refused changes that are listed now, in order.
  package var refusals: [RefusedChange<State>]

  package init(news: [MirrorNews<State>], transaction: Int64, refusals: [RefusedChange<State>]) {
    self.news = news
    self.transaction = transaction
    self.refusals = refusals
  }
}

/// A change that the server has refused. It is kept until it is retried or dismissed.
///
/// ```swift
/// List(store.refusals) { refused in
///   Text(refused.reason ?? refused.code)
///   Button("Try again") { store.retry(refused) }
///   Button("Dismiss") { Task { try await store.dismiss(refused) } }
/// }
/// ```
public struct RefusedChange<State: Alterable>: Sendable, Identifiable {
  /// The id of the refused change.
  public var id: EntryID { record.id }
  /// The change. Its revision has no meaning.
  public let record: Record<State>
  /// The stable code of the reason.
  public let code: String
  /// The reason, for people, if the server has stated one.
  public let reason: String?
  /// The change that it requires.
  public let requirement: EntryID?

  /// Creates a refused change, for tests of the code that shows it. A store makes its own.
  ///
  /// - Parameters:
  ///   - record: The change.
  ///   - code: The stable code of the reason.
  ///   - reason: The reason, for people; nil if the server has stated none.
  ///   - requirement: The change that it requires; nil if there is none.
  public init(_ record: Record<State>, code: String, reason: String? = nil, requires requirement: EntryID? = nil) {
    self.record = record
    self.code = code
    self.reason = reason
    self.requirement = requirement
  }

  /// Whether another attempt has the stamp of the first one. An unknown code is that of a newer server.
  var keepsStamp: Bool { RefusalCode(rawValue: code)?.keepsStamp ?? true }
}

/// A change that the server has not decided.
public struct UnconfirmedChange<State: Alterable>: Sendable, Identifiable {
  /// The id of the change.
  public var id: EntryID { record.id }
  /// The change, of any process of the device. Its revision is provisional.
  public let record: Record<State>
  /// Whether the visible state refuses the change, so that it shows nothing of it. The server decides all the same.
  public let isHidden: Bool

  /// Creates an undecided change, for tests of the code that shows it. A store makes its own.
  ///
  /// - Parameters:
  ///   - record: The change.
  ///   - isHidden: Whether the visible state refuses the change.
  public init(_ record: Record<State>, isHidden: Bool = false) {
    self.record = record
    self.isHidden = isHidden
  }
}

/// The part of a store's mutable state that concerns a synced journal.
@usableFromInline
struct SyncedWork<State: Alterable>: Sendable {
  /// The promises of commits that are not in the outbox, by sequence.
  var stored = PromiseLine<Result<Revision, CommitError<State.Failure>>>()
  /// The refused changes.
  var refusals: [RefusedChange<State>] = []
  /// The refused changes that pending work repeats, by the id of that work.
  var retrying: [EntryID: EntryID] = [:]
  /// The number of the last transaction that the store has absorbed.
  var transaction: Int64 = 0

  /// Replaces the list of refused changes.
  ///
  /// - Parameters:
  ///   - refusals: The list.
  ///   - unwritten: The retries that the outbox does not have. Each stays known as one, also if another process has settled the refused change:
  ///     the outbox finds that out.
  mutating func list(_ refusals: [RefusedChange<State>], unwritten: [EntryID]) {
    self.refusals = refusals
    guard !retrying.isEmpty else { return }
    let listed = Set(refusals.lazy.map(\.record.id))
    retrying = retrying.filter { listed.contains($0.value) || unwritten.contains($0.key) }
  }

  /// Makes the promise that the outbox will have a change.
  @usableFromInline
  mutating func promise(for sequence: Int64) -> Promise<Result<Revision, CommitError<State.Failure>>> {
    let promise = Promise<Result<Revision, CommitError<State.Failure>>>()
    stored.append(promise, for: sequence)
    return promise
  }
}
