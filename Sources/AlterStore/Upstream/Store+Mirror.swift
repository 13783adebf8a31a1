import AlterCore
package import AlterJournal

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
