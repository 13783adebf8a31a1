extension JokeRepository {
  /// A repository with a few built-in jokes, for work on the screens without a network.
  public static let memory = JokeRepository(
    categories: .success([Category("clocks"), Category("nothing")]),
    jokes: { category in
      .success(
        category.id != "clocks"
          ? []
          : [
            Joke(id: 1, setup: "Why did the clock go to school?", punchline: "It wanted to learn to tell the time by itself."),
            Joke(
              id: 2, setup: "Why do hands of clocks never quarrel?", punchline: "Sooner or later each sees it from the other's position."),
          ])
    })
}
