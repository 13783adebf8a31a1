import Alter
import AlterCore
import AlterJournal
import AlterTesting
import StoreTesting
import Testing

@testable import AlterFeedback

@Suite("Leases are renewed in rounds")
struct LeaseRoundsTests {
  private let clock = TestClock()
  private let database = Database()
  private var rounds: LeaseRounds { LeaseRounds(clock.clock) }

  private func request(_ name: String, in journal: (any Journal)? = nil, lasting duration: Duration = .seconds(30)) -> LeaseRequest {
    LeaseRequest(journal: journal ?? RenewingJournal(database), name: name, holder: .random(), duration: duration)
  }

  /// Waits in a round with every request, ends the round, and returns the results in order.
  private func results(_ requests: [LeaseRequest], _ rounds: LeaseRounds, waiting: Int = 1) async -> [String] {
    let tasks = requests.map { request in
      Task { () throws(JournalError) in try await rounds.renew(request, while: { true }) }
    }
    await rounds.holds(requests.count)
    await clock.sleepers(waiting)
    clock.advance(by: .seconds(10))
    var results: [String] = []
    for task in tasks {
      switch await task.result {
      case .success(let term): results.append(term.map { "\($0.lease.name) \($0.isOver())" } ?? "not needed")
      case .failure(let error): results.append("\((error as? JournalError)?.code.rawValue ?? "?")")
      }
    }
    return results
  }

  @Test("a thousand leases of one database wait for one timer, and are renewed by one operation")
  func together() async {
    let names = (0..<1_000).map { "lease \($0)" }
    let results = await results(names.map { request($0) }, rounds)
    #expect(results == names.map { "\($0) false" })
    #expect(database.operations == [1_000] && database.single == [])
    #expect(clock.untilNext == nil)
  }

  @Test("each database has an operation of its own; a journal without one, and a database with a single lease, get ordinary requests")
  func apart() async {
    let other = Database()
    let requests = [
      request("a"), request("b"), request("c", in: RenewingJournal(other)), request("d", in: RenewingJournal(other)),
      request("e", in: MemoryJournal()), request("f", in: RenewingJournal(Database())),
    ]
    #expect(await results(requests, rounds) == ["a", "b", "c", "d", "e", "f"].map { "\($0) false" })
    #expect(database.operations == [2] && other.operations == [2])
  }

  @Test("a lease that is refused, locked or damaged fails or is requested alone, and the others are renewed")
  func oneFails() async {
    let results = await results(["a", "refused", "b", "undecided", "damaged", "c"].map { request($0) }, rounds)
    #expect(results == ["a false", "leased", "b false", "undecided false", "damaged", "c false"])
    #expect(database.operations == [6] && database.single == ["undecided"])
  }

  @Test("an outage concerns every lease of the database; another error is left to a request for each lease")
  func operationFails() async {
    database.failure = JournalError(.unavailable, journal: "test", message: "is away.")
    #expect(await results(["a", "b"].map { request($0) }, rounds) == ["unavailable", "unavailable"])
    #expect(database.single == [])
    database.failure = JournalError(.closed, journal: "test", message: "was closed.")
    #expect(await results(["a", "b"].map { request($0) }, rounds) == ["a false", "b false"])
    #expect(Set(database.single) == ["a", "b"])
  }

  @Test("a cancelled wait ends at once and sends nothing, and the last one ends the timer")
  func cancelled() async throws {
    let rounds = rounds
    let tasks = ["a", "b"].map { name in
      let request = request(name)
      return Task { () throws(JournalError) in try await rounds.renew(request, while: { true }) }
    }
    await rounds.holds(2)
    await clock.sleepers(1)
    for task in tasks {
      #expect(clock.untilNext != nil)
      task.cancel()
      await #expect { try await task.value } throws: { ($0 as? JournalError)?.code == .cancelled }
    }
    while clock.untilNext != nil { await Task.yield() }
    #expect(database.operations == [] && database.single == [])
  }

  @Test("a request that was sent alone ends before its cancelled holder goes on: a lease that the holder then releases is not taken again")
  func cancelledAlone() async throws {
    let (rounds, journal) = (rounds, ScriptedJournal())
    let (begun, answer) = (Gate(), Gate())
    // Also in a cancelled task.
    journal.onEach(.lease) { _ in
      begun.open()
      await answer.wait()
    }
    let request = request("a", in: journal)
    let task = Task { () throws(JournalError) in try await rounds.renew(request, while: { true }) }
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    await begun.wait()
    task.cancel()
    answer.open()
    #expect(try await task.value?.lease.holder == request.holder)
  }

