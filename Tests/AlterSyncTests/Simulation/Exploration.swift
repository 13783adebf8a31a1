import AlterSyncCore
import AlterTesting

/// All schedules of a small world, depth first. Equal worlds are explored once.
struct Exploration {
  /// The number of different worlds.
  private(set) var worlds = 0
  /// The number of steps between them.
  private(set) var steps = 0
  /// The number of worlds from which the outboxes were drained.
  private(set) var drains = 0
  private(set) var coverage = Coverage()
  /// The first failure, with the steps that lead to it.
  private(set) var failure: (path: [Step], reason: LawBroken)?
  /// Whether the limit of worlds was reached.
  private(set) var isTruncated = false
  /// The number of schedules from each world on; negative while it is being explored. Cycles count once.
  private var schedules: [Int: Double] = [:]
  private var path: [Step] = []
  private let limit: Int
  /// The order of the steps. A truncated exploration then sees a bit of everything.
  private var random: SeededGenerator
  /// One world in so many is drained, beside all final ones.
  private let drainInterval: Int

  init(limit: Int = .max, drainInterval: Int = 64, seed: UInt64 = 1) {
    random = SeededGenerator(seed: seed)
    self.limit = limit
    self.drainInterval = drainInterval
  }

  /// Explores from a world.
  ///
  /// - Returns: The number of schedules.
  mutating func run(_ world: World) -> Double {
    let hash = world.fingerprint
    if let known = schedules[hash] { return max(0, known) }
    guard failure == nil else { return 0 }
    guard worlds < limit else {
      isTruncated = true
      return 0
    }
    worlds += 1
    schedules[hash] = -1
    var next = world.steps()
    if limit < .max { next.shuffle(using: &random) }
    var sum = 0.0
    for step in next {
      steps += 1
      var following = world
      following.coverage = Coverage()
      path.append(step)
      do {
        try following.perform(step)
        coverage.merge(following.coverage)
        sum += run(following)
      } catch {
        if failure == nil, let broken = error as? LawBroken { failure = (path, broken) }
      }
      path.removeLast()
      if failure != nil { return 0 }
    }
    if next.isEmpty { sum = 1 }
    if next.isEmpty || worlds % drainInterval == 0 {
      drains += 1
      var ending = world
      do { try ending.drain() } catch {
        if let broken = error as? LawBroken { failure = (path, broken) }
      }
    }
    schedules[hash] = sum
    return sum
  }
}
