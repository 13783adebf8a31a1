import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The timer's display on a terminal: a function of the state and of the time.
public struct FastingView: Hashable, Sendable {
  /// The lines, from top to bottom.
  public let lines: [String]

  /// The view of a state.
  ///
  /// - Parameters:
  ///   - state: The timer.
  ///   - date: The current time.
  ///   - columns: The maximum width of the bar, including the text behind it.
  public init(_ state: FastingState, at date: Date, columns: Int = 44) {
    let status: String
    switch state.phase {
    case .ready: status = "Ready for \(state.goal)."
    case .fasting(let begin): status = "Fasting for \(state.goal), since \(Self.moment(begin))."
    case .finished(let fast): status = "Finished: \(Self.moment(fast.begin)) to \(Self.moment(fast.end))."
    }
    var lines = [status]
    if let progress = state.progress(at: date) {
      let width = max(10, columns - 8)
      let full = Int(progress.fraction * Double(width))
      lines.append(
        "\(Self.clock(progress.elapsed))   \(progress.remaining > 0 ? "\(Self.clock(progress.remaining)) to go" : "The goal is reached.")")
      lines.append(
        String(repeating: "█", count: full) + String(repeating: "░", count: width - full) + "  \(Int(progress.fraction * 100)) %")
    }
    if !state.fasts.isEmpty { lines.append("\(state.fasts.count) finished so far.") }
    self.lines = lines
  }

  /// The help line for the keys that work in a phase.
  public static func keys(_ phase: FastingState.Phase) -> String {
    let goals = "1-4 + - goal   q quit"
    return switch phase {
    case .ready: "b begin   \(goals)"
    case .fasting: "f finish   r reset   \(goals)"
    case .finished: "b begin   r reset   \(goals)"
    }
  }

  /// The change that a key requests; nil if the key has no meaning.
  ///
  /// - Parameters:
  ///   - key: The key. `1` to `4` set a goal that has a name, `+` and `-` one that is an hour longer or shorter.
  ///   - goal: The present goal.
  public static func change(_ key: Character, goal: Goal) -> FastingState.Change? {
    switch key {
    case "b": .begin
    case "f": .finish
    case "r": .reset
    case "1": .goal(.sixteen)
    case "2": .goal(.eighteen)
    case "3": .goal(.twenty)
    case "4": .goal(.oneMealADay)
    case "+": Goal(rawValue: goal.hours + 1).map { .goal($0) }
    case "-": Goal(rawValue: goal.hours - 1).map { .goal($0) }
    default: nil
    }
  }

  static func clock(_ seconds: Int) -> String {
    [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  static func moment(_ date: Date) -> String { date.formatted(.iso8601) }
}
