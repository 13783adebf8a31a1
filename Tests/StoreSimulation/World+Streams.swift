import AlterCore
import AlterJournal

@testable import AlterStore

// Tasks that read a store's streams until they end.
extension World {
  /// Starts a task that follows the balance of an account, or the number of changes. It may begin later, and end before the store does.
  func startFollower(_ participant: Participant) {
    let account = !random.oneIn(plan.theme == .following ? 8 : 2) ? Bank.accounts : random.below(plan.accounts)
    let delay = random.pick([0, 0, 1, 2, 5])
    let limit = random.pick([1, 3, .max, .max, .max, .max])
    let follower = Follower(participant, account)
    let task = start("follower of account \(account) of store \(participant.number)", isBackground: true) { [self] task in
      await pass(delay)
      count(.followed)
      follower.isBegun = true
      var taken = 0
      for await value in participant.store.values(of: { [self] in followed(account, of: $0) }) {
        count(.value)
        note("store \(participant.number): account \(account) is \(value)")
        if follower.last == value { fail(.values, "\(task.name) was told \(value) twice in a row") }
        follower.last = value
        taken += 1
        if taken == limit { break }
        if random.oneIn(4) { await pass(1) }
      }
      follower.isEnded = true
    }
    follower.task = task
    followers.append(follower)
    if random.oneIn(6) {
      start("canceller of a follower") { [self] _ in
        await pass(random.below(20))
        count(.followerCancelled)
        follower.isCancelled = true
        task.handle?.cancel()
      }
    }
  }

  private func followed(_ account: Int, of bank: Bank) -> Int {
    stall()
    return bank.followed(account)
  }

  /// Starts a task that reads the transitions of a store.
  func startTransitions(_ participant: Participant) {
    let first = participant.store.revision
    let transitions = participant.store.transitions
    let isExact = participant.store.revision == first
    let reading = Reading("transitions of store \(participant.number)", participant, after: isExact ? first : nil)
    readings.append(reading)
    reading.task = start(reading.name, isBackground: true) { [self] _ in
      var dropped: Set<EntryID> = []
      for await transition in transitions {
        count(.transition)
        switch transition {
        case .confirmed(let record): reading.take(record, self)
        case .dropped(let id, _):
          if !dropped.insert(id).inserted { fail(.streams, "\(reading.name) tell twice that \(id) was dropped") }
        case .rebased: count(.rebase)
        case .pending, .skipped, .contacted, .restarted, .failed: break
        }
      }
    }
  }

  /// Starts a task that reads the problems of a store.
  func startProblems(_ participant: Participant) {
    start("problems of store \(participant.number)", isBackground: true) { [self] task in
      for await problem in participant.store.problems {
        note("\(task.name): \(problem)")
        guard case .lost(let id, _) = problem else { continue }
        count(.problem)
        if !participant.lost.insert(id).inserted { fail(.streams, "\(task.name) tell twice that \(id) was lost") }
      }
    }
  }

  /// Starts a task that reads the entries of a store from a point of its past.
  func startEntries(_ participant: Participant) {
    guard !plan.isInMemory || plan.undoWindow > 100 else { return }
    let after = Revision(Int64(random.below(Int(participant.store.revision.number) + 1)))
    guard !plan.isInMemory || after >= 1 else { return }
    let reading = Reading("entries of store \(participant.number)", participant, after: after)
    readings.append(reading)
    reading.task = start(reading.name, isBackground: true) { [self] _ in
      do throws(JournalError) {
        for try await record in participant.store.entries(after: after) {
          count(.entry)
          reading.take(record, self)
        }
      } catch {
        reading.error = error
        let isExpected = error.code == .cancelled || plan.failures + plan.losses + plan.breakdowns > 0
        if !isExpected { fail(.streams, "\(reading.name) ended with \(error)") }
      }
    }
  }
}

extension Bank {
  /// The balance of an account; without an account, the number of changes.
  fileprivate func followed(_ account: Int) -> Int { balances.indices.contains(account) ? balances[account] : count }
}

/// A task that follows a value.
///
/// `@unchecked Sendable`: like ``World``.
final class Follower: @unchecked Sendable {
  let participant: Participant
  let account: Int
  var last: Int?
  var isBegun = false
  var isEnded = false
  var isCancelled = false
  var task: SimulatedTask?

  init(_ participant: Participant, _ account: Int) {
    self.participant = participant
    self.account = account
  }

  /// Checks that no value was missed, when no task is ready.
  func checkAtRest(_ world: World) {
    guard isBegun, !isEnded else { return }
    let store = participant.store
    if !store.isOpen || isCancelled { world.fail(.values, "\(task?.name ?? "") goes on after its end") }
    let present = store.state.followed(account)
    if last != present {
      world.fail(.values, "\(task?.name ?? "") was told \(last.map(String.init) ?? "nothing"), and \(present) is there")
    }
  }
}

/// A task that reads entries in order.
///
/// `@unchecked Sendable`: like ``World``.
final class Reading: @unchecked Sendable {
  let name: String
  let participant: Participant
  /// The revision that was read last; nil while it is unknown.
  var last: Revision?
  var error: JournalError?
  var task: SimulatedTask?

  init(_ name: String, _ participant: Participant, after revision: Revision?) {
    self.name = name
    self.participant = participant
    last = revision
  }

  func take(_ record: Record<Bank>, _ world: World) {
    if let last, record.revision != last.next { world.fail(.streams, "\(name) have \(record.revision) after \(last)") }
    last = record.revision
    if record.revision > world.definition.revision { world.refresh() }
    guard record.revision <= world.definition.revision, world.definition.records[Int(record.revision.number) - 1].id == record.id else {
      return world.fail(.streams, "\(name) have another \(record.revision) than the journal: \(record.id)")
    }
  }

  /// Checks that no entry was missed, when no task is ready and no call is held.
  func checkAtRest(_ world: World) {
    guard task?.isDone == false, participant.store.isOpen, let last, last < participant.store.revision else { return }
    world.fail(.streams, "\(name) have ended at \(last), and the store is at \(participant.store.revision)")
  }
}
