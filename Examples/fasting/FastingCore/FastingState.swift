public import Alter

/// The state and the logic of a fasting timer. It contains no clock: each change brings the time in its stamp.
public struct FastingState: Journaled, Hashable {
  /// The phase of the timer, with the data that belongs to it.
  public enum Phase: Hashable, Codable, Sendable {
    case ready
    /// `since` is the begin of the fast, in microseconds since 1970 UTC.
    case fasting(since: Int64)
    case finished(Fast)
  }

  /// The changes of the timer.
  public enum Change: Hashable, Codable, Sendable { case goal(Goal), begin, finish, reset }

  /// The current phase.
  public private(set) var phase = Phase.ready
  /// The duration of the next fast, or of the current one.
  public private(set) var goal = Goal.sixteen
  /// The finished fasts, oldest first.
  public private(set) var fasts: [Fast] = []

  /// A timer that has not begun.
  public init() {}

  /// Makes the change. The timer refuses to begin a second fast while one is running, and to finish when none is running.
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

  /// The progress of the fast at the given time. The function does not read the clock.
  ///
  /// - Parameter time: Microseconds since 1970 UTC. If the clock was set back, the elapsed time is 0, never negative.
  /// - Returns: The progress of the current or just finished fast; nil if there is none.
  public func progress(at time: Int64) -> Progress? {
    switch phase {
    case .ready: nil
    case .fasting(let begin): Progress(elapsed: max(0, time - begin), goal: goal)
    case .finished(let fast): Progress(elapsed: fast.end - fast.begin, goal: fast.goal)
    }
  }
}

/// The duration of a fast.
public enum Goal: Int, Codable, Sendable, CaseIterable {
  case twelve = 12
  case sixteen = 16
  case eighteen = 18
  case twenty = 20

  /// The duration in hours.
  public var hours: Int { rawValue }
}

/// A finished fast.
public struct Fast: Hashable, Codable, Sendable {
  /// The begin, in microseconds since 1970 UTC.
  public let begin: Int64
  /// The end, in microseconds since 1970 UTC.
  public let end: Int64
  /// The goal that was set when the fast ended.
  public let goal: Goal

  /// A fast with the given begin and end.
  public init(begin: Int64, end: Int64, goal: Goal) { (self.begin, self.end, self.goal) = (begin, end, goal) }
}

/// The progress of a fast.
public struct Progress: Hashable, Sendable {
  /// The elapsed time in whole seconds.
  public let elapsed: Int
  /// The time until the goal in whole seconds; 0 after the goal is reached.
  public let remaining: Int
  /// The elapsed time as a fraction of the goal, from 0 to 1.
  public let fraction: Double

  init(elapsed: Int64, goal: Goal) {
    let whole = goal.hours * 3_600
    self.elapsed = Int(elapsed / 1_000_000)
    remaining = max(0, whole - self.elapsed)
    fraction = min(1, Double(self.elapsed) / Double(whole))
  }
}
