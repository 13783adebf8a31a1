import Alter
import AlterTesting
import Testing

@Suite("A test clock")
struct TestClockTests {
  let clock = TestClock(microseconds: 5)

  @Test("wakes by the time passed, whatever the wall clock is set to")
  func wallClock() async throws {
    let task = Task { try await clock.sleep(for: .seconds(10)) }
    await clock.sleepers(1)
    #expect(clock.untilNext == .seconds(10))
    clock.advance(by: .seconds(4))
    #expect(clock.now == 4_000_005 && clock.elapsed == .seconds(4) && clock.untilNext == .seconds(6))
    clock.set(microseconds: 99)
    #expect(clock.now == 99 && clock.elapsed == .seconds(4) && clock.untilNext == .seconds(6))
    clock.advance(by: .seconds(6))
    try await task.value
    #expect(clock.now == 6_000_099 && clock.untilNext == nil)
  }

  @Test("keeps what is finer than its wall clock")
  func nanoseconds() {
    for _ in 0..<1_000 { clock.advance(by: .nanoseconds(1)) }
    #expect(clock.now == 6 && clock.elapsed == .microseconds(1))
  }

  @Test("is a Clock for who needs one: for a timeout, for pauses between attempts")
  func asClock() async {
    let executor = TestExecutor()
    let steady = clock.clock
    let timeout = Task(executorPreference: executor) {
      await withTimeout(.seconds(3), on: steady) { (try? await steady.sleep(for: .seconds(5))) != nil }
    }
    #expect(executor.run())
    clock.advance(by: .seconds(3))
    executor.run()
    #expect(await timeout.value == nil)

    struct Broken: Error {}
    let attempts = AsyncStream<Duration>.makeStream()
    let clock = clock
    let begin = clock.elapsed
    let result = Task(executorPreference: executor) {
      await retrying(3, pause: .seconds(1), on: steady) { () async -> Result<Int, Broken> in
        attempts.continuation.yield(clock.elapsed - begin)
        return .failure(Broken())
      }
    }
    executor.run()
    while let next = clock.untilNext {
      clock.advance(by: next)
      executor.run()
    }
    _ = await result.value
    attempts.continuation.finish()
    #expect(await attempts.stream.reduce(into: []) { $0.append($1) } == [.zero, .seconds(1), .seconds(3)])
  }

  @Test("lets others run even when nobody has to wait")
  func noWait() async {
    let executor = TestExecutor()
    let steady = clock.clock
    let task = Task(executorPreference: executor) { while (try? await steady.sleep(for: .zero)) != nil {} }
    #expect(!executor.run(atMost: 100))
    task.cancel()
    #expect(executor.run())
    await task.value
  }

  @Test("gives numbers by a seed that are the same everywhere")
  func seededNumbers() {
    var random = SeededGenerator(seed: 1_234_567)
    // The first numbers of the reference implementation for this seed.
    #expect(
      [random.next(), random.next(), random.next()] == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    #expect((0..<100).map { _ in random.below(3) }.allSatisfy { (0..<3).contains($0) })
    #expect(Set((0..<100).map { _ in random.pick([1, 2, 3]) }) == [1, 2, 3])
  }
}
