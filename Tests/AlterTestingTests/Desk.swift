import Alter
import AlterTesting

/// A small app: a search while the user types, and documents to save.
struct Desk: Alterable, Hashable {
  enum Change: Hashable {
    case search(String?)
    case found([String])
    case put(Int, Item)
    case saved(Int)
    case progress(Int)
    case toss(Int)
    case mark
    case ping(Int)
    case pay(Int)
    case paid(RequestID)
  }

  enum Failure: Error, Hashable { case empty, unknown(Int) }

  struct Item: Hashable {
    var name: String
    var isSaved = false
  }

  var query: String?
  var results: [String] = []
  var items: [Int: Item] = [:]
  var progress = 0
  var marked: Int64?
  var ping: Int?
  var payment: Requested<Int>?

  /// The items to save, in the order of their ids.
  var unsaved: IdentityArray<Unsaved> { IdentityArray(items.filter { !$0.value.isSaved }.keys.sorted().map(Unsaved.init)) }

  struct Unsaved: Identifiable, Hashable { let id: Int }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Failure) {
    switch change {
    case .search(let text):
      if text == "" { throw .empty }
      query = text
      results = []
    case .found(let names):
      results = names
      query = nil
    case .put(let id, let item): items[id] = item
    case .saved(let id):
      if items[id] == nil { throw .unknown(id) }
      items[id]?.isSaved = true
    case .progress(let percent): progress = percent
    case .toss(let id): items[id] = nil
    case .mark: marked = stamp.date == nil ? marked : stamp.time
    case .ping(let number): ping = number
    case .pay(let amount): payment = Requested(amount, stamp)
    case .paid(let id):
      guard payment?.id == id else { throw .unknown(0) }
      payment = nil
    }
  }
}

/// The dependencies of the effects.
struct World: Sendable {
  var clock: any Clock<Duration>
  var search: @Sendable (String) async -> [String] = { [$0 + "s"] }
  var save: @Sendable (Desk.Item) async -> Void = { _ in }
  var charge: @Sendable (Int) async throws -> Void = { _ in }
}

extension Feedback<Desk, World> {
  /// Waits until the user has stopped typing for a moment.
  static let search = Feedback("search", request: \.query) { text, world in
    try await world.clock.sleep(for: .milliseconds(300))
    return .found(await world.search(text))
  }.latestWins

  static let save = Feedback(
    "save", each: \.unsaved, request: \.id,
    effect: { id, world in
      await world.save(Desk.Item(name: "\(id)"))
      return .saved(id)
    })

  static let charge = Feedback("charge", request: \.payment) { payment, world in
    try await world.charge(payment.value)
    return .paid(payment.id)
  }
}

/// Records the failures that a test causes on purpose.
final class Failures: Sendable {
  private let stream = AsyncStream<TestFailure>.makeStream()

  var reporter: FailureReporter { FailureReporter { [stream] in stream.continuation.yield($0) } }

  /// All failures so far.
  func all() async -> [TestFailure] {
    stream.continuation.finish()
    return await stream.stream.reduce(into: []) { $0.append($1) }
  }

  /// The messages so far.
  func messages() async -> [String] { await all().map(\.message) }
}
