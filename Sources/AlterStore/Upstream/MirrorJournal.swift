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

// A store of a synced journal: its writer fills the outbox, its reader follows the file.
extension Store {
  /// Opens a store on a synced journal.
  ///
  /// - Parameters:
  ///   - initial: The state that stands at revision 0 until the first contact with the server. It is never sent.
  ///   - mirror: The journal. The store closes it, unless ``StoreOptions/keepsJournalOpen`` is set.
  ///   - options: The options of the store. The undo window is the journal's.
  package static func open(
    _ initial: State, in mirror: any MirrorJournal<State>, options: StoreOptions = StoreOptions()
  ) async throws(JournalError) -> Store where State: Journaled {
    let origin = options.environment.origin()
    let tidings = try await mirror.open(as: origin)
    var replica = Replica(
      synced: initial, window: options.undoWindow, origin: origin, scope: options.scope ?? .journal, limit: options.pendingLimit)
    var report = Replica<State>.Report()
    for news in tidings.news {
      // A whole mirror has no obstacle.
      do throws(Replica<State>.Obstacle) { try replica.absorb(news, wantsSteps: false, into: &report) } catch { continue }
    }
    replica.rebase(into: &report)
    let store = Store(replica, initial: .success(initial), upstream: mirror, depthCheck: DepthCheck(), options: options)
    store.core.withLock { core in
      (core.synced.transaction, core.synced.refusals) = (tidings.transaction, tidings.refusals)
    }
    (report.start, report.steps) = (nil, [])
    store.tell(report)
    store.follow()
    return store
  }

  /// Puts unwritten work into the outbox.
  ///
  /// - Returns: False if there was none.
  func write(to mirror: any MirrorJournal<State>) async throws(JournalError) -> Bool {
    let batch: (works: [MirrorNews<State>.Entering], retrying: [EntryID: EntryID])? = core.withLock { core in
      let works = core.status == .open ? core.replica.takeUnqueued() : []
      guard !works.isEmpty else {
        core.isWriting = false
        return nil
      }
      return (works, core.synced.retrying)
    }
    guard let (works, retried) = batch else { return false }
    let ids = retried.isEmpty ? [] : Set(works.map(\.record.id))
    guard try await write(works, retrying: retried.filter { ids.contains($0.key) }, to: mirror) else { return true }
    try await retrying { () async throws(JournalError) in try await absorb(from: mirror) }
    // Otherwise the writer would repeat the call without end.
    let first = works[0].record.id
    guard !isOpen || !core.withLock({ $0.replica.isUnwritten(first) }) else {
      throw JournalError(
        .failed, journal: mirror.name,
        message: "has taken the change \(first), and its outbox does not have it. The store has stopped, because one of the two is wrong.")
    }
    return true
  }

  /// Puts work into the outbox.
  ///
  /// - Returns: True if the outbox has the work. If one piece cannot be encoded, or is a retry that loses the race, that piece is dropped
  ///   instead.
  private func write(
    _ works: [MirrorNews<State>.Entering], retrying retried: [EntryID: EntryID], to mirror: any MirrorJournal<State>
  ) async throws(JournalError) -> Bool {
    var works = works
    while true {
      do throws(JournalError) {
        let batch = works
        try await retrying { () async throws(JournalError) in try await mirror.enqueue(batch, retrying: retried) }
        return true
      } catch {
        guard error.code == .unencodable || error.code == .conflict else { throw error }
        guard works.count > 1 else {
          let sequence = works[0].record.id.sequence
          await rework { replica, _ in replica.discard(sequence, because: .failed(error)) }
          return false
        }
        // Find the piece: nothing of the batch was written.
        works = Array(works.prefix(works.count / 2))
      }
    }
  }

  /// Absorbs the news of the file. The caller holds the gate.
  func absorb(from mirror: any MirrorJournal<State>) async throws(JournalError) {
    let known = core.withLock { $0.synced.transaction }
    let tidings = try await mirror.tidings(after: known)
    guard tidings.transaction > known else { return }
    var news = tidings.news
    while true {
      let obstacle = Lock<Int?>(nil)
      await rework { [news, tidings] replica, wantsSteps in
        var report = Replica<State>.Report()
        for (place, some) in news.enumerated() {
          do throws(Replica<State>.Obstacle) {
            try replica.absorb(some, wantsSteps: wantsSteps, into: &report)
          } catch {
            obstacle.withLock { $0 = place }
            return nil
          }
        }
        replica.rebase(into: &report)
        report.listed = tidings.refusals
        return report
      }
      guard let place = obstacle.withLock({ $0 }) else { break }
      // An undo reverts an entry that is no longer kept: fold the mirror again up to there.
      news[place] = try await mirror.whole(at: known + Int64(place) + 1)
    }
    core.withLock { core in
      core.synced.transaction = tidings.transaction
      core.version += 1
    }
    showChange()
  }
}
