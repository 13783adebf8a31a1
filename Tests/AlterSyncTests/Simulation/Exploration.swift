import AlterSyncCore
import AlterTesting

/// All schedules of a small world, depth first. Equal worlds are explored once.
///
/// A long exploration can be stopped and continued: the worlds from which everything is explored are its progress
/// (`Exploration+Saving.swift`).
struct Exploration {
  /// The number of different worlds.
  private(set) var worlds = 0
  /// The number of steps between them.
  private(set) var steps = 0
  /// The number of worlds from which the outboxes were drained.
  private(set) var drains = 0
  var coverage: Coverage { tally.coverage }
  /// The first failure, with the steps that lead to it.
  private(set) var failure: (path: [Step], reason: LawBroken)?
  /// Whether the limit of worlds or of time was reached.
  private(set) var isTruncated = false
  /// The outcomes of the schedules, if they are recorded.
  private(set) var outcomes: Set<String> = []
  /// The number of schedules from each world on; negative while it is being explored. Cycles count once.
  private(set) var schedules: [UInt64: Double] = [:]
  private let tally = Tally()
  private var path: [Step] = []
  private let limit: Int
  private let recordsOutcomes: Bool
  /// The order of the steps. A truncated exploration then sees a bit of everything.
  private var random: SeededGenerator
  /// One world in so many is drained, beside all final ones.
  private let drainInterval: Int

  init(limit: Int = .max, drainInterval: Int = 64, seed: UInt64 = 1, recordsOutcomes: Bool = false) {
    random = SeededGenerator(seed: seed)
    self.limit = limit
    self.drainInterval = drainInterval
    self.recordsOutcomes = recordsOutcomes
  }

  /// A world that is being explored. A path may be as long as there are worlds, so the frames are on the heap.
  private struct Frame {
    let hash: UInt64
    let world: World
    let next: [Step]
    var index = 0
    /// The number of schedules through the explored steps.
    var sum = 0.0
  }

  private var frames: [Frame] = []

  /// Explores from a world.
  ///
  /// - Parameters:
  ///   - world: The world.
  ///   - isLate: Whether the time is over. The exploration then stops where it is.
  /// - Returns: The number of schedules; 0 after a failure, or if the time was over.
  mutating func run(_ world: World, until isLate: () -> Bool = { false }) -> Double {
    var world = world
    world.tally = tally
    var result = enter(world) ?? 0
    while failure == nil, let last = frames.indices.last {
      guard frames[last].index < frames[last].next.count else {
        result = leave()
        continue
      }
      let step = frames[last].next[frames[last].index]
      frames[last].index += 1
      steps += 1
      if steps.isMultiple(of: 4_096), isLate() {
        isTruncated = true
        frames = []
        return 0
      }
      var following = frames[last].world
      path.append(step)
      do { try following.perform(step) } catch {
        if let broken = error as? LawBroken { failure = (path, broken) }
        break
      }
      if let known = enter(following) {
        frames[last].sum += known
        path.removeLast()
      }
    }
    frames = []
    return failure == nil ? result : 0
  }

  /// Begins a world.
  ///
  /// - Returns: The number of schedules from it on, if the world is known or will not be explored; nil if it has a frame now.
  private mutating func enter(_ world: World) -> Double? {
    let hash = world.fingerprint
    if let known = schedules[hash] { return max(0, known) }
    guard worlds < limit else {
      isTruncated = true
      return 0
    }
    worlds += 1
    schedules[hash] = -1
    var next = world.steps()
    if limit < .max { next.shuffle(using: &random) }
    if recordsOutcomes, next.isEmpty { outcomes.insert(world.outcome) }
    if next.isEmpty || worlds % drainInterval == 0 {
      drains += 1
      var ending = world
      ending.tally = Tally()
      do { try ending.drain() } catch {
        if let broken = error as? LawBroken { failure = (path, broken) }
      }
    }
    frames.append(Frame(hash: hash, world: world, next: next))
    return nil
  }

  /// Ends the last world.
  private mutating func leave() -> Double {
    let frame = frames.removeLast()
    let sum = frame.next.isEmpty ? 1 : frame.sum
    schedules[frame.hash] = sum
    if let last = frames.indices.last {
      frames[last].sum += sum
      path.removeLast()
    }
    return sum
  }

  // MARK: - Progress

  /// Continues from the progress of an earlier exploration. Each world that was not finished there is still reached through worlds that
  /// were not finished, either.
  mutating func resume(_ schedules: [UInt64: Double], worlds: Int, steps: Int, drains: Int, coverage: Coverage) {
    (self.schedules, self.worlds, self.steps, self.drains) = (schedules, worlds, steps, drains)
    tally.coverage = coverage
  }
}
