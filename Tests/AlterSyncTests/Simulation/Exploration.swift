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

  /// A world that is being explored. A path may be as long as there are worlds, so the frames are on the heap.
  private struct Frame {
    let hash: Int
    let world: World
    let next: [Step]
    var index = 0
    /// The number of schedules through the explored steps.
    var sum = 0.0
  }

  private var frames: [Frame] = []

  /// Explores from a world.
  ///
  /// - Returns: The number of schedules; 0 after a failure.
  mutating func run(_ world: World) -> Double {
    var result = enter(world) ?? 0
    while failure == nil, let last = frames.indices.last {
      guard frames[last].index < frames[last].next.count else {
        result = leave()
        continue
      }
      let step = frames[last].next[frames[last].index]
      frames[last].index += 1
      steps += 1
      var following = frames[last].world
      following.coverage = Coverage()
      path.append(step)
      do {
        try following.perform(step)
        coverage.merge(following.coverage)
      } catch {
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
    if next.isEmpty || worlds % drainInterval == 0 {
      drains += 1
      var ending = world
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
}
