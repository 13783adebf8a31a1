import Alter
import AlterTesting
import Foundation
import ProcessTesting
import Testing

/// The page "Article: a functional core, an imperative shell".
enum ArticlePages004 {
  /// The article's shape in plain Swift, without Alter.
  enum Shape {
    // snippet: article-004-shape-core
    struct Goal: Equatable, Sendable {
      let hours: Int

      static let sixteen = Goal(hours: 16), eighteen = Goal(hours: 18), twenty = Goal(hours: 20)
      static let oneMealADay = Goal(hours: 23)
    }

    struct Fasting: Equatable, Sendable {
      var goal = Goal.sixteen
      var begun: Date?
      var ended: Date?

      func begin(at date: Date) -> Fasting { Fasting(goal: goal, begun: date) }
      func finish(at date: Date) -> Fasting { Fasting(goal: goal, begun: begun, ended: date) }
      func reset() -> Fasting { Fasting(goal: goal) }

      func progress(at date: Date) -> Double? {
        begun.map { min(1, (ended ?? date).timeIntervalSince($0) / Double(goal.hours * 3_600)) }
      }
    }
    // end

    // snippet: article-004-shape-shell
    actor Shell {
      private(set) var fasting = Fasting()
      private let load: @Sendable () async -> Fasting?
      private let save: @Sendable (Fasting) async -> Void

      init(load: @escaping @Sendable () async -> Fasting?, save: @escaping @Sendable (Fasting) async -> Void) {
        (self.load, self.save) = (load, save)
      }

      func start() async { fasting = await load() ?? Fasting() }

      func begin(at date: Date) async {
        fasting = fasting.begin(at: date)
        await save(fasting)
      }
    }
    // end
  }

  // snippet: article-004-goal
  struct Goal: Hashable, Codable {
    let hours: Int

    static let sixteen = Goal(hours: 16), eighteen = Goal(hours: 18), twenty = Goal(hours: 20)
    static let oneMealADay = Goal(hours: 23)
  }
  // end

  // snippet: article-004-core
  struct Fasting: Journaled, Hashable {
    enum Phase: Hashable, Codable { case ready, fasting(since: Date), finished(from: Date, to: Date) }
    enum Change: Hashable, Codable { case goal(Goal), begin, finish, reset }

    private(set) var goal = Goal.sixteen
    private(set) var phase = Phase.ready

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch (phase, change) {
      case (_, .goal(let goal)): self.goal = goal
      case (.ready, .begin), (.finished, .begin): phase = .fasting(since: try stamp.now())
      case (.fasting(let begin), .finish): phase = .finished(from: begin, to: try stamp.now())
      case (_, .reset): phase = .ready
      case (.fasting, .begin): throw .illegal(from: "fasting", change: "begin")
      case (.ready, .finish), (.finished, .finish): throw .illegal(from: "not fasting", change: "finish")
      }
    }

