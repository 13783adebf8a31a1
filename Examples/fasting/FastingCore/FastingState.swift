public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The state and the logic of a fasting timer. It contains no clock: each change brings the time in its stamp.
public struct FastingState: Journaled, Hashable {
  /// The phase of the timer, with the data that belongs to it.
  public enum Phase: Hashable, Codable, Sendable {
    case ready
    case fasting(since: Date)
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
    case (.ready, .begin), (.finished, .begin): phase = .fasting(since: try stamp.now())
    case (.fasting(let begin), .finish):
      let fast = Fast(begin: begin, end: max(begin, try stamp.now()), goal: goal)
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
  /// - Parameter date: The time. If the clock was set back, the elapsed time is 0, never negative.
  /// - Returns: The progress of the current or just finished fast; nil if there is none.
  public func progress(at date: Date) -> Progress? {
    switch phase {
    case .ready: nil
    case .fasting(let begin): Progress(from: begin, to: max(begin, date), goal: goal)
    case .finished(let fast): Progress(from: fast.begin, to: fast.end, goal: fast.goal)
    }
  }
}

/// A finished fast.
public struct Fast: Hashable, Codable, Sendable {
  /// The begin.
  public let begin: Date
  /// The end.
  public let end: Date
  /// The goal that was set when the fast ended.
  public let goal: Goal

  /// A fast with the given begin and end.
  public init(begin: Date, end: Date, goal: Goal) { (self.begin, self.end, self.goal) = (begin, end, goal) }
}

/// The progress of a fast.
public struct Progress: Hashable, Sendable {
  /// The elapsed time in whole seconds.
  public let elapsed: Int
  /// The time until the goal in whole seconds; 0 after the goal is reached.
  public let remaining: Int
  /// The elapsed time as a fraction of the goal, from 0 to 1.
  public let fraction: Double

  init(from begin: Date, to end: Date, goal: Goal) {
    let whole = goal.hours * 3_600
    // Stored data may contain any two dates: an end before the begin, or dates whose difference exceeds an integer.
    let (microseconds, overflows) = end.microseconds.subtractingReportingOverflow(begin.microseconds)
    elapsed = begin >= end ? 0 : Int((overflows ? .max : microseconds) / 1_000_000)
    remaining = max(0, whole - elapsed)
    fraction = min(1, Double(elapsed) / Double(whole))
  }
}
