import Alter
import AlterCore
import AlterTesting
import Observation
import Testing

@Suite("Following a store")
struct FollowingTests {
  private let journal = MemoryJournal()
  private let deaf = StoreOptions.notFollowing

  @Test("transitions tell all of it: pending, confirmed, rebased, dropped")
  func transitions() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: deaf)
    let other = try await Store.open(Board(), in: journal, options: deaf)
    try await other.change(.put("a", 1)).durable()
    let transitions = store.transitions
    // The first append comes when both changes are made.
    simulated.nextAppends(.hold)
    try store.change(.put("b", 2))
    let lost = try store.change(.put("a", 9))
    await simulated.waitUntilHeld()
    simulated.release()
    try? await lost.durable()
    await store.close()
    var told: [String] = []
    for await transition in transitions {
      switch transition {
      case .pending(let record): told.append("pending \(record.id.sequence)")
      case .confirmed(let record): told.append("confirmed \(record.revision)")
      case .rebased(let state): told.append("rebased \(state.values.sorted { $0.key < $1.key }.map { "\($0)\($1)" })")
      case .dropped(let id, let error): told.append("dropped \(id.sequence): \(error)")
      case .skipped, .contacted, .restarted: told.append("a new start")
      case .failed(let error): told.append("\(error)")
      }
    }
    let reason = "dropped 3: Another writer committed first, and then the state refused the change: The value 'a' is there already."
    #expect(told == ["pending 2", "pending 3", "confirmed 2", #"rebased ["a1", "b2"]"#, reason, "confirmed 3"])
  }

  @Test("transitions say when the journal has failed")
  func failed() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: deaf)
    simulated.nextAppends(.fail(JournalError(.failed, journal: "memory", message: "lost its disk.")))
    var transitions = store.transitions.makeAsyncIterator()
    try store.change(.note("x"))
    guard case .pending? = await transitions.next(), case .failed(let error)? = await transitions.next() else {
      Issue.record("not told")
      return
    }
    #expect(error.code == .failed)
  }

  @Test("entries(after:) begins anywhere in the past, and goes on with what anybody writes")
  func entries() async throws {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    let store = try await Store.open(Board(), in: journal, options: options)
    let other = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<10 { try store.change(.note("\(number)")) }
    try await store.change(.note("last")).durable()
    var entries = store.entries(after: 9).makeAsyncIterator()
    #expect(try await entries.next()?.revision == 10)
    for revision in 11...12 { #expect(try await entries.next()?.revision.number == Int64(revision)) }
    try await other.change(.note("theirs")).durable()
    let next = try await entries.next()
    #expect(next?.revision == 13)
    guard case .changes([.note("theirs")])? = next?.kind else {
      Issue.record("another entry")
      return
    }
    var wrong = store.entries(after: 99).makeAsyncIterator()
    let error = await #expect(throws: JournalError.self) { _ = try await wrong.next() }
    #expect(error?.code == .noSuchRevision)
  }

  @Test("entries(after:) of a store in memory are those of its undo window")
  func entriesInMemory() async throws {
    let store = Store(Board())
    for number in 0..<5 { try store.change(.note("\(number)")) }
    var entries = store.entries(after: 3).makeAsyncIterator()
    for revision in 4...6 { #expect(try await entries.next()?.revision.number == Int64(revision)) }
    async let next = entries.next()
    try store.change(.note("more"))
    #expect(try await next?.revision == 7)
    await store.close()
  }

  @Test("entries end when the journal is closed")
  func entriesEnd() async throws {
    let store = try await Store.open(Board(), in: journal)
    var entries = store.entries(after: 1).makeAsyncIterator()
    await store.close()
    #expect(try await entries.next() == nil)
  }

  private struct Summary: Equatable, Sendable {
    let total: Int
    @Sendable init(_ board: Board) { total = board.values.values.reduce(0, +) }
  }

  @MainActor @Test("an observed value is refreshed at once by its own send, and shows a refusal instead of throwing")
  func observed() async throws {
    let store = Store(Board())
    let summary = store.observed(Summary.init)
    summary.send(.put("a", 3))
    #expect(summary.total == 3 && summary.refusal == nil)
    summary.send(.put("a", 4))
    #expect(summary.refusal == .refused(.duplicate(kind: "value", id: "a")) && summary.total == 3)
    summary.send(.add("a", 1))
    #expect(summary.refusal == nil && summary.value.total == 4)
  }

  @MainActor @Test("a dismissed refusal is gone, and its observers are told once")
  func dismissed() async throws {
    let store = Store(Board())
    let summary = store.observed(Summary.init)
    summary.send(.put("a", 3))
    summary.send(.put("a", 4))
    #expect(summary.refusal != nil)
    let count = Lock(0)
    func track() {
      withObservationTracking {
        _ = summary.refusal
      } onChange: {
        count.withLock { $0 += 1 }
      }
    }
    track()
    summary.dismissRefusal()
    #expect(summary.refusal == nil && count.withLock { $0 } == 1)
    track()
    summary.dismissRefusal()
    #expect(count.withLock { $0 } == 1)
    #expect(summary.total == 3)
  }

  @MainActor @Test("an observed value follows changes from elsewhere, and tells its observers only when it differs")
  func observedElsewhere() async throws {
    let store = Store(Board())
    let summary = store.observed(Summary.init)
    // A change that doesn't alter the total causes no notification.
    let silent = Lock(true)
    withObservationTracking {
      _ = summary.total
    } onChange: {
      silent.withLock { $0 = false }
    }
    try store.change(.note("x"))
    for _ in 0..<10 { await Task.yield() }
    #expect(silent.withLock { $0 })
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = summary.total
      } onChange: {
        continuation.resume()
      }
      Task.detached { _ = try? store.change(.put("a", 3)) }
    }
    await Task.yield()
    #expect(summary.total == 3)
  }

  @MainActor @Test("an observed value keeps no store alive beyond itself, and ends with it")
  func observedEnds() async throws {
    var store: Store<Board>? = Store(Board())
    weak let weakStore = store
    var summary: Observed<Board, Summary>? = store?.observed(Summary.init)
    store = nil
    #expect(weakStore != nil && summary?.total == 0)
    summary = nil
    while weakStore != nil { await Task.yield() }
  }
}
