import Alter
import AlterCore
import AlterTesting
import Testing

@Suite("Observation", .timeLimit(.minutes(20)))
struct ObservationTests {
  private final class Seen: Sendable {
    private let contents = Lock<[String]>([])
    func append(_ text: String) { contents.withLock { $0.append(text) } }
    var all: [String] { contents.withLock { $0 } }

    /// Waits for a number of calls: a state is visible, and a commit confirmed, before the observers are notified.
    func wait(for count: Int) async { while all.count < count, !Task.isCancelled { await Task.yield() } }
  }

  @Test("delivers the confirmed state first, then every confirmed entry once, in revision order, each with its state")
  func observe() async throws {
    let store = try await Store.open(Board(), in: MemoryJournal())
    try await store.change(.note("before")).durable()
    let seen = Seen()
    let token = store.observe { record, state in seen.append("\(record?.revision.description ?? "-"):\(state.notes.count)") }
    for number in 0..<50 { try store.change(.note("\(number)")) }
    await seen.wait(for: 51)
    await store.close()
    #expect(seen.all == ["-:1"] + (0..<50).map { "\($0 + 3):\($0 + 2)" })
    withExtendedLifetime(token) {}
  }

  @Test("tells what another store wrote, and what an undo led to")
  func foreign() async throws {
    let journal = MemoryJournal()
    var options = StoreOptions()
    options.keepsJournalOpen = true
    let store = try await Store.open(Board(), in: journal, options: options)
    let other = try await Store.open(Board(), in: journal, options: options)
    let seen = Seen()
    let token = store.observe { record, state in seen.append("\(record?.revision ?? 0):\(state.notes)") }
    try other.change(.note("x"))
    try await other.undo()
    await seen.wait(for: 3)
    #expect(seen.all == [#"0:[]"#, #"2:["x"]"#, #"3:[]"#])
    withExtendedLifetime(token) {}
  }

