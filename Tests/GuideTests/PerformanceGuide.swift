import Alter
import Testing

/// The guide "Performance".
enum PerformanceGuide {
  struct Row: Identifiable, Hashable, Codable, Alterable {
    enum Change: Hashable, Codable { case value(Int) }
    let id: Int
    private(set) var value = 0

    init(id: Int) { self.id = id }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .value(let value): self.value = value
      }
    }
  }

  struct Table: Journaled, Hashable {
    enum Change: Hashable, Codable { case row(Int, Row.Change), rows([Row]) }

    private(set) var rows: IdentityArray<Row> = []
    private(set) var sum = 0

    // snippet: performance-derived
    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .rows(let new):
        rows = IdentityArray(new)
        sum = new.reduce(0) { $0 + $1.value }
      case .row(let id, let change):
        sum -= rows[id: id]?.value ?? 0
        try rows.apply(change, to: id, at: stamp)
        sum += rows[id: id]?.value ?? 0  // kept, not computed again from all rows
      }
    }
    // end
  }

  @Suite("The guide Performance")
  struct Tests {
    @Test("many changes, and one wait")
    func batches() async throws {
      let store = try await Store.open(Table(), in: MemoryJournal())
      try store.change(.rows((0..<1_000).map { Row(id: $0) }))
      // snippet: performance-batch
      for id in 0..<1_000 {
        try store.change(.row(id, .value(id)))  // no wait: they are written together
      }
      try await store.change(.row(0, .value(1))).durable()  // one wait, for all of them
      // end
      #expect(store.state.sum == 499_501)
      // snippet: performance-ready
      for id in 0..<1_000 {
        try await store.ready()  // waits while too much is unwritten
        try store.change(.row(id, .value(-id)))
      }
      // end
      await store.close()
    }
  }
}
