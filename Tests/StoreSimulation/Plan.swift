import AlterCore
import AlterTesting
import SimulatedThreads

/// A schedule as its seed draws it: how threads are chosen, how stores behave, and the chances of faults.
struct Plan {
  /// What most of the tasks do.
  enum Theme: String { case anything, following, observing, contending, closing }

  /// The theme of all schedules, where only one is wanted.
  nonisolated(unsafe) static var onlyTheme: Theme?

  let seed: UInt64
  let theme: Theme
  let threads: Int
  /// A hand-over happens at one decision in so many.
  let oneIn: Int
  let hasPriorities: Bool
  let demotions: Int
  let isInMemory: Bool
  let stores: Int
  /// How many tasks begin at once, how much each does, and how often, after everything has come to rest, others begin.
  let actors: Int
  let rounds: Int
  let waves: Int
  /// How many of the accounts the changes are about.
  let accounts: Int
  let pendingLimit: Int
  let undoWindow: Int
  let snapshotSpacing: Int
  let patience: Duration
  /// In how many calls one is delayed, fails for a moment, loses its answer, or fails for good; 0 for never.
  let holds: Int
  let failures: Int
  let losses: Int
  let breakdowns: Int
  /// In how many calls of a user's code one is slow.
  let slowness: Int
  /// One observer in so many makes changes, begins or ends observations inside its notifications; 0 for none.
  let nestings: Int

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    threads = random.pick([2, 3, 4, 6])
    // The schedules of some themes are short: so each gets about as many steps.
    let themes: [(Theme, Int)] = [(.anything, 2), (.following, 30), (.observing, 10), (.contending, 14), (.closing, 4)]
    let drawn = random.pick(themes.flatMap { Array(repeating: $0.0, count: $0.1) })
    theme = Self.onlyTheme ?? drawn
    hasPriorities = theme == .following ? !random.oneIn(8) : random.oneIn(2)
    demotions = theme == .following ? random.pick([1, 1, 2]) : random.pick([1, 2, 4, 1_000])
    // A thread that is demoted waits until all others do, so that few demotions make other schedules than many hand-overs.
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
  }

  /// Whether anything is held, or waits for the clock, that could end by itself.
  var hasWeather: Bool { holds + failures + losses > 0 || theme == .anything || theme == .closing }

  /// What decides about the threads.
  var settings: simulation_settings {
    simulation_settings(
      seed: seed, threads: Int32(threads), one_in: Int32(oneIn), has_priorities: hasPriorities ? 1 : 0,
      demotions: Int32(demotions))
  }
}
