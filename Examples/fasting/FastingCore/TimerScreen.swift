#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The timer's screen: a function of the state and of the time.
public struct TimerScreen: Hashable, Sendable {
  /// A button: a title, and the change that it makes.
  public struct Button: Identifiable, Hashable, Sendable {
    /// The title, which is also the identity.
    public let id: String
    /// The change.
    public let change: FastingState.Change
  }

  /// The phase in words.
  public let status: String
  /// The elapsed time in hours, minutes and seconds; nil if there is no fast.
  public let elapsed: String?
  /// The time until the goal in words; nil if there is no fast.
  public let remaining: String?
  /// The elapsed time as a fraction of the goal, from 0 to 1; nil if there is no fast.
  public let fraction: Double?
  /// The buttons for the changes that the phase accepts.
  public let buttons: [Button]
  /// The goal in hours, as in '16 hours'.
  public let goal: String
  /// The change to a goal of one hour more; nil if there is no longer one.
  public let longer: FastingState.Change?
  /// The change to a goal of one hour less; nil if there is no shorter one.
  public let shorter: FastingState.Change?

  /// The screen of a state.
  ///
  /// - Parameters:
  ///   - state: The timer.
  ///   - date: The current time.
  public init(_ state: FastingState, at date: Date) {
    let progress = state.progress(at: date)
    elapsed = progress.map { FastingView.clock($0.elapsed) }
    remaining = progress.map { $0.remaining > 0 ? "\(FastingView.clock($0.remaining)) to go" : "The goal is reached." }
    fraction = progress?.fraction
    goal = state.goal.hours == 1 ? "1 hour" : "\(state.goal.hours) hours"
    longer = Goal(rawValue: state.goal.hours + 1).map { .goal($0) }
    shorter = Goal(rawValue: state.goal.hours - 1).map { .goal($0) }
    switch state.phase {
    case .ready:
      status = "Ready for \(state.goal)."
      buttons = [Button(id: "Begin", change: .begin)]
    case .fasting:
      status = "Fasting for \(state.goal)."
      buttons = [Button(id: "Finish", change: .finish), Button(id: "Reset", change: .reset)]
    case .finished:
      status = "Finished."
      buttons = [Button(id: "Begin", change: .begin), Button(id: "Reset", change: .reset)]
    }
  }
}
