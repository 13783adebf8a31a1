public import Alter

/// The effect that draws a random number. `apply` must not draw one: a replay would have another result.
public enum Drawing {
  /// The dependency of this effect: a source of random numbers.
  public struct Dice: Sendable {
    /// Returns a number from 0 to one less than the argument, which is at least 1.
    public var roll: @Sendable (_ sides: Int) -> Int

    /// Dice with the given function.
    public init(roll: @escaping @Sendable (_ sides: Int) -> Int) { self.roll = roll }

    /// The system's random numbers.
    public static let random = Dice { Int.random(in: 0..<$0) }

    /// Dice that always show the lowest number.
    public static let lowest = Dice { _ in 0 }
  }

  /// Draws a number while the state requests one. The number arrives as a change, which a replay makes once more.
  public static let draw = Feedback<JokesState, Dice>("draw", request: \.draw) { sides, dice in .drawn(dice.roll(sides)) }
}
