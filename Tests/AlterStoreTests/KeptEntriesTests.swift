import Alter
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("The entries that a store keeps itself")
struct KeptEntriesTests {
  @Test("of a synced journal are all up to the head, without those that the server has refused")
  func synced() async throws {
    let sync = MemorySync()
    var options = StoreOptions()
    options.environment.origin = { .test(1) }
    let store = try await Store.open(SyncedBoard.initial(Data([1])), in: MemorySyncedJournal(sync), options: options)
    _ = try await store.change(.note("1")).confirmed()
    sync.perform { $0.policy.denied = [SyncedBoard.payload([.note("no")])] }
    await #expect(throws: CommitError<Refusal>.refused(code: "denied")) { try await store.change(.note("no")).confirmed() }
    _ = try await store.change(.note("2")).confirmed()
    #expect(store.revision == 4)
    #expect(try await store.entries(in: 1...4).map(\.revision) == [1, 2, 4])
    #expect(try await store.entries(in: 3...3).isEmpty)
    let beyond = await #expect(throws: JournalError.self) { try await store.entries(in: 2...5) }
    #expect(beyond?.code == .noSuchRevision && beyond?.description.contains("Journal 'device 0' has no revision 5") == true)
    #expect(throws: ChangeError<Refusal>.self) { try store.reset(to: Board()) }
    do { try store.reset(to: Board()) } catch {
      guard case .unencodable = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.description.contains("is synced") && !error.description.contains("has failed"))
    }
    #expect(store.status == .open)
    await store.close()
  }

  @Test("in memory are those of the undo window; the error names them")
  func memory() async throws {
    var options = StoreOptions()
    options.undoWindow = 2
    let store = Store(Board(), options: options)
    for number in 0..<200 { try store.change(.note("\(number)")) }
    let error = await #expect(throws: JournalError.self) { try await store.entries(in: 1...201) }
    let first = store.core.withLock { $0.replica.history.base.next }
    let message = "can't show revision 1: this store keeps the entries from revision \(first) to 201."
    #expect(error?.description.contains(message) == true)
    #expect(try await store.entries(in: first...201).count == Revision(201) - first + 1)
    var entries = store.entries(after: 0).makeAsyncIterator()
    let following = await #expect(throws: JournalError.self) { try await entries.next() }
    #expect(following?.description.contains(message) == true)
  }

  @Test("a loop over entries whose task is cancelled says so, and does not speak of an append", arguments: [false, true])
  func cancelled(isJournaled: Bool) async throws {
    let store = isJournaled ? try await Store.open(Board(), in: MemoryJournal()) : Store(Board())
    let task = Task { () async -> JournalError? in
      do throws(JournalError) { for try await _ in store.entries(after: 1) {} } catch { return error }
      return nil
    }
    task.cancel()
    let error = await task.value
    #expect(error?.code == .cancelled && error?.description.contains("append") == false)
    await store.close()
  }

  @Test("the message of an error of redo does not say that there is nothing to undo")
  func redoOutsideWindow() throws {
    var options = StoreOptions()
    options.undoWindow = 3
    let store = Store(Board(), options: options)
    for number in 0..<3 { try store.change(.note("\(number)")) }
    for _ in 0..<2 { try store.takeBackAtOnce(redo: false) }
    let error = #expect(throws: UndoError.self) { try store.takeBackAtOnce(redo: true) }
    #expect(error == .outsideWindow(3) && error?.description.contains("Undo and redo") == true)
  }
}
