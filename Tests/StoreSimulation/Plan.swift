import AlterCore
import AlterStore
import AlterTesting
import SimulatedThreads

/// The parameters of a schedule, drawn from its seed: the choice of threads, the options of the stores, and the probabilities of faults.
struct Plan {
  /// The main activity of the tasks.
  enum Theme: String { case anything, following, observing, contending, closing }

  /// The theme of all schedules, if only one is requested.
  nonisolated(unsafe) static var onlyTheme: Theme?

  let seed: UInt64
  let theme: Theme
  let threads: Int
  /// On average one decision in this number is a hand-over.
  let oneIn: Int
  let hasPriorities: Bool
  let demotions: Int
  let isInMemory: Bool
  let stores: Int
  /// The number of tasks that begin at once, the number of their rounds, and how often new tasks begin after the schedule has come to rest.
  let actors: Int
  let rounds: Int
  let waves: Int
  /// The number of accounts that the changes use.
  let accounts: Int
  let pendingLimit: Int
  let undoWindow: Int
  let undoWindowLoading: UndoWindowLoading
  let snapshotSpacing: Int
  let patience: Duration
  /// One call in this number is delayed, fails temporarily, loses its answer, or fails permanently; 0 for none.
  let holds: Int
  let failures: Int
  let losses: Int
  let breakdowns: Int
  /// One call of user code in this number is slow.
  let slowness: Int
  /// One observer in this number makes changes, or begins or ends observations, inside its notifications; 0 for none.
  let nestings: Int

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    threads = random.pick([2, 3, 4, 6])
    // The schedules of some themes are short. The weights give each theme about the same number of steps.
    let themes: [(Theme, Int)] = [(.anything, 2), (.following, 30), (.observing, 10), (.contending, 14), (.closing, 4)]
    let drawn = random.pick(themes.flatMap { Array(repeating: $0.0, count: $0.1) })
    theme = Self.onlyTheme ?? drawn
    hasPriorities = theme == .following ? !random.oneIn(8) : random.oneIn(2)
    demotions = theme == .following ? random.pick([1, 1, 2]) : random.pick([1, 2, 4, 1_000])
    // A demoted thread waits until all others wait. A few demotions therefore produce other schedules than many hand-overs.
    oneIn = random.pick(hasPriorities ? theme == .following ? [10, 20, 30] : [5, 15, 50, 150] : [2, 3, 4, 8, 16, 40])
    isInMemory = theme == .following ? !random.oneIn(8) : theme == .anything && random.oneIn(10)
    stores = isInMemory ? 1 : theme == .contending || theme == .observing ? random.pick([2, 2, 3]) : random.pick([1, 1, 2, 2, 3])
    actors = random.pick(
      theme == .anything ? [2, 4, 6, 8] : theme == .closing ? [2, 4, 6] : theme == .following ? [3, 3, 4] : [2, 2, 3])
    rounds = theme == .anything ? random.pick([1, 1, 2, 4]) : 1
    waves =
      theme == .closing || theme == .following || theme == .observing
      ? 1 : random.pick(theme == .contending ? [1, 1, 1, 2] : [1, 1, 2, 4])
    accounts = theme == .contending ? 1 : random.pick([1, Bank.accounts])
    pendingLimit = random.pick([2, 4, 1_000])
    undoWindow = random.pick([4, 1_000])
    snapshotSpacing = random.pick([2, 5, .max])
    patience = random.pick([.zero, .milliseconds(30), .seconds(30)])
    let isFaulty = theme == .closing || random.oneIn(3)
    holds = theme == .observing ? random.pick([2, 3, 6]) : random.pick(isFaulty ? [0, 3, 8] : theme == .anything ? [0, 0, 12] : [0])
    failures = isFaulty ? random.pick([0, 4, 12]) : 0
    losses = isFaulty ? random.pick([0, 4, 12]) : 0
    breakdowns = isFaulty ? random.pick([0, 0, 12, 40]) : 0
    slowness = random.pick(theme == .following || theme == .contending ? [2, 2, 3] : [3, 8, 30])
    nestings = random.pick([0, 2, 4])
    undoWindowLoading = random.pick([.atOpening, .whenNeeded])
  }

  /// Whether calls may be held or may wait for the clock.
  var hasWeather: Bool { holds + failures + losses > 0 || theme == .anything || theme == .closing }

  /// The settings of the scheduler.
  var settings: simulation_settings {
    simulation_settings(
      seed: seed, threads: Int32(threads), one_in: Int32(oneIn), has_priorities: hasPriorities ? 1 : 0,
      demotions: Int32(demotions))
  }
}