  @Test("a change made inside an observer is told after: everybody sees n before anybody sees n + 1")
  func nested() throws {
    let store = Store(Board())
    let seen = Seen()
    let first = store.observe { record, state in
      seen.append("a\(record?.revision.number ?? 1)")
      if state.notes.count < 3 { _ = try? store.change(.note("x")) }
    }
    let second = store.observe { record, _ in seen.append("b\(record?.revision.number ?? 0)") }
    try store.change(.note("y"))
    // The second observer was added after revision 4 had been delivered.
    #expect(seen.all == ["a1", "a2", "a3", "a4", "b0", "a5", "b5"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("is told to observers in the order in which they came, whatever the run")
  func order() throws {
    let store = Store(Board())
    let seen = Seen()
    let tokens = (0..<20).map { number in store.observe { record, _ in if record != nil { seen.append("\(number)") } } }
    try store.change(.note("x"))
    #expect(seen.all == (0..<20).map { "\($0)" })
    withExtendedLifetime(tokens) {}
  }

  @Test("ends at once when cancelled, even from inside a notification")
  func cancelled() throws {
    let store = Store(Board())
    let seen = Seen()
    let later = Lock<ObservationToken?>(nil)
    let first = store.observe { record, _ in if record != nil { later.withLock { $0 }?.cancel() } }
    later.withLock { $0 = store.observe { record, _ in seen.append("\(record?.revision ?? 0)") } }
    try store.change(.note("x"))
    #expect(seen.all == ["0"])
    withExtendedLifetime(first) {}
  }

  @Test("begun inside a notification misses nothing and repeats nothing")
  func begunInside() throws {
    let store = Store(Board())
    let seen = Seen()
    let inner = Lock<ObservationToken?>(nil)
    let outer = store.observe { record, _ in
      guard record?.revision == 2 else { return }
      let token = store.observe { record, state in seen.append("\(record?.revision ?? 0):\(state.notes.count)") }
      inner.withLock { $0 = token }
      _ = try? store.change(.note("from inside"))
    }
    try store.change(.note("x"))
    try store.change(.note("y"))
    #expect(seen.all == ["0:1", "3:2", "4:3"])
    withExtendedLifetime(outer) {}
  }

  @Test("begun while the store reads what another wrote misses nothing")
  func duringReading() async throws {
    let base = MemoryJournal()
    let journal = SimulatedJournal(base)
    var options = StoreOptions()
    options.keepsJournalOpen = true
    let other = try await Store.open(Board(), in: base, options: options)
    let store = try await Store.open(Board(), in: journal, options: options)
    journal.nextReads(.hold)
    try await other.change(.note("x")).durable()
    await journal.waitUntilHeld()
    let seen = Seen()
    let token = store.observe { record, state in seen.append("\(record?.revision ?? 0):\(state.notes)") }
    let transitions = store.transitions
    journal.release()
    await seen.wait(for: 2)
    try #require(seen.all == [#"0:[]"#, #"2:["x"]"#])
    for await case .confirmed(let record) in transitions {
      #expect(record.revision == 2)
      break
    }
    await store.close()
    await other.close()
    withExtendedLifetime(token) {}
  }

  @Test("ends with its token, and keeps nothing alive")
  func token() throws {
    var store: Store<Board>? = Store(Board())
    weak let weakStore = store
    let seen = Seen()
    var token: ObservationToken? = store?.observe { _, _ in seen.append("x") }
    token = nil
    _ = try store?.change(.note("x"))
    #expect(seen.all == ["x"] && token == nil)
    store = nil
    #expect(weakStore == nil)
  }

  @Test("a dropped store writes what is pending, and goes")
  func dropped() async throws {
    let journal = MemoryJournal()
    var store: Store<Board>? = try await Store.open(Board(), in: journal)
    _ = try store?.change(.note("x"))
    store = nil
    try await journal.waitForEntry(after: 1)
    #expect(try await journal.head().revision == 2)
  }

  @Test("values come only when they differ from the last one delivered; nil is a value")
  func values() async throws {
    let store = Store(Board())
    var values = store.values(of: { $0.values["a"] }).makeAsyncIterator()
    #expect(await values.next() == .some(nil))
    try store.change(.note("nothing to do with a"))
    try store.change(.put("a", 1))
    #expect(await values.next() == .some(1))
    try store.change(.add("a", 1))
    try store.change(.add("a", -1))
    try store.change(.take("a"))
    #expect(await values.next() == .some(nil))
    await store.close()
    #expect(await values.next() == nil)
  }

  @Test("values show what is pending, and go back when it is dropped")
  func revert() async throws {
    let journal = MemoryJournal()
    var deaf = StoreOptions()
    deaf.keepsJournalOpen = true
    deaf.followsOthers = false
    let store = try await Store.open(Board(), in: journal, options: deaf)
    let other = try await Store.open(Board(), in: journal, options: deaf)
    try await other.change(.put("a", 1)).durable()
    var values = store.values(of: { $0.values["a"] }).makeAsyncIterator()
    #expect(await values.next() == .some(nil))
    let commit = try store.change(.put("a", 9))
    try? await commit.durable()
    #expect(await values.next() == .some(1))
  }

  @Test("under many threads every observer sees every entry once, in order")
  func stress() async throws {
    let store = Store(Board())
    let seen = Lock<[[Int64]]>([[], [], []])
    let tokens = (0..<3).map { number in
      store.observe { record, _ in if let record { seen.withLock { $0[number].append(record.revision.number) } } }
    }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<250 { _ = try? store.change(.note("x")) } }
        group.addTask { for _ in 0..<50 { store.observe { _, _ in }.cancel() } }
      }
    }
    await store.close()
    // A thread may return while another one still delivers. When the last one returns, everything is delivered.
    for numbers in seen.withLock({ $0 }) { #expect(numbers == (2...1001).map { Int64($0) }) }
    withExtendedLifetime(tokens) {}
  }

  @Test("under many threads and two stores on one journal, observers see every entry once, in order, with the state of its fold")
  func stressJournaled() async throws {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    let journal = MemoryJournal()
    let stores = [
      try await Store.open(Board(), in: journal, options: options), try await Store.open(Board(), in: journal, options: options),
    ]
    let seen = Lock<[[(revision: Int64, notes: Int)]]>([[], [], [], []])
    let tokens = (0..<4).map { number in
      stores[number % 2].observe { record, state in
        guard let record else { return }
        seen.withLock { $0[number].append((record.revision.number, state.notes.count)) }
        // The observer itself makes a change now and then.
        if number == 0, record.revision.number % 100 == 0 { _ = try? stores[0].change(.note("inside")) }
      }
    }
    await withTaskGroup { group in
      for worker in 0..<4 {
        group.addTask { for _ in 0..<100 { _ = try? stores[worker % 2].change(.note("x")) } }
        group.addTask {
          for await count in stores[worker % 2].values(of: \.notes.count) where count >= 400 { break }
        }
        group.addTask { for _ in 0..<50 { _ = stores[worker % 2].state.notes.last } }
      }
    }
    // A state is visible before the observers are notified. What they change at the end may come too late for the others.
    while seen.withLock({ $0.contains { $0.count < 400 } }), !Task.isCancelled { await Task.yield() }
    for store in stores { await store.close() }
    for told in seen.withLock({ $0 }) {
      #expect(told.map(\.revision) == told.indices.map { Int64($0) + 2 })
      #expect(told.map(\.notes) == told.indices.map { $0 + 1 })
      #expect(told.count >= 400)
    }
    withExtendedLifetime(tokens) {}
  }
}
