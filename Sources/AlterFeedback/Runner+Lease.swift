import AlterCore
import AlterJournal
import AlterStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Of all replicas one performs a durable feedback at a time: who holds its lease.
extension Runner {
  /// Takes the lease, renews it while there is work, and releases it.
  func keepLease() async {
    repeat {
      await holdLease()
      let lease = core.withLock { core -> Lease? in
        // Work that has come at this moment has begun under it.
        guard !core.hasWork else { return nil }
        defer { core.term = nil }
        return core.term?.lease
      }
      if lease != nil { record(.released) }
      // In a task of its own, which nobody cancels.
      if let lease { await Task { [context] in try? await context.store.release(lease) }.value }
    } while !leave()
  }

  /// Holds the lease. Returns when there is no work left, or after a permanent failure.
  private func holdLease() async {
    // The search goes on while the lease is renewed, and ends with it.
    await withTaskGroup(of: Void.self) { search in
      var failures = 0
      var refusals = 0
      var isFirst = true
      while !Task.isCancelled, core.withLock({ $0.hasWork }) {
        defer { isFirst = false }
        do throws(JournalError) {
          guard try await (isFirst ? take() : renew()) else { break }
          failures = 0
          refusals = 0
          startWaiting()
          if core.withLock({ $0.beginsSearch() }) { search.addTask { await self.findCauses() } }
        } catch {
          failures += 1
          switch error.code {
          case .leased:
            loseLease()
            refusals += 1
            // A holder that gives it back within a renewal is the usual case, and no news.
            if refusals == 2 { announce(error.lease) }
          case .closed, .cancelled: core.withLock { $0.isStopped = true }
          default:
            // Others may take over when as much time has passed as the lease lasts.
            if failures >= 3 { loseLease() }
            if !error.isTransient {
              loseLease()
              stop("its lease can't be held, so it has stopped. \(error)")
            }
          }
          if core.withLock({ $0.isStopped }) { break }
        }
      }
      search.cancelAll()
    }
  }

  /// The request for the lease; nil if there is no journal. A journal grants no longer lease.
  private var request: LeaseRequest? {
    context.store.leaseRequest("feedback/\(context.name)", lasting: min(context.options.lease, Lease.longest))
  }

  /// Takes or renews the lease at once.
  ///
  /// - Returns: false if there is no journal.
  private func take() async throws(JournalError) -> Bool {
    guard let request else { return false }
    begin(try await context.options.leaseRounds.take(request))
    return true
  }

  /// Renews the lease, or takes it, together with the other leases of the process, after a third of its duration.
  ///
  /// - Returns: false if there is no journal, or no work any more.
  private func renew() async throws(JournalError) -> Bool {
    guard let request else { return false }
    let term = try await context.options.leaseRounds.renew(request) { [core] in core.withLock { $0.hasWork } }
    guard let term else { return false }
    begin(term)
    return true
  }

  /// Begins a term of the lease. Requests whose entries the search has found may start from now on.
  private func begin(_ term: LeaseRounds.Term) {
    let isNew = core.withLock { core in
      defer { core.term = term }
      core.takeCauses()
      return core.term == nil
    }
    if isNew { record(.taken) }
  }

  /// Reports the reason for a permanent failure, and ends the runner.
  private func stop(_ reason: String) {
    context.store.report(.feedback(context.name, reason: reason))
    let keeper = core.withLock { core in
      core.isStopped = true
      return core.keeper
    }
    keeper?.cancel()
  }

  /// Reports that another replica's lease keeps this feedback waiting: once for each wait.
  private func announce(_ lease: Lease?) {
    guard let lease else { return }
    context.store.report(
      .feedback(
        context.name,
        reason: """
          it waits for the lease '\(lease.name)', which replica \(lease.holder) holds (epoch \(lease.epoch)) until \(lease.end) by the journal's clock, or \
          longer if that replica renews it. Its effects start when that replica releases the lease or stops renewing it. Nothing is lost.
          """))
  }

  /// Stops holding the lease unless there is work again. This is one step, so that work that arrives at this moment is not missed.
  private func leave() -> Bool {
    core.withLock { core in
      if core.hasWork { return false }
      core.keeper = nil
      return true
    }
  }

  /// Handles a takeover: another replica has the lease after this one.
  func lose(_ lease: Lease) {
    if core.withLock({ $0.term?.lease.epoch == lease.epoch }) { loseLease() }
  }

