import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("An outage")
struct OutageTests {
  private let journal = MemoryJournal()
  private let clock = TestClock(microseconds: 1_000_000)
  private let away = JournalError(.unavailable, journal: "memory", message: "is away.")
  private var options: StoreOptions {
    var options = clock.options(.notFollowing)
    options.outageTimeout = .seconds(2)
    return options
  }

  /// The error that the store receives while the journal is unavailable.
  private final class Link: Sendable {
    private let error: Lock<JournalError?>
    init(_ error: JournalError?) { self.error = Lock(error) }
    var fault: SimulatedJournal.Fault { error.withLock { $0 }.map { .fail($0) } ?? .pass }
    func set(_ error: JournalError?) { self.error.withLock { $0 = error } }
  }

  @Test(
    "never ends a store: its status says what it waits for, durable() throws notYet, and all is written when the journal is back",
    arguments: [JournalError.Code.unavailable, .locked, .full])
  func outage(code: JournalError.Code) async throws {
    let away = JournalError(code, journal: "memory", message: "is away.")
    let link = Link(nil)
    let simulated = SimulatedJournal(journal, onAppend: { _ in link.fault })
    var options = options
    options.pendingLimit = 3
    let store = try await Store.open(Board(), in: simulated, options: options)
    let statuses = store.statuses
    link.set(away)
    let first = try store.change(.note("first"))
    let waiting = Task { () -> CommitError<Refusal>? in
      do throws(CommitError<Refusal>) { try await first.durable() } catch { return error }
      return nil
    }
    // The pause, and the timeout of waiting commits.
    await clock.sleepers(2)
    #expect(store.status == .waiting(StoreWait(reason: away, since: 1_000_000)))
    clock.advance(by: .seconds(2))
    #expect(await waiting.value == .notYet(away))
    // A later commit does not wait for the whole timeout again.
    let second = try store.change(.note("second"))
    await #expect(throws: CommitError<Refusal>.notYet(away)) { _ = try await second.confirmed() }
    await #expect(throws: UndoError.notYet(away)) { try await store.undo() }
    #expect(throws: ChangeError<Refusal>.full(limit: .changes(3))) { try store.change(.note("third")) }
    for _ in 0..<20 {
      await clock.sleepers(1)
      clock.advance(by: .seconds(600))
    }
    #expect(store.state.notes == ["first"] && store.status == .waiting(StoreWait(reason: away, since: 1_000_000)))
    await clock.sleepers(1)
    link.set(nil)
    clock.advance(by: .seconds(1))
    var hasWaited = false
    for await status in statuses {
      if status == .open, hasWaited { break }
      if case .waiting = status { hasWaited = true }
    }
    while store.revision < 4 { await Task.yield() }
    #expect(try await first.confirmed() == 2)
    #expect(try await second.confirmed() == 3)
    #expect(store.status == .open)
    #expect(await store.close().isEmpty)
    #expect(try await journal.head().revision == 4)
  }

  @Test("is over when the journal is back: the next one is waited for as long again")
  func again() async throws {
    let link = Link(nil)
    let simulated = SimulatedJournal(journal, onAppend: { _ in link.fault })
    let store = try await Store.open(Board(), in: simulated, options: options)
    for number in 0..<2 {
      link.set(away)
      let commit = try store.change(.note("\(number)"))
      await clock.sleepers(2)
      clock.advance(by: .seconds(2))
      while store.delay == nil { await Task.yield() }
      await clock.sleepers(1)
      link.set(nil)
      clock.advance(by: .seconds(1))
      while store.revision < Revision(Int64(number + 2)) { await Task.yield() }
      #expect(store.delay == nil)
      try await commit.durable()
    }
    await store.close()
  }

  @Test("doesn't keep close(deadline:) waiting, and what is left over is resumed")
  func closing() async throws {
    let link = Link(nil)
    let simulated = SimulatedJournal(journal, onAppend: { _ in link.fault })
    let store = try await Store.open(Board(), in: simulated, options: options)
    link.set(away)
    try store.change(.note("x"))
    await clock.sleepers(2)
    async let closing = store.close(deadline: .seconds(1))
    await clock.sleepers(3)
    clock.advance(by: .seconds(1))
    let leftOver = await closing
    #expect(leftOver.count == 1)
    // An opening that can't continue reports the error after the timeout, and leaves no retry running.
    let later = TestClock()
    let opening = Task { [options] () -> JournalError? in
      do throws(JournalError) {
        _ = try await Store.open(Board(), in: simulated, resuming: leftOver, options: later.options(options))
      } catch { return error }
      return nil
    }
    await later.sleepers(2)
    later.advance(by: .seconds(2))
    #expect(await opening.value == away)
    link.set(nil)
    let again = try await Store.open(Board(), in: simulated, resuming: leftOver, options: options)
    #expect(again.state.notes == ["x"])
    #expect(try await journal.head().revision == 2)
  }

  @Test("of the reading is waited out, too")
  func reading() async throws {
    let link = Link(nil)
    let simulated = SimulatedJournal(journal, onAppend: { _ in .pass }, onRead: { _ in link.fault })
    var following = options
    following.followsOthers = true
    let store = try await Store.open(Board(), in: simulated, options: following)
    let other = try await Store.open(Board(), in: journal, options: options)
    link.set(away)
    try await other.change(.note("theirs")).durable()
    await clock.sleepers(1)
    #expect(store.status == .waiting(StoreWait(reason: away, since: 1_000_000)))
    link.set(nil)
    clock.advance(by: .seconds(1))
    for await notes in store.values(of: \.notes) where notes == ["theirs"] { break }
    while store.status != .open { await Task.yield() }
    await store.close()
  }

  @Test("or any other pause never comes in a turn, and the bulk is read before it")
  func turns() async throws {
    let watched = ScriptedJournal(journal)
    var options = options
    options.environment.sleep = { [clock] duration in
      #expect(!watched.isInTurn, "a pause in a turn keeps every other writer waiting")
      try await clock.sleep(for: duration)
    }
    let store = try await Store.open(Board(), in: watched, options: options)
    let other = try await Store.open(Board(), in: journal, options: self.options)
    for number in 0..<5_000 { try other.change(.note("\(number)")) }
    await other.close()
    // The first reading in a turn fails, and then the first append in one.
    let failing = Lock<[ScriptedJournal.Calls]>([.head, .append])
    watched.onEach([.head, .append]) { [away] call in
      let fails = failing.withLock { failing in
        guard call.isInTurn, failing.first == call.kind else { return false }
        failing.removeFirst()
        return true
      }
      if fails { throw away }
    }
    let commit = try store.change(.note("mine"))
    await clock.sleepers(2)
    clock.advance(by: .seconds(1))
    #expect(try await commit.confirmed() == 5_002)
    #expect(watched.entriesReadInTurns <= 1_002, "entries read in turns: \(watched.entriesReadInTurns)")
    #expect(!watched.isInTurn)
    await store.close()
  }
}
