import AlterCore
import Testing

@Suite("The wheel of timers")
struct TimerWheelTests {
  /// A clock that a test moves.
  private final class ManualClock: Sendable {
    private let time = Lock(Duration.zero)
    private let pauses = Lock([Waiter<Void>]())

    var wheel: TimerWheel {
      TimerWheel(now: { self.time.withLock { $0 } }) { _ in
        let pause = Waiter<Void>()
        self.pauses.withLock { $0.append(pause) }
        _ = await pause.value()
      }
    }

    /// Moves the clock when the wheel pauses, and ends the pause.
    func pass(_ duration: Duration) async {
      while true {
        if let pause = pauses.withLock({ $0.popLast() }) {
          time.withLock { $0 += duration }
          pause.finish(())
          return
        }
        await Task.yield()
      }
    }

    /// Waits until the wheel pauses.
    func pausing() async { while pauses.withLock({ $0.isEmpty }) { await Task.yield() } }
  }

  @Test("a cancelled wait leaves nothing, long before its time")
  func cancelled() async {
    let wheel = ManualClock().wheel
    let tasks = (0..<100).map { number in Task { try await wheel.sleep(for: .seconds(3_600 + number % 10)) } }
    while wheel.count < tasks.count { await Task.yield() }
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.result.isCancelled) }
    #expect(wheel.count == 0)
  }

  @Test("a wait of a task that is already cancelled ends at once, and leaves nothing")
  func cancelledBefore() async {
    let wheel = ManualClock().wheel
    let begun = Waiter<Void>()
    let task = Task {
      _ = await begun.value()
      try await wheel.sleep(for: .seconds(60))
    }
    task.cancel()
    begun.finish(())
    #expect(await task.result.isCancelled)
    #expect(wheel.count == 0)
  }

  @Test("a wait ends when its time has come, not before")
  func time() async throws {
    let clock = ManualClock()
    let wheel = clock.wheel
    let (short, long) = (Lock(false), Lock(false))
    let first = Task {
      try await wheel.sleep(for: .seconds(1))
      short.withLock { $0 = true }
    }
    let second = Task {
      try await wheel.sleep(for: .seconds(30))
      long.withLock { $0 = true }
    }
    while wheel.count < 2 { await Task.yield() }
    await clock.pass(.milliseconds(999))
    await clock.pausing()
    #expect(!short.withLock { $0 })
    await clock.pass(.milliseconds(1))
    try await first.value
    #expect(!long.withLock { $0 })
    #expect(wheel.count == 1)
    await clock.pass(.seconds(29))
    try await second.value
    #expect(wheel.count == 0)
  }

  @Test("a wheel that has stopped begins again with the next wait")
  func again() async throws {
    let clock = ManualClock()
    let wheel = clock.wheel
    for _ in 0..<3 {
      let task = Task { try await wheel.sleep(for: .seconds(2)) }
      while wheel.count < 1 { await Task.yield() }
      await clock.pass(.seconds(2))
      try await task.value
    }
    #expect(wheel.count == 0)
  }

  @Test("a wait of more time than numbers have is only cancelled")
  func longest() async {
    let wheel = ManualClock().wheel
    let task = Task { try await wheel.sleep(for: .seconds(Int64.max)) }
    while wheel.count < 1 { await Task.yield() }
    task.cancel()
    #expect(await task.result.isCancelled)
  }
}

extension Result {
  fileprivate var isCancelled: Bool { if case .failure(let error) = self { error is CancellationError } else { false } }
}
