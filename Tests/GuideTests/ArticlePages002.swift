#if Macros
  import Alter
  import AlterTesting
  import ProcessTesting
  import Testing

  /// The page "Article: state, events, feedback".
  enum ArticlePages002 {
    struct Offline: Error, Hashable {}

    struct Item: Hashable, Codable, Identifiable {
      let id: Int
      let text: String
    }

    /// The article's shape in plain Swift, without Alter.
    enum Shape {
      // snippet: article-002-shape-reducer
      enum Event { case ask(Int), told(String), failed }

      struct State {
        var wanted: Int?
        var text = ""
      }

      static func reduce(_ state: State, _ event: Event) -> State {
        switch event {
        case .ask(let number): State(wanted: number, text: state.text)
        case .told(let text): State(wanted: nil, text: text)
        case .failed: State(wanted: nil, text: "No connection")
        }
      }
      // end

      struct Context {
        let fact: (Int, @escaping (Result<String, Offline>) -> Void) -> Void
      }

      struct AsyncResult<Context, Value, Failure: Error> {
        let run: (Context, @escaping (Result<Value, Failure>) -> Void) -> Void

        func map<NewValue>(_ transform: @escaping (Value) -> NewValue) -> AsyncResult<Context, NewValue, Failure> {
          AsyncResult<Context, NewValue, Failure> { context, done in self.run(context) { done($0.map(transform)) } }
        }

        func recover(_ transform: @escaping (Failure) -> Value) -> AsyncResult<Context, Value, Never> {
          AsyncResult<Context, Value, Never> { context, done in
            self.run(context) { result in
              switch result {
              case .success(let value): done(.success(value))
              case .failure(let failure): done(.success(transform(failure)))
              }
            }
          }
        }
      }

      struct Feedback {
        let effect: (State) -> AsyncResult<Context, Event, Never>
        let predicate: (State) -> Bool
      }

      /// The smallest system that performs feedbacks: at most five in a row.
      final class System {
        private(set) var state = State()
        private(set) var events: [Event] = []
        private let feedbacks: [Feedback]
        private let context: Context

        init(_ feedbacks: [Feedback], in context: Context) { (self.feedbacks, self.context) = (feedbacks, context) }

        func execute(_ event: Event, round: Int = 0) {
          events.append(event)
          state = reduce(state, event)
          guard round < 5 else { return }
          for feedback in feedbacks where feedback.predicate(state) {
            feedback.effect(state).run(context) { result in self.execute(result.get(), round: round + 1) }
          }
        }
      }

      struct UserAction {
        let system: System
        let event: Event
        func callAsFunction() { system.execute(event) }
      }
    }

    // snippet: article-002-state
    struct Facts: Alterable, Hashable {
      enum Change: Hashable { case draw, ask(Int), told(String), failed }

      private(set) var isDrawing = false
      private(set) var wanted: Int?
      private(set) var text = ""

      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .draw: isDrawing = true
        case .ask(let number): (isDrawing, wanted) = (false, number)
        case .told(let text): (wanted, self.text) = (nil, text)
        case .failed: (wanted, text) = (nil, "No connection")
        }
      }
    }
    // end

    // snippet: article-002-list
    @Alterable struct List: Hashable {
      enum Filter: String, Codable { case all, open }

      @Each let tasks: IdentityArray<Task>
      @Default(Filter.all) let filter: Filter  // .filter(.open)

      var visible: [Task] { tasks.filter { filter == .all || !$0.isDone } }
    }

    @Alterable struct Task: Identifiable, Hashable {
      let id: Int
      let title: String
      @Default(false) let isDone: Bool
    }

    struct ListScreen: Hashable {
      let rows: [String]
      let title: String

      init(_ list: List) {
        rows = list.visible.map(\.title)
        title = list.filter == .all ? "All tasks" : "Open tasks"
      }
    }
    // end

    // snippet: article-002-context
    struct Context: Sendable {
      let fact: @Sendable (Int) async -> Result<String, Offline>

      static let test = Context { number in .success("\(number) is a number.") }
      static let offline = Context { _ in .failure(Offline()) }
    }
    // end

    // snippet: article-002-app-context
    struct AppContext: Sendable { let facts: Context, dice: Dice }
    // end

    // snippet: article-002-dice
    struct Dice: Sendable { let roll: @Sendable () -> Int }

    static let draw = Feedback<Facts, Dice>("draw", of: \.isDrawing, when: \.isDrawing) { _, dice in .ask(dice.roll()) }
    // end

    // snippet: article-002-feedback
    static let tell = Feedback<Facts, Context>("tell", request: \.wanted) { number, context in
      await AsyncResult<Context, String, Offline> { context in await context.fact(number) }
        .map { Facts.Change.told($0) }
        .recover { _ in .failed }
        .value(in: context)
    }
    // end

    @Suite("The article page on feedback")
    struct ArticleFeedbackTests {
      @Test("folds events into a state in the article's shape and in ours")
      func events() async throws {
        // snippet: article-002-shape-events
        let events: [Shape.Event] = [.ask(7), .told("7 is prime."), .ask(8)]
        let last = events.reduce(Shape.State(), Shape.reduce)
        // end
        #expect(last.wanted == 8 && last.text == "7 is prime.")

        // snippet: article-002-events
        let changes: [Facts.Change] = [.ask(7), .told("7 is prime."), .ask(8)]
        let state = Facts().alter(changes)
        // end
        #expect(state.wanted == 8 && state.text == "7 is prime.")

        // snippet: article-002-breadcrumbs
        let store = Store(Facts())
        for change in changes { try store.change(change) }
        var breadcrumbs: [Facts.Change] = []
        for record in try await store.entries(in: 2...store.revision) {  // revision 1 is the initial state
          if case .changes(let changes) = record.kind { breadcrumbs += changes }
        }
        #expect(breadcrumbs == changes)
        // end
        await store.close()
      }

      @Test("has the filter in the state, and the interface as a function of it") @MainActor
      func filter() throws {
        // snippet: article-002-filter
        let list = try List(.add(.task(Task(id: 1, title: "Tea"))), .add(.task(Task(id: 2, title: "Rice"))), .task(1, .isDone(true)))
        #expect(try ListScreen(list.alter(.filter(.open))).rows == ["Rice"])
        // end
        var shown: [ListScreen] = []
        // snippet: article-002-bind
        let store = Store(list)
        let binding = store.bind(ListScreen.init) { shown.append($0) }  // again whenever the screen differs
        // end
        #expect(shown.map(\.title) == ["All tasks"])
        binding.cancel()
      }

      @Test("runs an asynchronous result in a context in the article's shape and in ours")
      func asyncResult() async {
        typealias AsyncResult = ArticlePages002.Shape.AsyncResult
        let context = Shape.Context { number, done in done(.success("\(number) is a number.")) }
        var answers: [Result<Int, Offline>] = []
        // snippet: article-002-shape-async
        let fact = AsyncResult<Shape.Context, String, Offline> { context, done in context.fact(7, done) }
        fact.map { $0.count }.run(context) { result in answers.append(result) }
        // end
        #expect(answers == [.success(14)])
        await ours()
      }

      func ours() async {
        // snippet: article-002-async
        let fact = AsyncResult<Context, String, Offline> { context in await context.fact(7) }
        let result = await fact.map { $0.count }.run(in: .test)
        // end
        #expect(result == .success(14))

        // snippet: article-002-laws
        typealias Counting = AsyncResult<Context, Int, Offline>
        let even = { @Sendable (count: Int) -> Counting in count % 2 == 0 ? .success(count) : .failure(Offline()) }
        let half = { @Sendable (count: Int) -> Counting in .success(count / 2) }
        let count = fact.map { $0.count }
        for context in [Context.test, .offline] {
          let inSteps = await count.flatMap(even).flatMap(half).run(in: context)
          let nested = await count.flatMap { even($0).flatMap(half) }.run(in: context)
          #expect(inSteps == nested)
        }
        // end
        #expect(await count.flatMap(even).flatMap(half).run(in: .test) == .success(7))
      }

      @Test("performs the effect that the state requests in the article's shape and in ours")
      func feedback() async throws {
        typealias Feedback = Shape.Feedback
        typealias AsyncResult = ArticlePages002.Shape.AsyncResult
        typealias Context = Shape.Context
        typealias Event = Shape.Event
        let context = Context { number, done in done(.success("\(number) is a number.")) }
        // snippet: article-002-shape-feedback
        let tell = Feedback(
          effect: { state in
            AsyncResult<Context, String, Offline> { context, done in context.fact(state.wanted ?? 0, done) }
              .map { Event.told($0) }
              .recover { _ in .failed }
          },
          predicate: { state in state.wanted != nil })
        // end
        // snippet: article-002-shape-run
        let system = Shape.System([tell], in: context)
        let ask = Shape.UserAction(system: system, event: .ask(7))
        ask()
        // end
        #expect(system.state.text == "7 is a number." && system.events.count == 2)
        let endless = Shape.System(
          [Shape.Feedback(effect: { _ in .init { _, done in done(.success(.ask(1))) } }, predicate: { $0.wanted != nil })], in: context)
        endless.execute(.ask(1))
        #expect(endless.events.count == 6)  // the event of the user, and five rounds
        try await oursPerforms()
        try await oursPauses()
      }

      /// At most five rounds follow an event in Alter, too: each answer of this feedback asks about the next number.
      func oursPauses() async throws {
        let store = Store(Facts())
        let endless = Feedback<Facts, Dice>("endless", request: \.wanted) { number, _ in .ask(number + 1) }
        try store.run([endless], in: Dice { 7 })
        var problems = store.problems.makeAsyncIterator()
        try store.change(.ask(1))
        let problem = await problems.next()
        #expect(problem?.description.contains("'endless'") == true, "\(problem?.description ?? "no problem")")
        #expect(store.state.wanted == 6)  // the event of the user, and five rounds
        await store.close()
      }

      func oursPerforms() async throws {
        let store = Store(Facts())
        let app = AppContext(facts: .test, dice: Dice { 7 })
        // snippet: article-002-provide
        try store.run([tell.provide(\.facts), draw.provide(\.dice)], in: app)
        // end
        // snippet: article-002-run
        let random = UserAction(store, .draw)  // a UserAction<Void>
        let ask = UserAction(store, Facts.Change.ask)  // a UserAction<Int>
        ask(8)
        // end
        for await text in store.values(of: \.text) where text == "8 is a number." { break }
        random()
        for await text in store.values(of: \.text) where text == "7 is a number." { break }
        #expect(store.state.wanted == nil)
        await store.close()
      }

      @Test("an event while an effect runs: the pair performs it again, and the answer to the older request is dropped")
      func requests() async {
        var answers: [(Result<String, Offline>) -> Void] = []
        let context = Shape.Context { number, done in answers.append(done) }
        let feedback = Shape.Feedback(
          effect: { state in
            .init { context, done in
              context.fact(state.wanted ?? 0) { result in done(.success((try? result.get()).map { .told($0) } ?? .failed)) }
            }
          }, predicate: { $0.wanted != nil })
        let system = Shape.System([feedback], in: context)
        system.execute(.ask(7))
        system.execute(.ask(8))
        #expect(answers.count == 2)
        answers[1](.success("about 8"))
        answers[0](.success("about 7"))
        #expect(system.state.text == "about 7")  // the later answer wins, which is the older question's

        let clock = TestClock()
        let slow = Context { number in
          try? await clock.clock.sleep(for: .seconds(2))
          return .success("about \(number)")
        }
        let store = TestStore(Facts(), feedbacks: [tell], in: slow, clock: clock)
        store.send(.ask(7), changing: ["wanted": 7])
        await store.advance(by: .seconds(1))
        store.send(.ask(7), changing: [:])
        #expect(store.effects.count == 1)
        store.send(.ask(8), changing: ["wanted": 8])
        await store.advance(by: .seconds(3))  // the answer about 7 is dropped, and the effect begins again
        await store.receive(.told("about 8"), changing: ["wanted": nil, "text": "about 8"])
        await store.finish()  // no answer about 7
      }

      @Test("is tested with a context for tests")
      func testing() async {
        // snippet: article-002-test
        let context = AppContext(facts: .offline, dice: Dice { 7 })
        let store = TestStore(Facts(), feedbacks: [draw.provide(\.dice), tell.provide(\.facts)], in: context)
        store.send(.draw, changing: ["isDrawing": true])
        await store.receive(.ask(7), changing: ["isDrawing": false, "wanted": 7])
        await store.receive(.failed, changing: ["wanted": nil, "text": "No connection"])
        await store.finish()
        // end
      }
    }
  }
#endif
