import Alter
import AlterTesting
import Testing

/// The guides "Effects as state" and "Testing".
enum EffectsGuide {
  // snippet: effects-state
  struct Draft: Identifiable, Hashable, Codable, Alterable {
    enum Change: Hashable, Codable { case text(String), mistakes([String]) }

    let id: Int
    private(set) var text = ""
    private(set) var mistakes: [String]? = []  // nil: not checked yet

    init(id: Int) { self.id = id }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .text(let text): (self.text, mistakes) = (text, nil)
      case .mistakes(let words): mistakes = words
      }
    }
  }

  struct Desk: Journaled, Hashable {
    enum Change: Hashable, Codable { case open(Int), draft(Int, Draft.Change), saved([String]), search(String), found([String]) }

    private(set) var drafts: IdentityArray<Draft> = []
    private(set) var saved: [String] = []
    private(set) var search = ""
    private(set) var results: [String]? = []

    var texts: [String] { drafts.map(\.text) }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .open(let id): try drafts.add(Draft(id: id))
      case .draft(let id, let change): try drafts.apply(change, to: id, at: stamp)
      case .saved(let texts): saved = texts
      case .search(let text): (search, results) = (text, text.isEmpty ? [] : nil)
      case .found(let titles): results = titles
      }
    }
  }
  // end

  // snippet: effects-world
  struct World: Sendable {
    var clock: any Clock<Duration>
    var save: @Sendable ([String]) async throws -> Void
    var check: @Sendable (String) async throws -> [String]
    var find: @Sendable (String) async throws -> [String]
  }
  // end

  // snippet: effects-save
  static let save = Feedback<Desk, World>("save", of: \.texts, when: { $0.texts != $0.saved }) { texts, world in
    try await world.save(texts)
    return .saved(texts)
  }
  // end

  // snippet: effects-check
  static let check = Feedback<Desk, World>("check", each: \.drafts, request: { $0.mistakes == nil ? $0 : nil }) { draft, world in
    .draft(draft.id, .mistakes(try await world.check(draft.text)))
  }
  // end

  // snippet: effects-search
  static let search = Feedback<Desk, World>("search", request: { $0.results == nil ? $0.search : nil }) { text, world in
    try await world.clock.sleep(for: .milliseconds(300))
    return .found(try await world.find(text))
  }.latestWins.local
  // end

  struct Offline: Error, Hashable, CustomStringConvertible {
    var description: String { "no network" }
  }

  struct DiskFull: Error {}

  /// A disk that is full at first.
  actor Disk {
    private var isFull = true

    func tidy() { isFull = false }
    func write(_ texts: [String]) throws { if isFull { throw DiskFull() } }
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
  static let tell = Feedback<Joke, JokeServer>("tell", of: \.isLoading, when: \.isLoading) { _, server in
    await randomJoke.map(Joke.Change.told).recover(Joke.Change.failed).value(in: server)
  }
  // end

  // snippet: effects-part
  struct App: Sendable { let jokes: JokeServer, clock: any Clock<Duration> }
  // end

  // snippet: effects-retrying
  static let tellPatiently = Feedback<Joke, App>("tell", of: \.isLoading, when: \.isLoading) { _, app in
    let joke = await retrying(3, pause: .seconds(1), on: app.clock) { await app.jokes.random() }  // the first success, or the last failure
    switch joke {
    case .success(let text): return .told(text)
    case .failure(let error): return .failed(error)
    }
  }
  // end

  @Suite("The guides Effects as state, and Testing")
  struct Tests {
    @Test("texts that are stored, also after an error, and a search")
    func storing() async {
      // snippet: testing-store
      let clock = TestClock()
      let disk = Disk()
      let world = World(clock: clock.clock, save: { try await disk.write($0) }, check: { _ in [] }, find: { ["About \($0)"] })
      let store = TestStore(Desk(), feedbacks: [save, check, search], in: world, clock: clock)

      store.send(.open(1), changing: ["drafts[1]": Draft(id: 1)])
      #expect(store.effects.map(\.feedback) == ["save"])  // asked for, and not begun: a test store runs nothing by itself
      await store.undecided("save", DiskFull.self)  // an error decides nothing: the effect begins again after a pause
      await disk.tidy()
      await store.advance(by: .seconds(2))
      await store.receive(.saved([""]), changing: ["saved": [""]])
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
      let world = World(clock: clock.clock, save: { _ in }, check: { _ in ["Adda"] }, find: { _ in [] })
      let store = TestStore(Desk(), feedbacks: [check], in: world, clock: clock)
      store.send(.open(1), changing: ["drafts[1]": Draft(id: 1)])
      // snippet: testing-parts
      store.send(.draft(1, .text("Dear Adda")), changing: ["drafts[1].text": "Dear Adda", "drafts[1].mistakes": nil])
      await store.receive(.draft(1, .mistakes(["Adda"])), changing: ["drafts[1].mistakes": ["Adda"]])
      await store.undo(changing: ["drafts[1]": Draft(id: 1)])
      // end
      await store.finish()
    }

    @Test("a run, and an undo that asks for the next saving")
    func run() async throws {
      let world = World(clock: ContinuousClock(), save: { _ in }, check: { _ in [] }, find: { ["About \($0)"] })
      let journal = MemoryJournal()
      // snippet: effects-run
      let store = try await Store.open(Desk(), in: journal)
      try store.run([save, check, search], in: world)
      try store.change(.open(1), .draft(1, .text("Dear Ada")))
      for await saved in store.values(of: \.saved) where saved == ["Dear Ada"] { break }
      await store.close()
      // end
    }

    @Test("an undo asks for the next saving, because the answer stays")
    func undone() async throws {
      let world = World(clock: ContinuousClock(), save: { _ in }, check: { _ in [] }, find: { _ in [] })
      let store = try await Store.open(Desk(), in: MemoryJournal())
      try store.run([save], in: world)
      try await store.change(.open(1)).durable()
      try await store.change(.draft(1, .text("Dear Ada"))).durable()
      for await saved in store.values(of: \.saved) where saved == ["Dear Ada"] { break }
      try await store.undo()
      for await saved in store.values(of: \.saved) where saved == [""] { break }
      #expect(store.state.texts == [""])
      await store.close()
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
      try store.run([tell.provide(\.jokes)], in: app)
      // end
      try store.change(.ask)
      for await isLoading in store.values(of: \.isLoading) where !isLoading { break }
      #expect(store.state.text == (isOffline ? "no network" : "An optional walks into a bar."))
      await store.close()
    }

    @Test("a joke is asked for three times before its failure is told")
    func patience() async {
      let clock = TestClock()
      let attempts = Attempts()
      let app = App(jokes: JokeServer { await attempts.next() < 3 ? .failure(Offline()) : .success("Knock, knock.") }, clock: clock.clock)
      let store = TestStore(Joke(), feedbacks: [tellPatiently], in: app, clock: clock)
      store.send(.ask, changing: ["isLoading": true])
      await store.advance(by: .seconds(3))
      await store.receive(.told("Knock, knock."), changing: ["isLoading": false, "text": "Knock, knock."])
      await store.finish()
      #expect(await attempts.count == 3)
    }

    actor Attempts {
      private(set) var count = 0

      func next() -> Int {
        count += 1
        return count
      }
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
        Bool.random(using: &random) ? .earn(random.below(10)) : .pay(random.below(10))
      }
      .invariant("the purse is never in debt") { $0.money >= 0 }
      .check()
    }
    // end
  }
}