  @Test("a lease that is not needed at the end of the round is not renewed")
  func notNeeded() async throws {
    let (rounds, isNeeded) = (rounds, Lock(true))
    let request = request("a")
    let task = Task { () throws(JournalError) in try await rounds.renew(request, while: { isNeeded.withLock { $0 } }) }
    await clock.sleepers(1)
    isNeeded.withLock { $0 = false }
    clock.advance(by: .seconds(10))
    #expect(try await task.value == nil)
    #expect(database.operations == [] && database.single == [])
  }

  @Test("leases of different durations have rounds of their own")
  func durations() async {
    let rounds = rounds
    let requests = [request("a"), request("b"), request("c", lasting: .seconds(3)), request("d", lasting: .seconds(3))]
    #expect(await results(requests, rounds, waiting: 2) == ["a false", "b false", "c false", "d false"])
    #expect(database.operations == [2, 2])
  }

  @Test("a hundred stores whose durable feedbacks work need one timer and one operation to keep their leases")
  func stores() async throws {
    var options = FeedbackOptions()
    options.lease = .seconds(30)
    options.clock = clock.clock
    let service = Service()
    let stores = try await (0..<100).asyncMap { _ in try await Store.open(Desk(), in: RenewingJournal(database)) }
    let runs = try stores.map { try $0.run([.save], in: service, options: options) }
    for store in stores { try store.change(.begin) }
    await service.waitForCalls(stores.count)
    #expect(database.single.count == stores.count)
    for round in 1...3 {
      await options.leaseRounds.holds(stores.count)
      await clock.sleepers(1)
      clock.advance(by: .seconds(10))
      while database.operations.count < round { await Task.yield() }
    }
    #expect(database.operations == [100, 100, 100] && database.single.count == stores.count)
    await options.leaseRounds.holds(stores.count)
    for number in stores.indices { service.answer(number, "done") }
    for run in runs { await run.stop() }
    while clock.untilNext != nil { await Task.yield() }
    for store in stores { await store.close() }
  }
}

extension LeaseRounds {
  /// Waits until a number of requests wait.
  fileprivate func holds(_ count: Int) async { while waitingCount < count { await Task.yield() } }
}

extension LeaseRounds.Term: Equatable {
  /// Compares two outcomes.
  public static func == (first: LeaseRounds.Term, second: LeaseRounds.Term) -> Bool { first.lease == second.lease }
}

extension Sequence {
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async throws -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}

/// A database of several journals, and the operations that it has received.
private final class Database: Sendable {
  private struct State {
    var operations: [Int] = []
    var single: [String] = []
    var failure: JournalError?
  }

  private let state = Lock(State())

  /// The numbers of leases in the operations so far.
  var operations: [Int] { state.withLock { $0.operations } }
  /// The leases that were requested alone.
  var single: [String] { state.withLock { $0.single } }
  /// The error of the operations.
  var failure: JournalError? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  func requested(_ name: String) { state.withLock { $0.single.append(name) } }
  func operated(_ count: Int) { state.withLock { $0.operations.append(count) } }
}

/// A journal of the database. The name of a lease decides its outcome.
private final class RenewingJournal: ForwardingJournal, LeaseRenewing {
  let base: any Journal = MemoryJournal()
  private let database: Database

  init(_ database: Database) { self.database = database }

  var leasePlace: (any Hashable & Sendable)? { ObjectIdentifier(database) }

  func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    database.requested(name)
    return try await base.lease(name, for: holder, lasting: duration)
  }

  func renew(_ requests: [LeaseRequest]) async throws(JournalError) -> [LeaseRenewal] {
    if let failure = database.failure { throw failure }
    database.operated(requests.count)
    return requests.map { request in
      let lease = Lease(name: request.name, holder: request.holder, epoch: 1, expires: .max)
      switch request.name {
      case "refused": return .decided(.failure(.leased("test", lease)))
      case "damaged": return .decided(.failure(.damaged("test", "the row is invalid")))
      case "undecided": return .undecided
      default: return .decided(.success(lease))
      }
    }
  }
}
