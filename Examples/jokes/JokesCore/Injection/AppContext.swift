/// The app's context: the dependencies of all effects. Each effect, and each screen, receives a smaller one.
public struct AppContext: Sendable {
  /// The dependencies of loading.
  public var loading: Loading.Context
  /// The source of random numbers.
  public var dice: Drawing.Dice

  /// A context with the given parts.
  public init(loading: Loading.Context, dice: Drawing.Dice) { (self.loading, self.dice) = (loading, dice) }
}
