import Alter
import AlterCore
import StoreTesting
import Testing

@Suite("Resets")
struct ResetTests {
  @Test("reset() returns to the initial state of the store, and can be undone")
  func reset() async throws {
    let memory = Store(Counter(count: 5))
    try memory.change(.add(1))
    try memory.reset()
    #expect(memory.state.count == 5)
    try await memory.undo()
    #expect(memory.state.count == 6)

    var options = StoreOptions()
    options.keepsJournalOpen = true
    let journal = MemoryJournal()
    for _ in 1...2 {
      // The second opening imports nothing, and knows the imported state from the journal.
      let store = try await Store<Counter>.open(importing: "a test", in: journal, options: options) { Counter(count: 7) }
      try await store.change(.add(1)).durable()
      try await store.reset(cause: Cause(metadata: ["why": "again"])).durable()
      #expect(store.state.count == 7)
      await store.close()
    }
    let later = try await Store.open(Counter(count: 9), in: journal, options: options)
    #expect(later.state.count == 7)
    try later.reset()
    #expect(later.state.count == 9)
    await later.close()
  }

  private enum Later {
    /// A counter in another build of the app, which can't read its imported form any more.
    struct Counter: Journaled, Hashable {
      struct Negative: Error {}
      typealias Change = StoreTesting.Counter.Change
      private(set) var count = 0
      enum CodingKeys: CodingKey { case count }
      init() {}
      init(from decoder: any Decoder) throws {
        count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
        guard count >= 0 else { throw Negative() }
      }
      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .add(let n): count += n
        }
      }
    }
  }

  @Test("a store with an import opens from a snapshot if its first entry can't be read; only reset() fails")
  func unreadableImport() async throws {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    options.undoWindow = 5
    options.snapshotSpacing = 50
    let journal = MemoryJournal()
    let old = try await Store<Counter>.open(importing: "a test", in: journal, options: options) { @Sendable in Counter(count: -1) }
    for _ in 1...200 { try await old.change(.add(1)).durable() }
    // Closing finishes the snapshot that is being made.
    await old.close()
    let store = try await Store<Later.Counter>.open(importing: "a test", in: journal, options: options) { @Sendable in Later.Counter() }
    #expect(store.state.count == 199)
    #expect(throws: ChangeError<Never>.self) { try store.reset() }
    try await store.change(.add(1)).durable()
    await store.close()
  }
}
