import AlterCore
import AlterJournal
import AlterTesting

@testable import AlterStore

// A schedule at rest: no task is ready to run.
extension World {
  /// Checks the invariants of a schedule at rest, and causes the next event.
  ///
  /// - Returns: Whether the schedule continues.
  func rest() -> Bool {
    count(.quiescence)
    let isHeld = journals.contains { $0.heldCount > 0 }
    let untilNext = clock.untilNext
    let isSettled = !isHeld && untilNext == nil
    note("at rest\(isHeld ? ", calls are held" : "")\(untilNext.map { ", the clock is awaited for \($0)" } ?? "")")
    for participant in participants { participant.checkAtRest(isSettled: isSettled) }
    for follower in followers { follower.checkAtRest(self) }
    if isHeld, untilNext == nil || random.oneIn(2) {
      releaseHeld()
      return true
    }
    if let untilNext {
      count(.clockAdvanced)
      clock.advance(by: untilNext)
      return true
    }
    for reading in readings { reading.checkAtRest(self) }
    if let task = tasks.first(where: { !$0.isDone && !$0.isBackground }) { fail(.hang, "the \(task.name) waits for ever: \(task.doing)") }
    return goOn()
  }

  /// Begins the next phase.
  private func goOn() -> Bool {
    switch phase {
    case .acting where wavesLeft > 0 && !participants.isEmpty:
      startWave()
      return true
    case .acting:
      phase = .ending
      note("the end begins")
      start("end") { [self] task in
        for participant in participants where !participant.isClosing {
          task.doing = "closing store \(participant.number)"
          await participant.close(deadline: random.oneIn(2) ? nil : .seconds(1))
        }
      }
      return true
    case .ending:
      phase = .ended
      checkEnd()
      return false
    case .ended: return false
    }
  }

  private func checkEnd() {
    refresh()
    for _ in 0..<snapshotCount() { count(.snapshot) }
    for task in tasks where !task.isDone { fail(.hang, "the \(task.name) has not ended with its store") }
    guard !plan.isInMemory else { return }
    for record in definition.records.dropFirst() where made[record.id] == nil {
      if record.targets.isEmpty { fail(.once, "\(record.id) at \(record.revision) was made by no one: \(record.kind)") }
    }
  }
}
