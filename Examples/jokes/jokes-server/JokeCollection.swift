/// The jokes of the server. We wrote all of them ourselves, and none makes fun of people.
enum JokeCollection {
  struct Entry: Sendable {
    let name: String
    /// Whether the category is offered only in staging.
    var isNew = false
    let jokes: [(String, String)]
  }

  static let categories: [Entry] = [
    Entry(
      name: "animals",
      jokes: [
        ("Why did the hedgehog bring a cushion?", "It wanted to be on the soft side for once."),
        ("Why did the snail cancel the move?", "It found that it was at home already."),
        ("Why are owls never invited twice?", "They keep asking who."),
        ("What does a bee do on its day off?", "It just lets things buzz by."),
        ("Why did the cat sit on the map?", "It had found the warmest country."),
        ("What does a penguin wear to a swim?", "The same as to the opera."),
        ("What is a mole's favourite view?", "It has never looked into that."),
        ("Why do geese fly in a V?", "They have not learned the other letters yet."),
        ("What did the sheep say to the knitting needles?", "So that's where my coat went."),
      ]),
    Entry(
      name: "food",
      jokes: [
        ("Why was the soup so calm?", "It had simmered down."),
        ("What does bread do in the morning?", "It rises, like everybody, only earlier."),
        ("Why did the onion leave the choir?", "Every solo of its ended in tears."),
        ("What does a potato do on a rainy Sunday?", "It stays in its jacket."),
        ("Why don't pancakes keep secrets?", "Sooner or later they flip."),
        ("What did the kettle say to the cup?", "You look like my type: empty, and willing to listen."),
        ("Why did the cheese go to the gallery?", "Somebody told it that it had matured."),
        ("What is a cookie's greatest fear?", "A glass of milk with time on its hands."),
      ]),
    Entry(
      name: "computers",
      jokes: [
        ("Why did the variable never leave home?", "It had no scope for it."),
        ("What did the immutable value say to the thief?", "Take a copy, I'm not going to change."),
        ("How does a stack say goodbye?", "Last in, first out of the door."),
        ("Why was the cache so cheerful?", "It remembered only the good hits."),
        ("What does an optional get for its birthday?", "A present, or nil."),
        ("Why did the two threads split up?", "They could not agree on who goes first."),
        ("What is a journal's favourite advice?", "Never go back, append."),
        ("Why do loops make good dancers?", "They know when to break."),
        ("How many tests does it take to change a light bulb?", "One, but first it must fail in the dark."),
      ]),
    Entry(
      name: "weather",
      jokes: [
        ("Why did the cloud stay in school?", "It was still a bit foggy about everything."),
        ("What does the wind read?", "Whatever it can leaf through."),
        ("Why was the snowman proud?", "He had built himself up from nothing."),
        ("What does a rainbow do after work?", "It goes over everything once more, in colour."),
        ("Why can't thunder keep a beat?", "It always comes in late."),
        ("How does the sun make plans?", "In the long run, it looks up."),
        ("What does a puddle say of the rain?", "That is how I came down in the world."),
        ("Why is fog a poor storyteller?", "One never sees where it is going."),
      ]),
    Entry(
      name: "numbers",
      jokes: [
        ("Why does ten never worry?", "Behind its one there is always somebody who asks for nothing."),
        ("What did the zero put on its door?", "Nothing to see here."),
        ("Why is a circle good company?", "It never cuts corners."),
        ("Why was the right angle so sure of itself?", "It had been measured, and it was right."),
        ("Why did one feel odd?", "It was its nature; two was even about it."),
        ("How does a fraction enter a room?", "In part."),
        ("Why was the equation at peace?", "Both of its sides agreed."),
        ("What is infinity's bad habit?", "It never knows when to stop."),
      ]),
    Entry(
      name: "music", isNew: true,
      jokes: [
        ("Why did the triangle get no solo?", "It could not make its point, having three of them."),
        ("What does a metronome do at a party?", "It counts the guests, four by four."),
      ]),
  ]
}
