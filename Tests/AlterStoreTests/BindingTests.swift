import Alter
import AlterCore
import AlterTesting
import Dispatch
import Testing

@Suite("A view that is bound to a store") @MainActor
struct BindingTests {
  struct Person: Identifiable, Hashable, Codable, Sendable {
    let id: Int
    var salary: Int
  }

  struct Staff: Journaled, Hashable {
    enum Change: Hashable, Codable { case put(Person), fire(Int), add(Int) }
    private(set) var people: IdentityArray<Person> = []
    private(set) var count = 0

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .put(let person): people.put(person)
      case .fire(let id): try people.remove(id: id)
      case .add(let number):
        guard count < 10 else { throw .custom("full") }
        count += number
      }
    }
  }

  /// A label, and the transitions that it has shown.
  final class Label {
    var text = ""
    var transitions: [[Int?]] = []
  }

  private let store = Store(Staff())
  private let label = Label()

  @Test("is right when a change on the main actor returns, in memory and with a journal")
  func atOnce() async throws {
    for store in [store, try await Store.open(Staff(), in: MemoryJournal())] {
      let binding = store.bind(\.count) { [label] in label.text = "\($0)" }
      #expect(label.text == "0")
      try store.change(.add(2))
      #expect(label.text == "2")
      try store.change(.add(3), .add(1))
      #expect(label.text == "6")
      UserAction(store, .add(1))()
      #expect(label.text == "7")
      try store.reset(to: Staff())
      #expect(label.text == "0")
      binding.cancel()
      try store.change(.add(1))
      #expect(label.text == "0")
    }
  }

  @Test("receives every transition, the first one from nil, also of changes that come faster than it renders")
  func everyTransition() async throws {
    let binding = store.bind(\.count) { [label] in label.transitions.append([$0, $1]) }
    #expect(label.transitions == [[nil, 0]])
    try store.change(.add(1))
    #expect(label.transitions == [[nil, 0], [0, 1]])
    // Another thread makes four changes while this one holds the main actor.
    DispatchQueue.global().sync { [store] in for _ in 1...4 { _ = try? store.change(.add(1)) } }
    try store.change(.put(Person(id: 1, salary: 1)))  // of another property: no transition of its own
    #expect(label.transitions == [[nil, 0], [0, 1], [1, 2], [2, 3], [3, 4], [4, 5]])
    try await store.undo()
    while label.transitions.count < 6 { await Task.yield() }
    withExtendedLifetime(binding) {}
  }

  @Test("of the newest value renders that alone, when changes come faster than it renders")
  func newest() async throws {
    let binding = store.bind(\.count) { [label] in label.transitions.append([$0]) }
    DispatchQueue.global().sync { [store] in for _ in 1...4 { _ = try? store.change(.add(1)) } }
    #expect(label.transitions == [[0]])
    while label.transitions.count < 2 { await Task.yield() }
    #expect(label.transitions == [[0], [4]])
    withExtendedLifetime(binding) {}
  }

  @Test("renders a change of another store, and the way back of a change that is dropped")
  func others() async throws {
    let journal = MemoryJournal()
    let simulated = SimulatedJournal(journal)
    let first = try await Store.open(Staff(), in: simulated)
    let second = try await Store.open(Staff(), in: journal)
    let binding = first.bind(\.count) { [label] in label.transitions.append([$0, $1]) }
    try await second.change(.add(4)).durable()
    while label.transitions.count < 2 { await Task.yield() }
    // The change of the second store comes first, and that of the first one is refused on top of it.
    simulated.nextAppends(.hold)
    let lost = try first.change(.add(1))
    await simulated.waitUntilHeld()
    try await second.change(.add(6)).durable()
    simulated.release()
    await #expect(throws: CommitError<Refusal>.dropped(.custom("full"))) { try await lost.durable() }
    while label.transitions.count < 4 { await Task.yield() }
    #expect(label.transitions == [[nil, 0], [0, 4], [4, 5], [5, 10]])
    binding.cancel()
    await first.close()
    await second.close()
  }

  @Test("renders a change that it makes itself, after the one that it renders")
  func nested() throws {
    let binding = store.bind(\.count) { [label, store] old, new in
      label.transitions.append([old, new])
      if new == 1 { _ = try? store.change(.add(1)) }
    }
    try store.change(.add(1))
    #expect(label.transitions == [[nil, 0], [0, 1], [1, 2]])
    withExtendedLifetime(binding) {}
  }

  @Test("to one value tells another one from the same one, changed")
  func identity() throws {
    var steps: [IdentityStep<Person>] = []
    let (jack, richer, jill) = (Person(id: 1, salary: 1), Person(id: 1, salary: 2), Person(id: 2, salary: 3))
    let binding = store.bind(id: { $0.people.max { $0.salary < $1.salary } }) { steps.append($0) }
    try store.change(.put(jack))
    try store.change(.put(richer))
    try store.change(.put(jill))
    try store.change(.put(jack))  // not shown
    try store.change(.fire(2), .fire(1))
    #expect(steps == [.switched(nil), .switched(jack), .changed(from: jack, to: richer), .switched(jill), .switched(nil)])
    withExtendedLifetime(binding) {}
  }

  @Test("learns the end of the store, after its last value; a cancelled one doesn't")
  func end() async throws {
    var ends: [StoreStatus] = []
    let binding = store.bind(\.count, onEnd: { ends.append($0) }) { [label] in label.text = "\($0)" }
    let cancelled = store.bind(\.count, onEnd: { _ in Issue.record("It was cancelled.") }) { _, _ in }
    cancelled.cancel()
    DispatchQueue.global().sync { [store] in _ = try? store.change(.add(5)) }
    await store.close()
    await binding.ended()
    await cancelled.ended()
    #expect(ends == [.closed] && label.text == "5")
  }

  @Test("does not keep the store alive, and ends with its token")
  func lifetime() async throws {
    var other: Store<Staff>? = Store(Staff())
    weak let weakStore = other
    var binding = other?.bind(\.count) { [label] _, new in label.text = "\(new)" }
    other = nil
    #expect(weakStore == nil)
    await binding?.ended()
    binding = store.bind(\.count) { [label] in label.text = "\($0)" }
    #expect(label.text == "0")
    binding = nil
    try store.change(.add(1))
    #expect(label.text == "0")
  }
}
