import Alter
import AlterTesting
import Testing

@Suite("A scenario in words")
struct ScenarioTests {
  struct Kettle: Alterable, Hashable {
    enum Change: Hashable { case fill(Int), boil, boiled }
    private(set) var water = 0
    private(set) var boils = false
    private(set) var isHot = false

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .fill(let cups): water += cups
      case .boil:
        guard water > 0 else { throw .custom("The kettle is empty.") }
        boils = true
      case .boiled: (boils, isHot) = (false, true)
      }
    }
  }

  private let failures = Failures()

  private func kettle() -> TestStore<Kettle> {
    let clock = TestClock()
    let boil = Feedback<Kettle, any Clock<Duration>>("boil", of: \.water, when: \.boils) { cups, clock in
      try await clock.sleep(for: .seconds(cups))
      return .boiled
    }
    return TestStore(
      Kettle(), feedbacks: [boil], in: clock.clock, clock: clock, reporter: failures.reporter)
  }

  @Test("holds, with the effects and the time that it needs")
  func holds() async {
    let kettle = kettle()
    kettle.given("an empty kettle")
    kettle.given("two cups of water", .fill(2))
    kettle.when("it is switched on", .boil)
    await kettle.then("it is not hot yet") { $0.boils && !$0.isHot }
    await kettle.advance(by: .seconds(2))
    await kettle.then("it is hot after two seconds") { $0.isHot }
    await kettle.finish()
    #expect(await failures.messages() == [])
  }

  @Test("that fails repeats its words, and shows the state")
  func fails() async {
    let kettle = kettle()
    kettle.given("water", .fill(1))
    kettle.when("a minute passes")
    kettle.when("nothing else happens")
    await kettle.then("it is hot") { $0.isHot }
    // Another scenario begins with other words.
    kettle.given("more water", .fill(1))
    await kettle.then("it is cold") { $0.water == 3 }
    #expect(
      await failures.messages() == [
        """
        The scenario fails:
          given water
          when a minute passes
          and nothing else happens
          then it is hot

        The state is ScenarioTests.Kettle(water: 1, boils: false, isHot: false).
        """,
        """
        The scenario fails:
          given more water
          then it is cold

        The state is ScenarioTests.Kettle(water: 2, boils: false, isHot: false).
        """,
      ])
  }

  @Test("stops at a change that is refused")
  func refused() async {
    let kettle = kettle()
    kettle.when("it is switched on without water", .boil)
    #expect(
      await failures.messages() == [
        """
        The scenario stops, because .boil was not made:
          when it is switched on without water

        The change was refused: The kettle is empty.
        """
      ])
  }
}
