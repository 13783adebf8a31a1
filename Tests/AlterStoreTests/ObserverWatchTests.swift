import Alter
import AlterStore
import Foundation
import StoreTesting
import Testing

@Suite("An observer that does not return", .timeLimit(.minutes(5)))
struct ObserverWatchTests {
  @Test("is reported once, with the place at which it was registered", arguments: [false, true])
  func reported(isJournaled: Bool) async throws {
    var options = StoreOptions()
    options.observerTimeout = .milliseconds(1)
    let store = isJournaled ? try await Store.open(Counter(), in: MemoryJournal(), options: options) : Store(Counter(), options: options)
    let hold = DispatchSemaphore(value: 0)
    let quick = store.observe { _, _ in }
    let line: UInt = #line + 1
    let slow = store.observe { record, _ in if record != nil { hold.wait() } }
    // In memory, the thread that makes the change calls the observers.
    let maker = Thread { _ = try? store.change(.add(1)) }
    maker.start()
    var problems: [StoreProblem] = []
    for await problem in store.problems {
      problems.append(problem)
      break
    }
    guard case .blockedByObserver(let file, line)? = problems.first, problems.count == 1 else {
      Issue.record("\(problems)")
      hold.signal()
      return
    }
    #expect(file.hasSuffix("ObserverWatchTests.swift"))
    #expect(problems[0].description.contains("ObserverWatchTests.swift:\(line)"))
    // Changes are still taken.
    if isJournaled { try store.change(.add(1)) }
    for _ in 0..<2 { hold.signal() }
    await store.close()
    #expect(store.state.count == (isJournaled ? 2 : 1))
    for token in [quick, slow] { token.cancel() }
  }
}
