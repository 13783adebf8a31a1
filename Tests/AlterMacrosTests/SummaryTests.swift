#if Macros
  import Alter
  import Foundation
  import Testing

  @Suite("The summary of a record")
  struct SummaryTests {
    struct Till: Journaled, Hashable {
      @Wire enum Change: Hashable {
        case pay
        case open(Bool)
        case drawer(Int, Drawer.Change)
        case named(id: Int, change: Drawer.Change)
        case note(String)
      }

      private(set) var notes: [String] = []

      mutating func apply(_ change: Change, at stamp: Stamp) {
        if case .note(let text) = change { notes.append(text) }
      }
    }

    enum Drawer {
      @Wire enum Change: Hashable {
        case count
        case locked(Bool)
      }
    }

    @Test("says that there are no changes, where a migration has dropped them")
    func dropped() {
      let record = Record<Till>(revision: 3, id: EntryID(origin: .random(), sequence: 1), time: 0, kind: .changes([]))
      #expect(record.summary() == "(no changes: a migration may have dropped them)")
    }

    @Test("names the verbs of a collection as the source does, whatever they are stored as")
    func verbs() async throws {
      let ledger = Store(Ledger())
      try ledger.change(.add(.debt(Debt(id: 1))), .put(.fee(Debt(id: 2))), .remove(.debt(1)))
      let records = try await ledger.entries(in: 1...ledger.revision)
      #expect(
        records.last?.summary()
          == #".add(.debt(id: 1, isPaid: false)), .put(.fee(id: 2, isPaid: false)), .remove(.debt(1))"#)
    }

    @Test("tells a case without a payload from one whose payload is true")
    func payloads() async throws {
      let store = try await Store.open(Till(), in: MemoryJournal())
      try store.change(.pay)
      try store.change(.open(true))
      try store.change(.drawer(1, .count))
      try store.change(.drawer(1, .locked(true)))
      try store.change(.named(id: 2, change: .count))
      try store.change([.pay, .open(false), .named(id: 2, change: .locked(true))])
      try await store.change(.note("tea\u{1B}[2J \"Earl\"")).durable()
      try await store.undo()
      let lines = try await store.entries(in: 1...store.revision).reduce(into: []) { $0.append($1.summary()) }
      #expect(
        lines.dropLast() == [
          "initial (notes: [])", ".pay", ".open(true)", ".drawer(id: 1, change: .count)", ".drawer(id: 1, change: .locked(true))",
          ".named(id: 2, change: .count)", ".pay, .open(false), .named(id: 2, change: .locked(true))",
          #".note("tea\u{1B}[2J \"Earl\"")"#,
        ])
      #expect(lines.last?.hasPrefix("undo of ") == true)
      await store.close()
    }

    @Test("is truncated at its limit")
    func limit() async throws {
      let store = try await Store.open(Till(), in: MemoryJournal())
      try await store.change(.note(String(repeating: "ä", count: 10_000))).durable()
      let records = try await store.entries(in: 2...2).reduce(into: []) { $0.append($1) }
      #expect(records[0].summary(limit: 20) == #".note("ääääää…"#)
      #expect(records[0].summary().utf8.count <= 203)
      #expect(records[0].summary(limit: 1) == ".…")
      #expect(records[0].summary(limit: 0) == records[0].summary(limit: -1))
      await store.close()
    }
  }
#endif
