import Alter
import Testing

@Suite("An asynchronous result")
struct AsyncResultTests {
  private struct World: Sendable {
    let base: Int
  }
  private struct Larger: Sendable {
    let world: World
  }
  private enum Problem: Error, Equatable { case negative(Int), odd(Int), wrapped(String) }
  private typealias Work = AsyncResult<World, Int, Problem>

  private let worlds = [World(base: 0), World(base: 7)]
  /// Results of different kinds: values, work that reads the environment, and failures.
  private var works: [Work] {
    [.success(3), .failure(.negative(-1)), Work { .success($0.base) }, Work { $0.base > 0 ? .failure(.odd($0.base)) : .success(40) }]
  }
  @Sendable private static func double(_ value: Int) -> Int { 2 * value }
  @Sendable private static func next(_ value: Int) -> Int { value + 1 }
  /// Steps that need the environment, and steps that fail.
  private static let steps: [@Sendable (Int) -> Work] = [
    { value in Work { .success(value + $0.base) } },
    { value in value % 2 == 0 ? .success(value / 2) : .failure(.odd(value)) },
    { value in Work { $0.base > value ? .failure(.negative(value - $0.base)) : .success(value) } },
  ]

  private func expectSame(_ left: Work, _ right: Work, at location: SourceLocation = #_sourceLocation) async {
    for world in worlds {
      let (a, b) = (await left.run(in: world), await right.run(in: world))
      #expect(a == b, sourceLocation: location)
    }
  }

  @Test("is a functor: mapping nothing changes nothing, and mapping twice is mapping once with both")
  func functor() async {
    for work in works {
      await expectSame(work.map { $0 }, work)
      await expectSame(work.map(Self.double).map(Self.next), work.map { Self.next(Self.double($0)) })
    }
  }

  @Test("is a monad: success is the unit, and flatMap is associative")
  func monad() async {
    for step in Self.steps {
      await expectSame(Work.success(5).flatMap(step), step(5))
      for work in works {
        await expectSame(work.flatMap { .success($0) }, work)
        for further in Self.steps {
          await expectSame(work.flatMap(step).flatMap(further), work.flatMap { step($0).flatMap(further) })
        }
      }
    }
    for work in works { await expectSame(work.map(Self.double), work.flatMap { .success(Self.double($0)) }) }
  }

  @Test("ends at a failure: what comes after it isn't done")
  func shortCircuit() async {
    let failed = Work.failure(.negative(-1))
    let further: @Sendable (Int) -> Work = { _ in
      Issue.record("done after a failure")
      return .success(0)
    }
    await expectSame(failed.flatMap(further), failed)
    await expectSame(failed.map { _ in 0 }, failed)
  }

  @Test("fails in another way, and leaves a success alone")
  func otherFailure() async {
    await expectSame(Work.failure(.odd(3)).mapError { .wrapped("\($0)") }, .failure(.wrapped("odd(3)")))
    await expectSame(Work.success(1).mapError { .wrapped("\($0)") }, .success(1))
    for work in works { await expectSame(work.mapError { $0 }, work) }
  }

  @Test("recovers into a value: it cannot fail any more, runs without 'try', and a success stays")
  func recover() async {
    for work in works {
      // The law that defines it: a failure becomes a value, and nothing else changes.
      for world in worlds {
        let value = await work.recover(Self.value(of:)).value(in: world)
        switch await work.run(in: world) {
        case .success(let same): #expect(value == same)
        case .failure(let problem): #expect(value == Self.value(of: problem))
        }
      }
    }
    #expect(await Work.failure(.negative(-4)).recover(Self.value(of:)).value(in: World(base: 0)) == -4)
  }

  @Sendable private static func value(of problem: Problem) -> Int {
    switch problem {
    case .negative(let value), .odd(let value): value
    case .wrapped(let text): text.count
    }
  }

  @Test("throws its failure, with its type, and is the inverse of wrapping work that throws")
  func throwing() async {
    for work in works {
      await expectSame(Work(catching: { world throws(Problem) in try await work.value(in: world) }), work)
    }
    do throws(Problem) {
      let value = try await Work.failure(.odd(3)).value(in: World(base: 0))
      Issue.record("a failure has the value \(value)")
    } catch { #expect(error == .odd(3)) }
  }

  @Test("is given an environment, whole or out of a larger one")
  func environment() async {
    let work = Work { .success($0.base * 2) }
    let inLarger: AsyncResult<Larger, Int, Problem> = work.provide(\.world)
    #expect(await inLarger.run(in: Larger(world: World(base: 4))) == .success(8))
    #expect(await work.provide(World(base: 5)).run(in: ()) == .success(10))
  }

  @Test("wraps work that throws, and interfaces with completion handlers")
  func making() async {
    let throwing = Work(catching: { world throws(Problem) in
      guard world.base > 0 else { throw .negative(world.base) }
      return world.base
    })
    #expect(await throwing.run(in: World(base: 0)) == .failure(.negative(0)))
    #expect(await throwing.run(in: World(base: 1)) == .success(1))
    let handler = Work { world in await withCheckedContinuation { $0.resume(returning: .success(world.base)) } }
    #expect(await handler.run(in: World(base: 2)) == .success(2))
  }
}
