#if Macros
  import Alter
  import AlterSQLite
  import Foundation

  // The fifth article: all logic in a value, one object around it.

  // lines: Fasting
  struct Goal: Hashable, Codable {
    let hours: Int
    static let sixteen = Goal(hours: 16), eighteen = Goal(hours: 18), twenty = Goal(hours: 20), oneMealADay = Goal(hours: 23)
  }

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
      case (.fasting, .begin), (.ready, .finish), (.finished, .finish): throw .illegal(from: "\(phase)", change: "\(change)")
      }
    }

    func progress(at date: Date) -> Double {
      switch phase {
      case .ready: 0
      case .fasting(let begin): min(1, date.timeIntervalSince(begin) / Double(goal.hours * 3_600))
      case .finished(let begin, let end): min(1, end.timeIntervalSince(begin) / Double(goal.hours * 3_600))
      }
    }
  }
  // end

  // lines: load and save
  struct Storage: Sendable {
    let load: @Sendable () async throws -> Fasting?
    let save: @Sendable (Fasting) async throws -> Void
  }

  /// The article's object: it loads into the store at the start, and saves when the user presses 'Save'.
  @MainActor struct FastingStore {
    let store = Store(Fasting())
    let storage: Storage

    func load() async throws { if let fasting = try await storage.load() { try store.reset(to: fasting) } }
    func save() async throws { try await storage.save(store.state) }
  }
  // end

  @MainActor func functionalCore(in folder: URL) async throws {
    let evening = Date(timeIntervalSince1970: 72_000)
    let morning = evening + 8 * 3_600
    let fasting = try Fasting().alter(.begin, at: evening)
    print("\(fasting.progress(at: morning)) of \(fasting.goal.hours) hours")
    print("\(try fasting.alter(.goal(.twenty)).progress(at: morning)) of 20 hours")
    if (try? Fasting().alter(.begin)) == nil { print("no fast begins without a time") }

    let file = folder.appending(path: "fasting.json")
    let storage = Storage(
      load: { try? JSONDecoder().decode(Fasting.self, from: Data(contentsOf: file)) },
      save: { try JSONEncoder().encode($0).write(to: file) })
    let first = FastingStore(storage: storage)
    try await first.load()
    try first.store.change(.goal(.eighteen), .begin)
    try await first.save()
    let second = FastingStore(storage: storage)
    try await second.load()
    print("loaded a goal of \(second.store.state.goal.hours) hours")

    // lines: durable timer
    let timer = try await Store.open(Fasting(), in: .file(folder.path + "/Fasting.alter"))
    try await timer.change(.begin).durable()
    // end
    await timer.close()
  }
#endif
