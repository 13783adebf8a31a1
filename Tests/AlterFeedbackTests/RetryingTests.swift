import Alter
import AlterCore
import AlterTesting
import Testing

@Suite("Retries and timeouts in effects")
struct RetryingTests {
  private let clock = TestClock()
  private var ticks: any Clock<Duration> { clock.clock }
  private struct Failed: Error, Equatable { let attempt: Int }

  @Test("tries again after pauses that double, up to the longest, and gives the first success")
  func retry() async {
    let attempts = Lock(0)
    let work = Task { [ticks] in
      await retrying(6, pause: .seconds(1), longest: .seconds(3), on: ticks) { () -> Result<String, Failed> in
        let attempt = attempts.withLock { attempts in
          attempts += 1
          return attempts
        }
        return attempt < 5 ? .failure(Failed(attempt: attempt)) : .success("attempt \(attempt)")
      }
    }
    for (done, pause) in [1, 2, 3, 3].enumerated() {
      await clock.sleepers(1)
      #expect(attempts.withLock { $0 } == done + 1)
      clock.advance(by: .seconds(pause) - .microseconds(1))
      #expect(attempts.withLock { $0 } == done + 1)
      clock.advance(by: .microseconds(1))
    }
    #expect(await work.value == .success("attempt 5"))
  }

  @Test("gives the last failure when the attempts are used up, or at once when it is cancelled")
  func givesUp() async {
    let result = await retrying(1, on: ticks) { () -> Result<Int, Failed> in .failure(Failed(attempt: 1)) }
    #expect(result == .failure(Failed(attempt: 1)))
    let work = Task { [ticks] in
      await retrying(100, pause: .seconds(1), on: ticks) { () -> Result<Int, Failed> in .failure(Failed(attempt: 2)) }
    }
    await clock.sleepers(1)
    work.cancel()
    #expect(await work.value == .failure(Failed(attempt: 2)))
  }

  @Test("no pause is longer than the longest, and there is one attempt at least")
  func odd() async {
    let work = Task { [ticks] in
      await retrying(2, pause: .seconds(9), longest: .seconds(3), on: ticks) { () -> Result<Int, Failed> in .failure(Failed(attempt: 1)) }
    }
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await work.value == .failure(Failed(attempt: 1)))
    #expect(await retrying(.min, on: ticks) { () -> Result<Int, Failed> in .success(2) } == .success(2))
    #expect(await retrying(.min, on: ticks) { () -> Result<Int, Failed> in .failure(Failed(attempt: 3)) } == .failure(Failed(attempt: 3)))
  }

  @Test("ends work that takes too long, and cancels it")
  func timeout() async {
    let wasCancelled = Lock(false)
    let slow = Task { [ticks] in
      await withTimeout(.seconds(10), on: ticks) {
        try? await ticks.sleep(for: .seconds(60))
        wasCancelled.withLock { $0 = Task.isCancelled }
        return "slow"
      }
    }
    await clock.sleepers(2)
    clock.advance(by: .seconds(10))
    #expect(await slow.value == nil && wasCancelled.withLock { $0 })
    #expect(await withTimeout(.seconds(10), on: ticks) { "quick" } == "quick")
  }

  @Test("throws the error of work with a time limit, and returns nil at the limit if the work throws because it is cancelled")
  func failingTimeout() async throws {
    do throws(Failed) {
      _ = try await withTimeout(.seconds(10), on: ticks) { () throws(Failed) -> Int in throw Failed(attempt: 1) }
      Issue.record("The error was lost.")
    } catch { #expect(error == Failed(attempt: 1)) }
    let slow = Task { [ticks] in try await withTimeout(.seconds(10), on: ticks) { try await ticks.sleep(for: .seconds(60)) } == nil }
    await clock.sleepers(2)
    clock.advance(by: .seconds(10))
    #expect(try await slow.value)
  }
}
