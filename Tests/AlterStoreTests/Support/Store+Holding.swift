import Alter
import AlterTesting

/// A store whose journal can hold its appends.
func heldStore(_ simulated: SimulatedJournal, _ clock: TestClock, scope: UndoScope = .journal) async throws -> Store<Board> {
  var options = clock.options(.notFollowing)
  options.scope = scope
  return try await Store.open(Board(), in: simulated, options: options)
}

/// Closes a store whose journal does not answer, by reaching the deadline.
func closeAtDeadline<State>(_ store: Store<State>, _ clock: TestClock) async -> [Unwritten<State>] {
  async let closing = store.close(deadline: .seconds(5))
  await clock.sleepers(1)
  clock.advance(by: .seconds(5))
  return await closing
}
