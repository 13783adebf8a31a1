#if SQLite
  import Alter
  import AlterSQLite
  @testable import AlterSync
  import AlterSyncCore
  import Foundation
  import Testing

  /// A state with values that JSON lacks.
  private struct Purse: Journaled, Hashable {
    enum Change: Hashable, Codable { case amount(Decimal), later(Int??), note(String) }

    private(set) var amount: Decimal = 0
    private(set) var later: Int??
    private(set) var notes: [String] = []

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .amount(let amount): self.amount = amount
      case .later(let later): self.later = later
      case .note(let note): notes.append(note)
      }
    }
  }

  /// A state whose changes can be nested without a limit.
  private struct Drawer: Journaled, Hashable {
    indirect enum Change: Hashable, Codable, Sendable { case note(String), inside(Change) }

    private(set) var notes: [String] = []

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .note(let note): notes.append(note)
      case .inside(let change): apply(change, at: stamp)
      }
    }
  }

  @Suite("A device's outbox keeps no change that could not be read again", .timeLimit(.minutes(5)))
  struct UnreadableDraftTests {
    private static func open(_ path: String) async throws -> (DeviceStorage, Store<Purse>) {
      let storage = try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: Principal("ann"))
      return (storage, try await Store.open(Purse(), in: SyncedFile(storage, initial: Purse(), window: 5)))
    }

    @Test(
      "its commit says why, and the changes beside it are kept",
      arguments: [.amount(.nan), .amount(Decimal(1) / Decimal(0)), .later(.some(nil))] as [Purse.Change])
    fileprivate func losing(_ change: Purse.Change) async throws {
      try await withDeviceFile { path in
        let (storage, store) = try await Self.open(path)
        let before = try store.change(.note("before"))
        let unreadable = try store.change(change)
        let after = try store.change(.note("after"))
        let error = await #expect(throws: CommitError<Never>.self) { try await unreadable.durable() }
        guard case .failed(let reason)? = error else {
          Issue.record("\(error as Any)")
          return
        }
        #expect(reason.code == .unencodable)
        try await before.durable()
        try await after.durable()
        #expect(store.state.notes == ["before", "after"] && store.state.amount == 0 && store.state.later == nil)
        #expect(try await storage.contents().outbox.ids == [before.id, after.id])
        await store.close()
        await storage.close()
        let (other, again) = try await Self.open(path)
        #expect(again.state.notes == ["before", "after"])
        await again.close()
        await other.close()
      }
    }

    @Test("a change too deep to be stored is refused by the call that makes it, and the outbox has none of it", arguments: [63, 5_000])
    fileprivate func tooDeep(depth: Int) async throws {
      try await withDeviceFile { path in
        let storage = try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: Principal("ann"))
        let store = try await Store.open(Drawer(), in: SyncedFile(storage, initial: Drawer(), window: 5))
        var change = Drawer.Change.note("deep")
        for _ in 0..<depth { change = .inside(change) }
        let error = #expect(throws: ChangeError<Never>.self) { try store.change([.note("beside"), change]) }
        #expect(error?.description.contains("it is nested more than 128 levels deep") == true, "\(error as Any)")
        let after = try store.change(.inside(.note("after")))
        try await after.durable()
        #expect(store.state.notes == ["after"])
        #expect(try await storage.contents().outbox.ids == [after.id])
        await store.close()
        await storage.close()
      }
    }
  }
#endif