    func progress(at date: Date) -> Double? {
      let seconds = Double(goal.hours * 3_600)
      return switch phase {
      case .ready: nil
      case .fasting(let begin): min(1, date.timeIntervalSince(begin) / seconds)
      case .finished(let begin, let end): min(1, end.timeIntervalSince(begin) / seconds)
      }
    }
  }
  // end

  // snippet: article-004-environment
  struct Environment: Sendable {
    let load: @Sendable () async throws -> Fasting?
    let save: @Sendable (Fasting) async -> Void
  }

  static func run(in environment: Environment, _ use: @Sendable (Store<Fasting>) async throws -> Void) async throws {
    let loaded = try await environment.load() ?? Fasting()
    let store = Store(loaded)
    let values = store.values(of: { $0 })
    let saving = Task {
      var saved = loaded
      for await fasting in values where fasting != saved {
        await environment.save(fasting)
        saved = fasting
      }
    }
    let result: Result<Void, any Error>
    do { result = .success(try await use(store)) } catch { result = .failure(error) }
    await store.close()
    await saving.value  // the last value, too, also after an error
    try result.get()
  }
  // end

  // snippet: article-004-screen
  struct FastingScreen: Hashable {
    let buttons: [String]

    init(_ fasting: Fasting) {
      buttons =
        switch fasting.phase {
        case .ready, .finished: ["Begin"]
        case .fasting: ["Finish", "Reset"]
        }
    }
  }
  // end

  @Suite("The article page on the functional core")
  struct ArticleFunctionalCoreTests {
    let evening = Date(timeIntervalSince1970: 72_000)
    let morning = Date(timeIntervalSince1970: 72_000 + 8 * 3_600)

    @Test("computes the progress of a fast in the article's shape and in ours")
    func progress() throws {
      plain()
      // snippet: article-004-calls
      let fasting = try Fasting().alter(.begin, at: evening)  // in a store, the stamp has the time
      #expect(fasting.progress(at: morning) == 0.5)
      #expect(throws: Refusal.illegal(from: "fasting", change: "begin")) { try fasting.alter(.begin, at: morning) }
      #expect(throws: Refusal.self) { try Fasting().alter(.begin) }  // no fast begins without a time
      // end
      let done = try fasting.alter(.finish, at: morning)
      #expect(done.phase == .finished(from: evening, to: morning) && done.progress(at: .distantFuture) == 0.5)
      #expect(try done.alter(.reset).progress(at: morning) == nil)
      #expect(throws: Refusal.illegal(from: "not fasting", change: "finish")) { try done.alter(.finish) }

      // snippet: article-004-goals
      let longer = try fasting.alter(.goal(Goal(hours: 20)))
      #expect(longer.progress(at: morning) == 0.4)
      #expect(try fasting.alter(.goal(.oneMealADay)).goal.hours == 23)
      // end
    }

    func plain() {
      typealias Fasting = Shape.Fasting
      // snippet: article-004-shape-calls
      let fasting = Fasting().begin(at: evening)
      #expect(fasting.progress(at: morning) == 0.5)
      // end
      #expect(fasting.finish(at: morning).progress(at: .distantFuture) == 0.5)
      #expect(fasting.reset().progress(at: morning) == nil)
    }

    @Test("loads and saves in the article's shape and in ours")
    func shell() async throws {
      let file = Shared<Shape.Fasting?>(nil)
      let date = evening
      // snippet: article-004-shape-shell-calls
      let shell = Shape.Shell(load: { file.withLock { $0 } }, save: { fasting in file.withLock { $0 = fasting } })
      await shell.start()
      await shell.begin(at: date)
      // end
      #expect(file.withLock { $0 } == Shape.Fasting().begin(at: evening))

      let journal = MemoryJournal()
      // snippet: article-004-shell-calls
      let store = try await Store.open(Fasting(), in: journal)  // .app("Fasting") in the app
      try await store.change(.begin).durable()
      // end
      let later = try await Store.open(Fasting(), in: journal)
      #expect(later.state.phase == store.state.phase && later.state.phase != .ready)
      await store.close()
      await later.close()
    }

    @Test("saves the newest value with the article's own dependencies")
    func dependencies() async throws {
      // snippet: article-004-dependencies
      let saved = Shared<Fasting?>(try Fasting().alter(.goal(.twenty)))
      let environment = Environment(load: { saved.withLock { $0 } }, save: { fasting in saved.withLock { $0 = fasting } })
      try await run(in: environment) { store in try store.change(.begin) }
      // end
      let fasting = try #require(saved.withLock { $0 })
      #expect(fasting.goal == .twenty && fasting.phase != .ready)
    }

    @Test("saves a change after which an error or a cancellation follows, and nothing without a change or after a load that fails")
    func saves() async throws {
      struct Failure: Error {}
      let saves = Shared<[Fasting]>([])
      let save: @Sendable (Fasting) async -> Void = { fasting in saves.withLock { $0.append(fasting) } }
      try await run(in: Environment(load: { nil }, save: save)) { _ in }
      #expect(saves.withLock { $0 } == [])
      await #expect(throws: Failure.self) {
        try await run(in: Environment(load: { throw Failure() }, save: save)) { store in try store.change(.begin) }
      }
      #expect(saves.withLock { $0 } == [])
      await #expect(throws: Failure.self) {
        try await run(in: Environment(load: { nil }, save: save)) { store in
          try store.change(.goal(.twenty))
          throw Failure()
        }
      }
      #expect(saves.withLock { $0 }.map(\.goal) == [.twenty])
      let cancelled = Task {
        try await run(in: Environment(load: { nil }, save: save)) { store in
          try store.change(.goal(.eighteen))
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      try await cancelled.value
      #expect(saves.withLock { $0 }.map(\.goal) == [.twenty, .eighteen])
    }

    @Test("needs no mocks, and a clock for the shell")
    func clock() async {
      // snippet: article-004-test
      let store = TestStore(Fasting(), clock: TestClock(microseconds: evening.microseconds))
      store.send(.begin, changing: ["phase": Fasting.Phase.fasting(since: evening)])
      await store.advance(by: .seconds(8 * 3_600))
      store.send(.finish, changing: ["phase": Fasting.Phase.finished(from: evening, to: morning)])
      await store.finish()
      // end
    }

    @Test("feeds a screen") @MainActor
    func screen() {
      let store = Store(Fasting())
      // snippet: article-004-observed
      let screen = store.observed(FastingScreen.init)
      #expect(screen.buttons == ["Begin"])
      screen.send(.begin)
      #expect(screen.buttons == ["Finish", "Reset"])
      // end
    }
  }
}
