import AlterCore
import AlterJournal

/// The renewals of a process's leases: one timer for all leases of one duration, and one renewal for each database or file.
///
/// A lease is first taken by a request of its own, at once. From then on its holder waits in a round. The round begins with its first
/// waiting holder, and ends after a third of the duration. All requests of the round are then grouped by their database or file, and each
/// group is sent in one operation (`LeaseRenewing`). A request that the operation cannot decide, and a request of a journal without such
/// an operation, is sent alone, by its holder's own task. So a lease that is locked or lost delays and fails no other, and a holder that is
/// cancelled does not release its lease before its request has ended: the request would take the lease again.
final class LeaseRounds: Sendable {
  /// A lease, and whether it has expired by this process's own clock: after a stop or a sleep of the machine, no effect starts under it.
  struct Term: Sendable {
    let lease: Lease
    let isOver: @Sendable () -> Bool
  }

  /// A request that waits: for its round, or for the outcome of its group.
  private struct Entry: Sendable {
    let request: LeaseRequest
    let isNeeded: @Sendable () -> Bool
    /// It receives the decision, or nil: the task that waits sends its request.
    let continuation: CheckedContinuation<Result<Term?, JournalError>?, Never>

    func end(_ decision: Result<Term?, JournalError>?) { continuation.resume(returning: decision) }
  }

  private struct Round {
    var entries: [Int: Entry] = [:]
    var timer: Task<Void, Never>?
  }

  private struct State {
    var lastID = 0
    /// By the duration of the leases.
    var rounds: [Duration: Round] = [:]
  }

  /// The rounds by the system's clock, for all loops that have no other.
  static let shared = LeaseRounds(ContinuousClock())

  private let clock: any Clock<Duration>
  private let state = Lock(State())

  /// Creates rounds by a clock.
  init(_ clock: any Clock<Duration>) { self.clock = clock }

  /// The number of requests that wait for their rounds. For tests.
  var waitingCount: Int { state.withLock { $0.rounds.values.reduce(0) { $0 + $1.entries.count } } }

  /// Takes or renews a lease at once.
  func take(_ request: LeaseRequest) async throws(JournalError) -> Term {
    // From before the journal receives the request: its answer may take long.
    let isOver = Self.end(of: request.duration, on: clock)
    return Term(lease: try await request.send(), isOver: isOver)
  }

  /// Takes or renews a lease in the next round, after at most a third of its duration. Cancelling the task ends the wait.
  ///
  /// - Parameter isNeeded: Called when the round ends. If it returns false, no request is sent.
  /// - Returns: The term; nil if the lease was no longer needed.
  func renew(_ request: LeaseRequest, while isNeeded: @escaping @Sendable () -> Bool) async throws(JournalError) -> Term? {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let decision = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          let length = request.duration
          state.rounds[length, default: Round()].entries[id] = Entry(request: request, isNeeded: isNeeded, continuation: continuation)
          if state.rounds[length]?.timer == nil {
            state.rounds[length]?.timer = Task { [clock] in
              // A sleep that was cancelled belongs to a round that no request waits for.
              if (try? await clock.sleep(for: length / 3)) != nil { await end(length) }
            }
          }
          return false
        }
        if isCancelled { continuation.resume(returning: .failure(.cancelled(request.journal.name))) }
      }
    } onCancel: {
      cancel(id, request)
    }
    if let decision { return try decision.get() }
    if Task.isCancelled { throw .cancelled(request.journal.name) }
    return try await take(request)
  }

  private func cancel(_ id: Int, _ request: LeaseRequest) {
    let (entry, timer) = state.withLock { state -> (Entry?, Task<Void, Never>?) in
      let entry = state.rounds[request.duration]?.entries.removeValue(forKey: id)
      let isLast = entry != nil && state.rounds[request.duration]?.entries.isEmpty == true
      return (entry, isLast ? state.rounds.removeValue(forKey: request.duration)?.timer : nil)
    }
    timer?.cancel()
    entry?.end(.failure(.cancelled(request.journal.name)))
  }

  // MARK: - The end of a round

  private func end(_ length: Duration) async {
    let entries = state.withLock { $0.rounds.removeValue(forKey: length)?.entries ?? [:] }
    let isOver = Self.end(of: length, on: clock)
    var groups: [AnyHashable: [Entry]] = [:]
    for (_, entry) in entries.sorted(by: { $0.key < $1.key }) {
      if !entry.isNeeded() {
        entry.end(.success(nil))
      } else if let place = entry.request.journal.capabilities.leases?.leasePlace {
        groups[AnyHashable(place), default: []].append(entry)
      } else {
        entry.end(nil)
      }
    }
    // A database that does not answer delays the leases of no other. The next round may begin meanwhile.
    await withTaskGroup(of: Void.self) { tasks in
      for group in groups.values { tasks.addTask { await self.renew(group, isOver) } }
    }
  }

  /// Renews the leases of one database or file.
  private func renew(_ group: [Entry], _ isOver: @escaping @Sendable () -> Bool) async {
    guard group.count > 1, let carrier = group.first?.request.journal.capabilities.leases else {
      return group.forEach { $0.end(nil) }
    }
    do throws(JournalError) {
      for (entry, renewal) in zip(group, try await carrier.renew(group.map(\.request))) {
        switch renewal {
        case .decided(let result): entry.end(result.map { Term(lease: $0, isOver: isOver) })
        case .undecided: entry.end(nil)
        }
      }
    } catch {
      // An outage concerns every lease. Another error may concern the first journal alone.
      for entry in group { entry.end(error.isTransient ? .failure(error) : nil) }
    }
  }

  /// Whether a duration has passed since this call.
  private static func end<C: Clock<Duration>>(of length: Duration, on clock: C) -> @Sendable () -> Bool {
    let end = clock.now.advanced(by: length)
    return { clock.now >= end }
  }
}
