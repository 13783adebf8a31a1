import Alter

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The timer's display on a terminal: a function of the state and of the time.
public struct FastingView: Hashable, Sendable {
  /// The lines, from top to bottom.
  public let lines: [String]

  /// The view of a state.
  ///
  /// - Parameters:
  ///   - state: The timer.
  ///   - time: The current time, in microseconds since 1970 UTC.
  ///   - columns: The maximum width of the bar, including the text behind it.
  public init(_ state: FastingState, at time: Int64, columns: Int = 44) {
    let status: String
    switch state.phase {
    case .ready: status = "Ready for \(state.goal.hours) hours."
    case .fasting(let begin): status = "Fasting for \(state.goal.hours) hours, since \(Self.moment(begin))."
    case .finished(let fast): status = "Finished: \(Self.moment(fast.begin)) to \(Self.moment(fast.end))."
    }
    var lines = [status]
    if let progress = state.progress(at: time) {
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
    switch phase {
    case .ready: "b begin   1-4 goal   q quit"
    case .fasting: "f finish   r reset   1-4 goal   q quit"
    case .finished: "b begin   r reset   1-4 goal   q quit"
    }
  }

  /// The change that a key requests; nil if the key has no meaning.
  public static func change(_ key: Character) -> FastingState.Change? {
    switch key {
    case "b": .begin
    case "f": .finish
    case "r": .reset
    case "1": .goal(.twelve)
    case "2": .goal(.sixteen)
    case "3": .goal(.eighteen)
    case "4": .goal(.twenty)
    default: nil
    }
  }

  static func clock(_ seconds: Int) -> String {
    [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  static func moment(_ time: Int64) -> String { Date(microseconds: time).formatted(.iso8601) }
}
