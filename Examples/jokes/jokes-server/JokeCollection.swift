/// The jokes. All of our own writing, and none at anybody's expense.
enum JokeCollection {
  struct Entry: Sendable {
    let name: String
    /// Whether it is for staging only.
    var isNew = false
    let jokes: [(String, String)]
  }

  static let categories: [Entry] = [
    Entry(
      name: "animals",
      jokes: [
        ("Why did the hedgehog bring a cushion?", "It wanted to be on the soft side for once."),
        ("What does a snail say on a turtle's back?", "Slow down, I can't see the view!"),
        ("Why are owls never invited twice?", "They keep asking who."),
        ("What does a bee do on its day off?", "It just lets things buzz by."),
        ("Why did the cat sit on the map?", "It had found the warmest country."),
        ("How do penguins decide anything?", "They take a waddle on it."),
        ("What is a mole's favourite view?", "It has never looked into that."),
        ("Why do geese fly in a V?", "They have not learned the other letters yet."),
        ("What did the sheep say to the knitting needles?", "So that's where my coat went."),
      ]),
    Entry(
      name: "food",
      jokes: [
        ("Why was the soup so calm?", "It had simmered down."),
        ("What does bread do in the morning?", "It rises, like everybody, only earlier."),
        ("Why did the tomato blush?", "It saw the salad dressing."),
        ("What do you call a potato on a long walk?", "A roamin' tuber."),
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
        ("What did one raindrop say to the other?", "Two's company, three's a puddle."),
        ("Why is fog a poor storyteller?", "One never sees where it is going."),
      ]),
    Entry(
      name: "numbers",
      jokes: [
        ("Why is six so relaxed?", "It has heard that seven only ate nine."),
        ("What did zero say to eight?", "Nice belt, I should get one."),
        ("Why is a circle good company?", "It never cuts corners."),
        ("What do parallel lines regret?", "They have so much in common, and will never meet."),
        ("Why did one feel odd?", "It was its nature; two was even about it."),
        ("How does a fraction enter a room?", "In part."),
        ("Why was the equation at peace?", "Both of its sides agreed."),
        ("What is infinity's bad habit?", "It never knows when to stop."),
      ]),
    Entry(
      name: "music", isNew: true,
      jokes: [
        ("Why did the drum take a nap?", "It was beat."),
        ("What does a piano lose most often?", "Its keys, and it has 88 of them."),
      ]),
  ]
}