  /// Cancels the running effects. They are restarted if this replica gets the lease again.
  private func loseLease() {
    let (isHeld, cancelled): (Bool, [Task<Void, Never>]) = core.withLock { core in
      let isHeld = core.term != nil
      core.term = nil
      var cancelled: [Task<Void, Never>] = []
      for activation in core.activations.values.sorted(by: { $0.id < $1.id }) where activation.phase == .running {
        if let task = core.tasks[activation.id] { cancelled.append(task) }
        core.lastID += 1
        let id = core.lastID
        core.change(activation.key) { again in
          again.id = id
          again.phase = .waiting
        }
      }
      return (isHeld, cancelled)
    }
    if isHeld { record(.lost) }
    for task in cancelled { task.cancel() }
  }

  private func record(_ step: StoreEvent.LeaseStep) { context.store.record(.lease(feedback: context.name, step)) }

  // MARK: - What was there at the start

  /// Finds the entries at which the initial requests appeared, and starts their effects.
  private func findCauses() async {
    do throws(JournalError) {
      try await search()
    } catch {
      // What has passed when the lease is renewed next is tried again then; so is a search that a compaction has overtaken.
      if !error.isTransient, error.code != .closed, error.code != .cancelled, error.code != .noSuchRevision {
        stop("the entry of a request can't be found, so it has stopped. \(error)")
      }
    }
    core.withLock { $0.isSearching = false }
  }

  /// Searches backwards from the present, in growing segments. Each segment is read forward, page by page, and only the last of its states
  /// is kept.
  ///
  /// - Complexity: O(entries since the oldest request appeared) in time; a page of entries, and the states that an undo window needs, in
  ///   memory.
  private func search() async throws(JournalError) {
    var sought = core.withLock { $0.unexplained }
    guard !sought.isEmpty else { return }
    let floor = try await context.store.floor()
    let beginning = floor?.revision ?? 1
    var last = context.store.revision
    var length = 256
    while !sought.isEmpty, last >= beginning {
      let first = max(beginning, last + -length)
      // What each request came with last, as far as this segment tells; at the journal's beginning that is the initial entry, or, of a
      // compacted journal, an id that stands for the entries that are gone.
      var causes: [Key: EntryID] = [:]
      var present: Set<Key> = []
      try await context.store.walk(after: first, through: last) {
        // What nobody asks for any more need not be found.
        let unexplained = core.withLock { $0.unexplained }
        sought = sought.filter { unexplained[$0.key]?.id == $0.value.id }
        return !sought.isEmpty && !Task.isCancelled
      } _: { entry, state in
        for (key, activation) in sought {
          if request(key, in: state) != activation.request {
            present.remove(key)
            causes[key] = nil
          } else if present.insert(key).inserted, let entry {
            causes[key] = entry
          }
        }
      }
      if Task.isCancelled { return }
      if first == beginning, !present.isEmpty {
        let initial = if let floor { EntryID(standingFor: floor) } else { try await context.store.entries(in: 1...1).first?.id }
        for key in present where causes[key] == nil { causes[key] = initial }
      }
      let found = sought.compactMap { key, activation in causes[key].map { (key, activation.id, $0) } }
      for (key, _, _) in found { sought[key] = nil }
      if !found.isEmpty { await begin(found) }
      if first == beginning { return }
      last = first
      length *= 4
    }
  }

  /// Starts the requests that were found, if the lease is still this replica's: the search may have taken longer than the lease lasts.
  private func begin(_ found: [(key: Key, id: Int, cause: EntryID)]) async {
    core.withLock { core in for (key, id, cause) in found { core.found[key] = (id, cause) } }
    do throws(JournalError) {
      if try await take() { startWaiting() }
    } catch {
      // Begun as soon as the lease is this replica's again. Renewing tells of all other troubles.
      if error.code == .leased { loseLease() }
    }
  }
}

extension EntryID {
  /// An id that stands for the entries which a compaction has removed. It is the same in every store until the floor moves again, and no entry
  /// has it: the checksum is as good as random.
  fileprivate init(standingFor floor: Head) {
    self.init(origin: Origin(UUID(high: floor.checksum.high, low: floor.checksum.low)), sequence: floor.revision.number)
  }
}
