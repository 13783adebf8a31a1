import Alter
import AlterTesting
import Testing

/// The guides "Effects as state" and "Testing".
enum EffectsGuide {
  // snippet: effects-state
  struct Draft: Identifiable, Hashable, Codable, Alterable {
    enum Saving: Hashable, Codable { case wanted, saved, failed(String) }
    enum Change: Hashable, Codable { case text(String), saving(Saving) }

    let id: Int
    private(set) var text = ""
    private(set) var saving = Saving.saved

    init(id: Int) { self.id = id }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .text(let text): (self.text, saving) = (text, .wanted)
      case .saving(let saving): self.saving = saving
      }
    }
  }

  struct Desk: Journaled, Hashable {
    enum Change: Hashable, Codable { case open(Int), draft(Int, Draft.Change), search(String), found([String]) }

    private(set) var drafts: IdentityArray<Draft> = []
    private(set) var search = ""
    private(set) var results: [String]? = []

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .open(let id): try drafts.insert(Draft(id: id))
      case .draft(let id, let change): try drafts.apply(change, to: id, at: stamp)
      case .search(let text): (search, results) = (text, text.isEmpty ? [] : nil)
      case .found(let titles): results = titles
      }
    }
  }
  // end

  // snippet: effects-world
  struct World: Sendable {
    var clock: any Clock<Duration>
    var save: @Sendable (_ id: Int, _ text: String, _ key: String) async throws -> Void
    var find: @Sendable (String) async -> [String]
  }
  // end

  // snippet: effects-save
  static let save = Feedback<Desk, World>("save", each: \.drafts, where: { $0.saving == .wanted }) { draft, world, effect in
    try await world.save(draft.id, draft.text, effect.key.description)
    return .draft(draft.id, .saving(.saved))
  } failure: { draft, error in
    .draft(draft.id, .saving(.failed("\(error)")))
  }
  // end

  // snippet: effects-search
  static let search = Feedback<Desk, World>("search", request: { $0.results == nil ? $0.search : nil }) { text, world in
    guard (try? await world.clock.sleep(for: .milliseconds(300))) != nil else { return nil }  // cancelled: somebody types on
    return .found(await world.find(text))
  }.local
  // end

  struct Offline: Error, Hashable, CustomStringConvertible {
    var description: String { "no network" }
  }

  // snippet: effects-condition
  struct Joke: Alterable, Hashable {
    enum Change: Hashable { case ask, told(String), failed(Offline) }

    private(set) var isLoading = false
    private(set) var text = ""

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .ask: isLoading = true
      case .told(let text): (isLoading, self.text) = (false, text)
      case .failed(let error): (isLoading, text) = (false, "\(error)")
      }
    }
  }

  struct JokeServer: Sendable { var random: @Sendable () async -> Result<String, Offline> }

  static let randomJoke = AsyncResult<JokeServer, String, Offline> { server in await server.random() }
  static let tell = Feedback<Joke, JokeServer>("tell", randomJoke.map(Joke.Change.told), when: \.isLoading, failure: Joke.Change.failed)
  // end

  // snippet: effects-part
  struct App: Sendable { let jokes: JokeServer, clock: any Clock<Duration> }
  // end

  @Suite("The guides Effects as state, and Testing")
  struct Tests {
    @Test("a saved draft and a failed one")
    func saving() async {
      // snippet: testing-store
      let clock = TestClock()
      let world = World(clock: clock.clock, save: { id, _, _ in if id == 2 { throw Offline() } }, find: { ["About \($0)"] })
      let store = TestStore(Desk(), feedbacks: [save, search], in: world, clock: clock)

      store.send(.open(1), .open(2), changing: ["drafts[1]": Draft(id: 1), "drafts[2]": Draft(id: 2)])
      store.send(.draft(2, .text("Dear Ada")), changing: ["drafts[2].text": "Dear Ada", "drafts[2].saving": Draft.Saving.wanted])
      #expect(store.effects.map(\.feedback) == ["save"])  // asked for, and not begun: a test store runs nothing by itself
      let failed = Draft.Saving.failed("no network")
      await store.receive(.draft(2, .saving(failed)), changing: ["drafts[2].saving": failed])
      // end

      // snippet: testing-clock
      store.send(.search("m"), changing: ["search": "m", "results": nil])
      await store.advance(by: .milliseconds(200))
      store.send(.search("milk"), changing: ["search": "milk"])  // cancels the first, which has not asked yet
      await store.advance(by: .milliseconds(300))
      await store.receive(.found(["About milk"]), changing: ["results": ["About milk"]])
      await store.finish()  // fails if anything is left over: a change, an effect, a problem
      // end
    }

    @Test("expected parts, and an undo")
    func parts() async {
      let clock = TestClock()
      let world = World(clock: clock.clock, save: { _, _, _ in }, find: { _ in [] })
      let store = TestStore(Desk(), feedbacks: [save], in: world, clock: clock)
      store.send(.open(1), changing: ["drafts[1]": Draft(id: 1)])
      // snippet: testing-parts
      store.send(.draft(1, .text("Dear Bob")), changing: ["drafts[1].text": "Dear Bob", "drafts[1].saving": Draft.Saving.wanted])
      await store.receive(.draft(1, .saving(.saved)), changing: ["drafts[1].saving": Draft.Saving.saved])
      await store.undo(changing: ["drafts[1]": Draft(id: 1)])
      // end
      await store.finish()
    }

    @Test("a real loop")
    func loop() async throws {
      let world = World(clock: ContinuousClock(), save: { _, _, _ in }, find: { ["About \($0)"] })
      let journal = MemoryJournal()
      // snippet: effects-run
      let store = try await Store.open(Desk(), in: journal)
      let loop = store.run([save, search], in: world)
      try store.change(.open(1), .draft(1, .text("Dear Ada")))
      for await desk in store.values(of: { $0 }) where desk.drafts.map(\.saving) == [.saved] { break }
      await loop.stop()
      await store.close()
      // end
    }
  }

  @Suite("The guide Effects as state: a condition, and a part of the environment")
  struct ConditionTests {
    @Test("a joke is told, or the failure is", arguments: [false, true])
    func joke(isOffline: Bool) async throws {
      let app = App(
        jokes: JokeServer { isOffline ? .failure(Offline()) : .success("An optional walks into a bar.") }, clock: TestClock().clock)
      let store = Store(Joke())
      // snippet: effects-provide
      let loop = store.run([tell.provide(\.jokes)], in: app)
      // end
      try store.change(.ask)
      for await isLoading in store.values(of: \.isLoading) where !isLoading { break }
      #expect(store.state.text == (isOffline ? "no network" : "An optional walks into a bar."))
      await loop.stop()
    }
  }

  // snippet: testing-purse
  struct Purse: Alterable, Hashable {
    enum Change: Hashable, Codable { case earn(Int), pay(Int) }
    private(set) var money = 0

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .earn(let amount): money += amount
      case .pay(let amount):
        guard amount <= money else { throw .custom("There is not enough money.") }
        money -= amount
      }
    }
  }
  // end

  @Suite("Properties")
  struct PropertyTests {
    // snippet: testing-properties
    @Test("a purse is never in debt, whatever happens")
    func purse() {
      ChangeProperties(of: Purse()) { _, random in
        random.oneIn(2) ? .earn(random.below(10)) : .pay(random.below(10))
      }
      .invariant("the purse is never in debt") { $0.money >= 0 }
      .check()
    }
    // end
  }
}
