/// The jokes of a category, one of which is shown: a random one, drawn by an effect.
public struct Deck: Hashable, Sendable {
  /// The jokes, in the server's order.
  public let jokes: [Joke]
  /// The position of the shown joke; nil while a number is being drawn, and for no jokes.
  public let shown: Int?
  /// The position of the joke before; nil for the first draw.
  public let before: Int?

  /// Jokes of which none has been drawn.
  public init(_ jokes: [Joke]) { self.init(jokes, shown: nil, before: nil) }

  private init(_ jokes: [Joke], shown: Int?, before: Int?) { (self.jokes, self.shown, self.before) = (jokes, shown, before) }

  /// How many numbers there are to draw from; nil if no number is needed.
  public var draw: Int? {
    guard shown == nil, !jokes.isEmpty else { return nil }
    return before == nil || jokes.count == 1 ? jokes.count : jokes.count - 1
  }

  /// The same jokes, of which another one is to be drawn.
  public var next: Deck { shown == nil ? self : Deck(jokes, shown: nil, before: shown) }

  /// The deck after a draw. The number counts the jokes without the one shown before, so that none is shown twice in a row.
  ///
  /// - Parameter number: At least 0, and less than ``draw``; any other number changes nothing.
  public func drawn(_ number: Int) -> Deck {
    guard let draw, (0..<draw).contains(number) else { return self }
    guard let before, jokes.count > 1 else { return Deck(jokes, shown: number, before: before) }
    return Deck(jokes, shown: number < before ? number : number + 1, before: before)
  }
}
