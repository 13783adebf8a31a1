import Alter
import AlterCore
import AlterTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Waiting for a store")
struct WaitingTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal

  @Test("durable() ends when its task is cancelled: the change stays pending and is written")
  func durable() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: shared)
    simulated.nextAppends(.hold)
    let commit = try store.change(.note("x"))
    await simulated.waitUntilHeld()
    let waiting = Task { () -> CommitError<Refusal>? in
      do throws(CommitError<Refusal>) { try await commit.durable() } catch { return error }
      return nil
    }
    waiting.cancel()
    #expect(await waiting.value == .notYet(nil))
    #expect(store.state.notes == ["x"])
    simulated.release()
    #expect(try await commit.confirmed() == 2)
  }

  @Test("undo() ends when its task is cancelled: the undo stays pending and is written")
  func undo() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: shared)
    try await store.change(.note("x")).durable()
    simulated.nextAppends(.hold)
    let waiting = Task { () -> UndoError? in
      do throws(UndoError) { _ = try await store.undo() } catch { return error }
      return nil
    }
    await simulated.waitUntilHeld()
    waiting.cancel()
    #expect(await waiting.value == .notYet(nil))
    simulated.release()
    #expect(await store.close().isEmpty)
    #expect(try await journal.head().revision == 3)
  }

  @Test("ready() ends when its task is cancelled")
  func ready() async throws {
    var options = shared
    options.pendingLimit = 1
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: options)
    simulated.nextAppends(.hold)
    try store.change(.note("x"))
    await simulated.waitUntilHeld()
    let waiting = Task { () -> JournalError.Code? in
      do throws(JournalError) { try await store.ready() } catch { return error.code }
      return nil
    }
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
    simulated.release()
    await store.close()
  }

  @Test("close(deadline:) returns at its deadline although an effect, an append and the journal's closing ignore it and cancellation")
  func close() async throws {
    let clock = TestClock()
    var options = clock.options()
    options.keepsJournalOpen = false
    let stuck = ScriptedJournal(journal)
    let closing = Gate()
    stuck.onEach(.close) { _ in await closing.wait() }
    let store = try await Store.open(Board(), in: stuck, options: options)
    let effect = Gate()
    _ = OwnedRun(store) { await effect.wait() }
    async let leftOver = store.close(deadline: .seconds(5))
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    #expect(await leftOver.isEmpty)
    #expect(store.status == .closed)
    effect.open()
    closing.open()
  }

  @Test("close() returns when its task is cancelled, and the store goes on closing: what is pending is written")
  func cancelledClose() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: shared)
    simulated.nextAppends(.hold)
    let commit = try store.change(.note("x"))
    await simulated.waitUntilHeld()
    let closing = Task { await store.close() }
    closing.cancel()
    #expect(await closing.value.map(\.mayBeWritten) == [true])
    simulated.release()
    #expect(try await commit.confirmed() == 2)
    #expect(await store.close().isEmpty)
  }
}
