import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Appends whose answer contradicts", .timeLimit(.minutes(20)))
struct LandingTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal
  private let deaf = StoreOptions.notFollowing
  private let unreadable = JournalError(.damaged, journal: "memory", message: "can't be read.")
  private let away = JournalError(.unavailable, journal: "memory", message: "can't be read.")

  @Test("landing: what the journal has said to have is reported as unwritten when the reading after it fails")
  func landedThenUnreadable() async throws {
    let hooked = ScriptedJournal(journal)
    let store = try await Store.open(Board(), in: hooked, options: deaf)
    hooked.appendTheirsFirst { [unreadable] in hooked.fail([.head, .entries], with: unreadable) }
    let commit = try store.change(.note("mine"))
    let result = await commit.result()
    guard case .failure(.unknown) = result else {
      Issue.record("\(result)")
      hooked.fail([.head, .entries], with: nil)
      let leftOver = await store.close()
      #expect(leftOver.map(\.mayBeWritten) == [true])
      #expect(try await journal.entry(commit.id) != nil)
      return
    }
  }

  @Test("landing: after an outage behind such an append, what was written is written again under another id")
  func landedThenAway() async throws {
    let hooked = ScriptedJournal(journal)
    let opened = Lock<Store<Board>?>(nil)
    let sleeps = Lock(0)
    var options = deaf
    options.outageTimeout = .milliseconds(5)
    options.sleep = { _ in
      guard
        sleeps.withLock({
          $0 += 1; return $0
        }) == 2
      else { return }
      hooked.fail([.head, .entries], with: nil)
      _ = try? opened.withLock { $0 }?.change(.note("second"))
    }
    let store = try await Store.open(Board(), in: hooked, options: options)
    opened.withLock { $0 = store }
    hooked.appendTheirsFirst { [away] in hooked.fail([.head, .entries], with: away) }
    _ = await (try store.change(.note("mine"))).result()
    await store.close()
    opened.withLock { $0 = nil }
    #expect(try await Store.open(Board(), in: journal, options: deaf).state.notes == ["theirs", "mine", "second"])
  }

  #if DEBUG
    @Test("determinism: a state that is not comparable and holds a set is reported by a debug build", arguments: 0..<4)
    func setsInMemory(run: Int) async throws {
      let store = Store(Bag())
      for number in 0..<100 { try store.change(.put("\(run) \(number)")) }
      await store.close()
      for await problem in store.problems { Issue.record("\(problem)") }
    }
  #endif
}
