#if Macros
  import Alter

  // A smaller feature inside a larger one, with its use cases and its effects.

  /// The smaller feature: a state and its changes. It knows nothing of what contains it.
  struct Player: Alterable, Hashable {
    enum Change: Hashable { case play(String), loaded(String), stop }

    private(set) var wanted: String?
    private(set) var title = ""

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .play(let name): wanted = name
      case .loaded(let title): (wanted, self.title) = (nil, title)
      case .stop: (wanted, title) = (nil, "")
      }
    }

    /// A use case: it reads the player and returns changes of a player.
    func skip(to name: String) -> [Change] { title == name ? [] : [.stop, .play(name)] }
  }

  struct Library: Sendable { let load: @Sendable (String) async -> String }

  extension Player {
    /// Its effect, inside any larger state: the key path leads down to the player, and the closure leads its changes up.
    static func loading<Whole: Alterable>(
      _ name: String, in player: KeyPath<Whole, Player> & Sendable, _ change: @escaping @Sendable (Player.Change) -> Whole.Change
    ) -> Feedback<Whole, Library> {
      Feedback(name, request: { $0[keyPath: player].wanted }) { wanted, library in change(.loaded(await library.load(wanted))) }
    }
  }

  /// The larger feature: two players, and a use case that combines those of the smaller one.
  struct Radio: Alterable, Hashable {
    enum Change: Hashable { case left(Player.Change), right(Player.Change) }

    private(set) var left = Player()
    private(set) var right = Player()

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .left(let change): left.apply(change, at: stamp)
      case .right(let change): right.apply(change, at: stamp)
      }
    }

    func playEverywhere(_ name: String) -> [Change] { left.skip(to: name).map(Change.left) + right.skip(to: name).map(Change.right) }

    static let effects = [Player.loading("left", in: \Radio.left, Change.left), Player.loading("right", in: \Radio.right, Change.right)]
  }

  @MainActor func fractal() async throws {
    let library = Library { "“\($0)”" }
    // The smaller feature alone, and inside the larger one: the same state, the same use case, the same effect.
    let player = Store(Player())
    try player.run([Player.loading("player", in: \.self) { $0 }], in: library)
    try player.change(player.state.skip(to: "Blue"))
    for await state in player.values(of: \.self) where state.title != "" { print(state.title); break }

    let radio = Store(Radio())
    try radio.run(Radio.effects, in: library)
    try radio.change(radio.state.playEverywhere("Green"))  // one step: all or none
    for await state in radio.values(of: \.self) where state.left.title != "" && state.right.title != "" {
      print(state.left.title, state.right.title)
      break
    }
    await player.close()
    await radio.close()
  }
#endif
