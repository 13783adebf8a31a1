public import Alter
public import Foundation

/// The state and the logic of a fasting timer. It contains no clock: each change brings the time in its stamp.
public struct FastingState: Journaled, Hashable {
  /// The phase of the timer, with the data that belongs to it.
  public enum Phase: Hashable, Codable, Sendable {
    case ready
    case fasting(since: Date)
    case finished(from: Date, to: Date)
  }

  /// The changes of the timer.
  public enum Change: Hashable, Codable, Sendable { case goal(Goal), begin, finish, reset }

  /// The current phase.
  public private(set) var phase = Phase.ready
  /// The duration of the fast.
  public private(set) var goal = Goal.sixteen

  /// A timer that has not begun.
  public init() {}

  /// Makes the change. The timer refuses to begin a second fast while one is running, and to finish when none is running.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch (phase, change) {
    case (_, .goal(let goal)): self.goal = goal
    case (.ready, .begin), (.finished, .begin): phase = .fasting(since: try stamp.now())
    case (.fasting(let begin), .finish): phase = .finished(from: begin, to: max(begin, try stamp.now()))
    case (_, .reset): phase = .ready
    case (.fasting, .begin): throw .illegal(from: "fasting", change: "begin")
    case (.ready, .finish): throw .illegal(from: "ready", change: "finish")
    case (.finished, .finish): throw .illegal(from: "finished", change: "finish")
    }
  }

  /// The elapsed time of the fast in seconds; nil if there is none.
  ///
  /// - Parameter date: The present time. If the clock was set back, the elapsed time is 0, never negative.
  public func elapsed(at date: Date) -> TimeInterval? {
    switch phase {
    case .ready: nil
    case .fasting(let begin): max(0, date.timeIntervalSince(begin))
    case .finished(let begin, let end): end.timeIntervalSince(begin)
    }
  }

  /// The timer as lines of text: a function of the state and of the time.
  public func lines(at date: Date) -> [String] {
    let status =
      switch phase {
      case .ready: "Ready for \(goal.rawValue) hours."
      case .fasting(let begin): "Fasting for \(goal.rawValue) hours, since \(begin.formatted(.iso8601))."
      case .finished(let begin, let end): "Finished: \(begin.formatted(.iso8601)) to \(end.formatted(.iso8601))."
      }
    guard let elapsed = elapsed(at: date) else { return [status] }
    let fraction = min(1, elapsed / goal.seconds)
    let bar = String(repeating: "█", count: Int(fraction * 36)).padding(toLength: 36, withPad: "░", startingAt: 0)
    let rest = elapsed < goal.seconds ? "\(Self.clock(goal.seconds - elapsed)) to go" : "The goal is reached."
    return [status, "\(Self.clock(elapsed))   \(rest)", "\(bar)  \(Int(fraction * 100)) %"]
  }

  private static func clock(_ time: TimeInterval) -> String {
    let seconds = Int(time)
    return [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

/// The duration of a fast, in whole hours: any from 1 to 168, which is a week. An app adds names for more of them with an extension.
public struct Goal: RawRepresentable, Hashable, Codable, Sendable {
  /// The goals that have names.
  public static let sixteen = Goal(hours: 16), eighteen = Goal(hours: 18), twenty = Goal(hours: 20)

  /// The hours. A goal is stored as this number.
  public let rawValue: Int

  /// A goal of some hours; nil unless they are from 1 to 168. Stored data with other numbers does not decode.
  public init?(rawValue: Int) {
    guard (1...168).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(hours: Int) { rawValue = hours }

  var seconds: TimeInterval { Double(rawValue) * 3_600 }
}
