public import Alter

/// A fasting timer: all that it knows, and all that it does. No clock is in it: the time comes with each change, in its stamp.
public struct FastingState: Journaled, Hashable {
  /// Where it stands. Only one of them at a time, and each with what belongs to it.
  public enum Phase: Hashable, Codable, Sendable {
    case ready
    /// Since when: microseconds since 1970 UTC.
    case fasting(since: Int64)
    case finished(Fast)
  }

  /// What can happen.
  public enum Change: Hashable, Codable, Sendable { case goal(Goal), begin, finish, reset }

  /// Where it stands.
  public private(set) var phase = Phase.ready
  /// How long to fast.
  public private(set) var goal = Goal.sixteen
  /// What was finished, oldest first.
  public private(set) var fasts: [Fast] = []

  /// A timer that has not begun.
  public init() {}

  /// Makes the change. What makes no sense is refused: to begin twice, to finish what has not begun.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch (phase, change) {
    case (_, .goal(let goal)): self.goal = goal
    case (.ready, .begin), (.finished, .begin): phase = .fasting(since: stamp.time)
    case (.fasting(let begin), .finish):
      let fast = Fast(begin: begin, end: max(begin, stamp.time), goal: goal)
      phase = .finished(fast)
      fasts.append(fast)
    case (.fasting, .reset), (.finished, .reset), (.ready, .reset): phase = .ready
    case (.fasting, .begin): throw .illegal(from: "fasting", change: "begin")
    case (.ready, .finish): throw .illegal(from: "ready", change: "finish")
    case (.finished, .finish): throw .illegal(from: "finished", change: "finish")
    }
  }

  /// How far the fast is at a moment, which the caller names: there is no hidden now.
  ///
  /// - Parameter time: Microseconds since 1970 UTC. A clock that was set back shows 0, and nothing below.
  /// - Returns: Nil when no fast is under way or just finished.
  public func progress(at time: Int64) -> Progress? {
    switch phase {
    case .ready: nil
    case .fasting(let begin): Progress(elapsed: max(0, time - begin), goal: goal)
    case .finished(let fast): Progress(elapsed: fast.end - fast.begin, goal: fast.goal)
    }
  }
}

/// How long to fast.
public enum Goal: Int, Codable, Sendable, CaseIterable {
  case twelve = 12
  case sixteen = 16
  case eighteen = 18
  case twenty = 20

  /// In hours.
  public var hours: Int { rawValue }
}

/// A fast that is over.
public struct Fast: Hashable, Codable, Sendable {
  /// When it began: microseconds since 1970 UTC.
  public let begin: Int64
  /// When it was over: microseconds since 1970 UTC.
  public let end: Int64
  /// What it was to be.
  public let goal: Goal

  /// A fast that began and ended then.
  public init(begin: Int64, end: Int64, goal: Goal) { (self.begin, self.end, self.goal) = (begin, end, goal) }
}

/// How far a fast is.
public struct Progress: Hashable, Sendable {
  /// In whole seconds.
  public let elapsed: Int
  /// Until the goal, in whole seconds.
  public let remaining: Int
  /// From 0 to 1.
  public let fraction: Double

  init(elapsed: Int64, goal: Goal) {
    let whole = goal.hours * 3_600
    self.elapsed = Int(elapsed / 1_000_000)
    remaining = max(0, whole - self.elapsed)
    fraction = min(1, Double(self.elapsed) / Double(whole))
  }
}
